import { describe, expect, it, vi } from 'vitest';
import { newApiKey } from '../../../functions/accounts/domain/api-key.ts';
import { balance } from '../../../functions/accounts/schemas.ts';
import { DynamoApiKeys } from '../../../functions/adapters/accounts/dynamo-api-keys.ts';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call, problemOf } from '../../helpers/api.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const PATH = '/api/v1/balance';
const service = useService();

describe('GET /api/v1/balance', () => {
  it('200: the opening balance, exactly as the OpenAPI document describes it', async () => {
    const answer = await call(service, 'GET', PATH);
    expect(answer.status).toBe(200);
    expect(balance.strict().parse(answer.json)).toMatchObject({ balanceKrw: 10_000, lowBalanceThresholdKrw: null });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{10,}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('200: updatedAt is null as long as there was neither top-up nor deduction', async () => {
    const { apiKey } = await createWorkspace({ balanceKrw: 0 });
    expect((await call(service, 'GET', PATH, { key: apiKey })).json).toEqual({
      balanceKrw: 0,
      lowBalanceThresholdKrw: null,
      updatedAt: null,
    });
  });

  it('200: the key may come as a bearer token', async () => {
    const headers = { authorization: `Bearer ${service.apiKey}` };
    expect((await call(service, 'GET', PATH, { key: null, headers })).status).toBe(200);
  });

  it('200: needs no scope of any service', async () => {
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: [] });
    expect((await call(service, 'GET', PATH, { key: apiKey })).status).toBe(200);
  });

  it('takes one read for the key and one for the balance; the use of a key is written once a minute', async () => {
    const { apiKey, keyId } = await createWorkspace();
    const ask = () => call(service, 'GET', PATH, { key: apiKey });
    expect((await sentCommands(ask)).toSorted()).toEqual(['Get', 'Get', 'Update']);
    expect(await sentCommands(ask)).toEqual(['Get', 'Get']);
    const record = await new DynamoApiKeys(dynamoClient(), environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE).find(keyId);
    expect(Date.parse(record?.lastUsedAt ?? '')).toBeGreaterThan(Date.parse(record?.createdAt ?? ''));
  });
});

describe('401 invalid_key', () => {
  it('is the same answer for a missing, malformed, unknown, wrong or revoked key', async () => {
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { revokedAt: new Date().toISOString() });
    const unknown = newApiKey((count) => crypto.getRandomValues(new Uint8Array(count))).text;
    const answers = await Promise.all(
      [null, '', 'nonsense', `${service.apiKey}x`, unknown, apiKey].map((key) => call(service, 'GET', PATH, { key })),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(problemOf(answer)).toMatchObject({
        code: 'invalid_key',
        message:
          'The credential is missing or invalid. Send an access token as a bearer token, or an API key in the header x-api-key.',
      });
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('takes effect on the request after the revocation', async () => {
    const { apiKey, keyId } = await createWorkspace();
    expect((await call(service, 'GET', PATH, { key: apiKey })).status).toBe(200);
    await changeKey(keyId, { revokedAt: new Date().toISOString() });
    expect((await call(service, 'GET', PATH, { key: apiKey })).status).toBe(401);
  });
});

describe('500 internal_error', () => {
  it('the error contains nothing but the request id', async () => {
    const spy = vi.spyOn(dynamoClient(), 'send').mockRejectedValue(new Error('secret table name') as never);
    const answer = await call(service, 'GET', PATH);
    spy.mockRestore();
    expect(answer.status).toBe(500);
    const { code, message, requestId } = problemOf(answer);
    expect(code).toBe('internal_error');
    expect(message).toContain(requestId);
    expect(JSON.stringify(answer.json)).not.toMatch(/secret|\.ts|at /);
  });
});
