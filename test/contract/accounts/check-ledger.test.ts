import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditEntry, SYSTEM_ORIGIN } from '../../../functions/accounts/domain/audit.ts';
import { checkLedgers } from '../../../functions/accounts/domain/check-ledger.ts';
import { post } from '../../../functions/accounts/domain/posting.ts';
import { changedAccounts } from '../../../functions/adapters/accounts/changed-accounts.ts';
import { DynamoAccounts } from '../../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoLedger } from '../../../functions/adapters/accounts/dynamo-ledger.ts';
import { accountKey, entryKey } from '../../../functions/adapters/dynamodb/keys.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { extract } from '../../../functions/extraction/domain/extract.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { extractCommand, extractPorts, openAccount } from '../../helpers/extract-flow.ts';

const clock = testClock();
let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A workspace whose ledger has a top-up and three charges. */
async function chargedWorkspace(): Promise<string> {
  const workspaceId = await openAccount(dynamo, { balanceKrw: 0, freeCallsUsed: 10 });
  const accounts = new DynamoAccounts(dynamo.client, TABLES.accounts);
  const payment = { amountKrw: 1_000, kind: 'top_up', reference: `payment of ${workspaceId}` } as const;
  const change = post((await accounts.find(workspaceId))!, payment, clock.now(), ulidIds);
  const act = { workspaceId, action: 'balance.topped_up', target: null } as const;
  const audit = auditEntry(act, SYSTEM_ORIGIN, { clock, ids: ulidIds });
  await new DynamoLedger(dynamo.client, TABLES.accounts).topUp(change, audit);
  for (let i = 0; i < 3; i++) await extract(extractCommand(workspaceId, null, clock), extractPorts(dynamo, clock));
  return workspaceId;
}

const change = (key: object, attribute: string, value: number) =>
  dynamo.client.send(
    new UpdateCommand({
      ...{ TableName: TABLES.accounts, Key: key, UpdateExpression: 'SET #a = :v' },
      ...{ ExpressionAttributeNames: { '#a': attribute }, ExpressionAttributeValues: { ':v': value } },
    }),
  );

async function mismatches(since = new Date(clock.now() - 86_400_000).toISOString()) {
  const found = new Map<string, string>();
  const checked = await checkLedgers(since, {
    accounts: new DynamoAccounts(dynamo.client, TABLES.accounts),
    ledger: new DynamoLedger(dynamo.client, TABLES.accounts),
    changedSince: (from) => changedAccounts(dynamo.client, TABLES.accounts, from),
    onMismatch: async (workspaceId, what) => void found.set(workspaceId, what),
  });
  return { checked, found };
}

it('the ledger check finds a changed balance and a changed entry, names both, and passes sound ledgers', async () => {
  const [sound, ofBalance, ofEntry] = [await chargedWorkspace(), await chargedWorkspace(), await chargedWorkspace()];
  expect((await mismatches()).found).toEqual(new Map());

  await change(accountKey(ofBalance), 'balanceKrw', 900);
  const { version } = (await new DynamoAccounts(dynamo.client, TABLES.accounts).find(ofEntry))!;
  await change(entryKey(ofEntry, version - 1), 'amountKrw', -100);
  const { checked, found } = await mismatches();
  expect(checked).toBeGreaterThanOrEqual(3);
  expect(found.get(ofBalance)).toMatch(/^the balance is 900 KRW, and 400 after its last entry/);
  expect(found.get(ofEntry)).toMatch(new RegExp(`^entry ${version - 1} of -100 KRW leads from 800`));
  expect(found.has(sound)).toBe(false);
});

it('the ledger check reads no ledger whose balance has not changed since then', async () => {
  await chargedWorkspace();
  expect((await mismatches(new Date(clock.now() + 1).toISOString())).checked).toBe(0);
});
