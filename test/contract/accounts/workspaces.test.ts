import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyId, newApiKey } from '../../../functions/accounts/domain/api-key.ts';
import { authenticate } from '../../../functions/accounts/domain/authenticate.ts';
import { passwordHasher } from '../../../functions/accounts/domain/password.ts';
import { EmailTaken, planWorkspace, type WorkspacePlan } from '../../../functions/accounts/domain/workspace.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoApiKeys } from '../../../functions/adapters/accounts/dynamo-api-keys.ts';
import { DynamoUsers } from '../../../functions/adapters/accounts/dynamo-users.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { ALL_SCOPES } from '../../../functions/shared/principal.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

let dynamo: EmbeddedDynamo;
let accounts: DynamoAccounts;
let keys: DynamoApiKeys;

beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
  accounts = new DynamoAccounts(dynamo.client, TABLES.accounts);
  keys = new DynamoApiKeys(dynamo.client, TABLES.accounts);
});
afterAll(() => dynamo.stop());

const ports = { clock: testClock(), ids: ulidIds, hasher: passwordHasher(randomBytes, 10) };

function plan(changes: Partial<WorkspacePlan> = {}): WorkspacePlan {
  return {
    workspaceId: ulidIds.next('ws'),
    name: 'Test',
    email: `${randomBytes(4).toString('hex')}@example.com`,
    password: 'a long password',
    apiKey: newApiKey(randomBytes).text,
    openingBalanceKrw: 10_000,
    ...changes,
  };
}

describe('a new workspace', () => {
  it('has its owner, its key, its balance and the entry that explains it', async () => {
    const wanted = plan({ email: ' Owner@Example.COM ' });
    await accounts.create(await planWorkspace(wanted, ports));
    const { workspaceId } = wanted;
    expect(await accounts.exists(workspaceId)).toBe(true);
    const createdAt = '2026-11-21T03:00:00.000Z';
    expect(await accounts.find(workspaceId)).toEqual({
      workspaceId,
      balanceKrw: 10_000,
      freeCallsUsed: 0,
      lowBalanceThresholdKrw: null,
      lowBalanceNotified: false,
      updatedAt: createdAt,
      version: 1,
    });
    expect(await authenticate(wanted.apiKey, keys, Date.now())).toMatchObject({ workspaceId, scopes: ALL_SCOPES });
    const items = await dynamo.items('accounts', `WORKSPACE#${workspaceId}`);
    expect(items.find(({ kind }) => kind === 'opening')).toMatchObject({
      amountKrw: 10_000,
      balanceKrw: 10_000,
      createdAt,
    });
    const owner = items.find(({ role }) => role === 'owner');
    expect(owner?.email).toBe('owner@example.com');
    const users = new DynamoUsers(dynamo.client, TABLES.accounts);
    expect(await users.find(String(owner?.userId))).toMatchObject({ workspaceId, role: 'owner', sessionEpoch: 0 });
    const credential = await users.findCredential('owner@example.com');
    expect(credential).toMatchObject({ workspaceId, userId: owner?.userId });
    expect(await ports.hasher.verify(credential!.passwordHash, wanted.password)).toBe(true);
  });

  it('leaves neither key nor password behind in any item', async () => {
    const wanted = plan();
    await accounts.create(await planWorkspace(wanted, ports));
    const stored = JSON.stringify(await dynamo.items('accounts'));
    expect(stored).not.toContain(wanted.apiKey);
    expect(stored).not.toContain(wanted.password);
  });

  it('registration creates everything or nothing: an e-mail address in use, in any case, leaves no trace', async () => {
    const first = plan({ email: 'same@example.com' });
    await accounts.create(await planWorkspace(first, ports));
    const second = plan({ email: 'SAME@example.com' });
    await expect(accounts.create(await planWorkspace(second, ports))).rejects.toThrow(EmailTaken);
    expect(await accounts.exists(second.workspaceId)).toBe(false);
    expect(await keys.find(apiKeyId(second.apiKey) ?? '')).toBeNull();
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('cannot open with %d KRW', async (openingBalanceKrw) => {
    await expect(planWorkspace(plan({ openingBalanceKrw }), ports)).rejects.toThrow('whole amount');
  });
});

describe('the time of last use', () => {
  it('is remembered, and brings no deleted key back', async () => {
    const wanted = plan();
    await accounts.create(await planWorkspace(wanted, ports));
    const id = apiKeyId(wanted.apiKey) ?? '';
    await keys.recordUse(id, '2026-11-21T04:00:00.000Z');
    expect(await keys.find(id)).toMatchObject({ lastUsedAt: '2026-11-21T04:00:00.000Z' });
    await keys.recordUse('unknown', '2026-11-21T04:00:00.000Z');
    expect(await keys.find('unknown')).toBeNull();
  });
});
