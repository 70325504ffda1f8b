import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { apiKeyId } from '../../../functions/accounts/domain/api-key.ts';
import { auditEntry, SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { MAX_KEYS } from '../../../functions/accounts/domain/manage-keys.ts';
import { apiKeyList, auditPage, createdApiKey } from '../../../functions/accounts/schemas.ts';
import { DynamoKeyRing } from '../../../functions/adapters/accounts/dynamo-key-ring.ts';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { systemClock, ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { envelopeOf } from '../../../functions/shared/http/envelope.ts';
import { type ApiAnswer, call } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const PATH = '/api/v1/api-keys';
const service = useService();

type Caller = Pick<TestWorkspace, 'apiKey'>;
const create = ({ apiKey }: Caller, body: unknown) => call(service, 'POST', PATH, { key: apiKey, body });
const list = ({ apiKey }: Caller) => call(service, 'GET', PATH, { key: apiKey });
const revoke = ({ apiKey }: Caller, id: string) => call(service, 'DELETE', `${PATH}/${id}`, { key: apiKey });
const created = ({ json }: ApiAnswer): z.output<typeof createdApiKey> =>
  envelopeOf(createdApiKey.strict()).strict().parse(json).data;
const listed = ({ json }: ApiAnswer): z.output<typeof apiKeyList> => envelopeOf(apiKeyList).strict().parse(json).data;
const balanceStatus = async (key: string) => (await call(service, 'GET', '/api/v1/balance', { key })).status;
const auditOf = async (workspace: Caller) =>
  envelopeOf(auditPage).parse((await call(service, 'GET', '/api/v1/audit', { key: workspace.apiKey })).json).data
    .entries;

describe('POST 201', () => {
  it('gives the key once, and it works at once for all services', async () => {
    const workspace = await createWorkspace();
    const answer = await create(workspace, { name: '  회계 시스템 ' });
    expect([answer.status, answer.json]).toMatchObject([201, { status: 'success', code: 201 }]);
    const key = created(answer);
    expect(key).toMatchObject({
      name: '회계 시스템',
      prefix: `tpk_${key.id}`,
      scopes: ['extraction', 'chat', 'sandbox'],
      last_used_at: null,
      expires_at: null,
    });
    expect(apiKeyId(key.key)).toBe(key.id);
    expect(await balanceStatus(key.key)).toBe(200);
    const { key: value, ...shown } = key;
    const keys = listed(await list(workspace));
    expect(keys.map(({ name }) => name)).toEqual(['회계 시스템', 'first key']);
    expect(keys[0]).toMatchObject({ ...shown, last_used_at: expect.any(String) });
    expect(JSON.stringify(await service.aws.dynamodb.execute('Scan', { TableName: tableName() }))).not.toContain(value);
  });

  it('with an end works until then, and stays in the list', async () => {
    const workspace = await createWorkspace();
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const key = created(await create(workspace, { name: 'short', expires_at: end.replace('Z', '+00:00') }));
    expect(key.expires_at).toBe(end);
    expect(await balanceStatus(key.key)).toBe(200);
    await changeKey(key.id, { validUntil: new Date(Date.now() - 1).toISOString() });
    expect(await balanceStatus(key.key)).toBe(401);
    expect(listed(await list(workspace))).toHaveLength(2);
  });

  it('narrowed to services is refused by the others, with the scope in the message', async () => {
    const workspace = await createWorkspace();
    const { key } = created(await create(workspace, { name: 'sandbox only', scopes: ['sandbox'] }));
    const { status, json } = await call(service, 'POST', '/api/v1/uploads', {
      key,
      body: { contentType: 'image/png' },
    });
    expect([status, json]).toMatchObject([403, { message: expect.stringContaining('lacks the scope "extraction"') }]);
    expect((await call(service, 'GET', '/api/v1/languages', { key })).status).toBe(200);
  });

  it('leaves an audit entry without the value', async () => {
    const workspace = await createWorkspace();
    const key = created(await create(workspace, { name: 'seen', scopes: ['chat'] }));
    await revoke(workspace, key.id);
    const entries = await auditOf(workspace);
    expect(entries).toMatchObject([
      { action: 'api_key.revoked', target: key.id, actor: { kind: 'key', id: workspace.keyId } },
      { action: 'api_key.created', target: key.id, details: { name: 'seen', scopes: ['chat'], expires_at: null } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.key);
  });
});

describe('POST 400', () => {
  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' \t' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'a', scopes: [] }, 'scopes'],
    [{ name: 'a', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at: must be in the future'],
    [{ name: 'a', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'a', expires_at: 4_000_000_000 }, 'expires_at'],
    [{ name: 'a', role: 'owner' }, 'role: is not known here'],
  ])('%j names %s', async (body, field) => {
    const { status, json } = await create(service, body);
    expect([status, json]).toMatchObject([
      400,
      { data: null, status: 'error', message: expect.stringContaining(field) },
    ]);
  });
});

describe('POST 409 and 422', () => {
  it.each([[['billing']], [['chat', 'chat']]])('refuses the scopes %j', async (scopes) => {
    const { status, json } = await create(service, { name: 'a', scopes });
    expect(status).toBe(422);
    expect(json).toMatchObject({ data: null, status: 'error', message: expect.stringContaining('scopes') });
  });

  it('409 for a name that is taken, until its key is revoked; ten at once make one key', async () => {
    const workspace = await createWorkspace();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(workspace, { name: 'same' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    const { id } = created(answers.find(({ status }) => status === 201)!);
    await revoke(workspace, id);
    expect((await create(workspace, { name: 'same' })).status).toBe(201);
    expect((await create(await createWorkspace(), { name: 'same' })).status).toBe(201);
  });

  it('422 for more keys than a workspace may have', async () => {
    const workspace = await createWorkspace();
    const ring = new DynamoKeyRing(dynamoClient(), tableName());
    const { keys, version } = await ring.keysOf(workspace.workspaceId);
    const filler = keys[0]!;
    const act = { workspaceId: workspace.workspaceId, action: 'api_key.created', target: null } as const;
    for (let n = 1; n < MAX_KEYS; n++) {
      const key = { ...filler, id: `0000000000${String(n).padStart(3, '0')}`, name: `filler ${n}` };
      const audit = auditEntry(act, SYSTEM_ORIGIN, { clock: systemClock, ids: ulidIds });
      expect(await ring.add(key, version + n - 1, audit)).toBe(true);
    }
    const { status, json } = await create(workspace, { name: 'one more' });
    expect([status, json]).toMatchObject([422, { message: expect.stringContaining('100 API keys') }]);
    expect(listed(await list(workspace))).toHaveLength(MAX_KEYS);
  });
});

describe('DELETE', () => {
  it('takes effect on the next request, for good', async () => {
    const workspace = await createWorkspace();
    const key = created(await create(workspace, { name: 'short-lived' }));
    expect(await balanceStatus(key.key)).toBe(200);
    const answer = await revoke(workspace, key.id);
    expect([answer.status, answer.json]).toEqual([204, null]);
    expect(await balanceStatus(key.key)).toBe(401);
    expect(listed(await list(workspace)).map(({ id }) => id)).toEqual([workspace.keyId]);
    expect((await revoke(workspace, key.id)).status).toBe(404);
  });

  it('revokes a key that is older than this endpoint, and a key may revoke itself', async () => {
    const workspace = await createWorkspace();
    await changeKey(workspace.keyId, { revokedAt: null });
    expect((await revoke(workspace, workspace.keyId)).status).toBe(204);
    expect(await balanceStatus(workspace.apiKey)).toBe(401);
  });

  it('404 for another workspace’s key, which continues to work, and for an invalid id', async () => {
    const [mine, other] = [await createWorkspace(), await createWorkspace()];
    for (const id of [other.keyId, '0000000000000', 'x', 'a'.repeat(3000), '%20', '..%2f..'])
      expect((await revoke(mine, id)).status).toBe(404);
    expect(await balanceStatus(other.apiKey)).toBe(200);
  });

  it('is tried again while another write of the key is in the way', async () => {
    const workspace = await createWorkspace();
    const { id } = created(await create(workspace, { name: 'busy' }));
    await service.aws.dynamodb.conflictNextTransactions(1);
    expect((await revoke(workspace, id)).status).toBe(204);
  });
});

describe('401 and 403', () => {
  it('401 without a credential', async () => {
    for (const method of ['GET', 'POST']) expect((await call(service, method, PATH, { key: null })).status).toBe(401);
    expect((await call(service, 'DELETE', `${PATH}/0000000000000`, { key: null })).status).toBe(401);
  });

  it('403 for a key that is narrowed to some services', async () => {
    const workspace = await createWorkspace();
    const { key } = created(await create(workspace, { name: 'narrow', scopes: ['extraction', 'chat'] }));
    const narrowed = { apiKey: key };
    for (const answer of [
      await list(narrowed),
      await create(narrowed, { name: 'wider' }),
      await revoke(narrowed, workspace.keyId),
    ])
      expect([answer.status, answer.json]).toMatchObject([403, { message: expect.stringContaining('every scope') }]);
  });
});

const tableName = () => environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE;
