import { describe, expect, it } from 'vitest';
import { balance } from '../../../functions/accounts/schemas.ts';
import { call, problemOf } from '../../helpers/api.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const PATH = '/api/v1/balance';
const service = useService();

const change = (apiKey: string, body: unknown) => call(service, 'PATCH', PATH, { key: apiKey, body });

describe('PATCH /api/v1/balance', () => {
  it('200: sets the threshold, switches it off again, and answers with the balance', async () => {
    const { apiKey } = await createWorkspace({ balanceKrw: 700 });
    const before = balance.parse((await call(service, 'GET', PATH, { key: apiKey })).json);
    for (const lowBalanceThresholdKrw of [2000, 0, 2000, null]) {
      const answer = await change(apiKey, { lowBalanceThresholdKrw });
      expect(answer.status).toBe(200);
      // The balance has not changed, and so neither has the time of its last change.
      expect(balance.strict().parse(answer.json)).toEqual({ ...before, lowBalanceThresholdKrw });
      expect((await call(service, 'GET', PATH, { key: apiKey })).json).toEqual(answer.json);
    }
  });

  it('200: writes nothing for the threshold that is set already', async () => {
    const { apiKey } = await createWorkspace();
    await change(apiKey, { lowBalanceThresholdKrw: 500 });
    expect(await sentCommands(() => change(apiKey, { lowBalanceThresholdKrw: 500 }))).toEqual(['Get', 'Get']);
  });

  it('200: leaves no entry in the ledger', async () => {
    const { apiKey } = await createWorkspace();
    await change(apiKey, { lowBalanceThresholdKrw: 500 });
    const { json } = await call(service, 'GET', `${PATH}/entries`, { key: apiKey });
    expect(json).toMatchObject({ entries: [{ type: 'opening' }], nextCursor: null });
  });

  it.each([
    [{}, 'lowBalanceThresholdKrw'],
    [{ lowBalanceThresholdKrw: -1 }, 'lowBalanceThresholdKrw'],
    [{ lowBalanceThresholdKrw: 1.5 }, 'lowBalanceThresholdKrw'],
    [{ lowBalanceThresholdKrw: '500' }, 'lowBalanceThresholdKrw'],
    [{ lowBalanceThresholdKrw: 2 ** 53 }, 'lowBalanceThresholdKrw'],
    [{ lowBalanceThresholdKrw: 500, balanceKrw: 1_000_000 }, 'balanceKrw'],
    [[], 'the body'],
    [null, 'the body'],
  ])('400 invalid_request for %j names %s', async (body, field) => {
    const answer = await change(service.apiKey, body);
    expect(answer.status).toBe(400);
    const { code, details } = problemOf(answer);
    expect(code).toBe('invalid_request');
    expect(details).toHaveProperty(['fields', field]);
  });

  it('400 without a body, and with one that is not JSON', async () => {
    expect((await call(service, 'PATCH', PATH)).status).toBe(400);
    expect((await call(service, 'PATCH', PATH, { raw: '{lowBalanceThresholdKrw:1}' })).status).toBe(400);
  });

  it('403 forbidden with a key that is narrowed to some services', async () => {
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: ['extraction'] });
    const answer = await change(apiKey, { lowBalanceThresholdKrw: 500 });
    expect(answer.status).toBe(403);
    expect(problemOf(answer).code).toBe('forbidden');
  });
});
