/**
 * `npm run bench charges`: 200 charges of one account that all end at the same moment, settled through the service's own
 * adapters: how long until the last one is settled, how often they had to try, and whether the ledger adds up. First on
 * the embedded DynamoDB as it is, which answers in a few milliseconds, then with the time that one on AWS takes, in
 * which more of them meet.
 *
 *     npm run bench charges -- --charges 200 --latency-ms 20
 *
 * With the variables of an on-premises service (`STORES=external`, docs/on-premises.md) it measures that store instead.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Account, FREE_CALLS, type LedgerEntry } from '../functions/accounts/domain/account.ts';
import { DynamoAccounts } from '../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoLedger } from '../functions/adapters/accounts/dynamo-ledger.ts';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { accountKey } from '../functions/adapters/dynamodb/keys.ts';
import { DynamoSettlementLine } from '../functions/adapters/extraction/dynamo-settlement-line.ts';
import { DynamoSettlements } from '../functions/adapters/extraction/dynamo-settlements.ts';
import { DynamoIdempotency } from '../functions/adapters/shared/dynamo-idempotency.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../functions/adapters/shared/system-ports.ts';
import { CALL_PRICE_KRW } from '../functions/extraction/domain/pricing/price-call.ts';
import { type SettlePorts, settle } from '../functions/extraction/domain/settle.ts';
import { tables } from '../functions/shared/resources.ts';
import { openDynamoDatabase } from '../local/embedded/dynamodb/database.ts';
import { serveDynamoDb } from '../local/embedded/dynamodb/server.ts';
import type { KeyPair } from '../local/embedded/signature-v4.ts';
import { createTables } from '../local/embedded/tables.ts';
import { provisionTable } from '../local/external/provision.ts';
import { type ExternalStores, readSettings } from '../local/settings.ts';
import { chargedPage } from './charged-page.ts';

const KEY = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const TABLES = {
  accounts: 'accounts',
  extractions: 'extractions',
  idempotency: 'idempotency',
  usage: 'usage',
} as const;
/** Time limit of a function of the extract route. */
const DEADLINE_MS = 29_000;

const { values } = parseArgs({
  options: { charges: { type: 'string', default: '200' }, 'latency-ms': { type: 'string', default: '20' } },
});
const charges = Number(values.charges);

const { config, name, stop } = await store(readSettings(process.env).stores);
try {
  console.log(`${charges} charges at once; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  for (const latencyMs of [0, Number(values['latency-ms'])]) await measure(latencyMs);
} finally {
  await stop();
}

interface BenchedStore {
  readonly config: { readonly endpoint: string; readonly region: string; readonly credentials: KeyPair };
  readonly name: string;
  stop(): Promise<void>;
}

/** An external DynamoDB, or the embedded one in a new directory. */
async function store(external: ExternalStores | undefined): Promise<BenchedStore> {
  if (external !== undefined) {
    const { dynamodb: endpoint, region, ...credentials } = external;
    const config = { endpoint, region, credentials };
    const client = new DynamoDBClient(config);
    for (const id of Object.values(TABLES)) await provisionTable(client, id, tables[id]);
    return { config, name: `DynamoDB at ${endpoint}`, stop: async () => client.destroy() };
  }
  const directory = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
  const database = await openDynamoDatabase(directory);
  await createTables(database, Object.fromEntries(Object.values(TABLES).map((id) => [tables[id].environment, id])));
  const server = await serveDynamoDb(database, KEY);
  return {
    config: { endpoint: server.url, region: 'ap-northeast-2', credentials: KEY },
    name: 'embedded DynamoDB',
    async stop() {
      await server.stop();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function measure(latencyMs: number): Promise<void> {
  const client = newDynamoClient(config);
  client.middlewareStack.add(
    (next) => async (args) => {
      await sleep(latencyMs / 2);
      const result = await next(args);
      await sleep(latencyMs / 2);
      return result;
    },
    { step: 'finalizeRequest' },
  );
  const keys = new DynamoIdempotency(client, TABLES.idempotency);
  const settlements = new DynamoSettlements(client, TABLES, keys);
  const line = new DynamoSettlementLine(client, TABLES, keys, jitteredBackoff);
  const accounts = new DynamoAccounts(client, TABLES.accounts);
  const account = await openAccount(client);

  const begun = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: charges }, async () => {
      let attempts = 0;
      const counted: SettlePorts['settlements'] = {
        settle: (settlement) => {
          attempts += 1;
          return settlements.settle(settlement);
        },
      };
      const ports = {
        accounts,
        settlements: counted,
        line,
        clock: systemClock,
        ids: ulidIds,
        backoff: jitteredBackoff,
      };
      const deadlineMs = systemClock.now() + DEADLINE_MS;
      const read = { page: chargedPage, seen: account, lease: null, deadlineMs, keyId: null, uploadKey: null };
      return settle({ extractionId: ulidIds.next('ext'), ...read }, ports).then(
        () => ({ attempts, seconds: (performance.now() - begun) / 1000, error: null }),
        (error: Error) => ({ attempts, seconds: (performance.now() - begun) / 1000, error }),
      );
    }),
  );
  const settled = outcomes.filter(({ error }) => error === null);
  const attempts = outcomes.map((outcome) => outcome.attempts);
  const seconds = Math.max(...outcomes.map((outcome) => outcome.seconds));
  console.log(`${latencyMs === 0 ? `${name} as it is` : `with ${latencyMs} ms a round trip`}`);
  console.log(`  settled              ${settled.length} of ${charges}, the last after ${seconds.toFixed(1)} s`);
  console.log(`  attempts a charge    mean ${mean(attempts).toFixed(1)}, most ${Math.max(...attempts)}`);
  console.log(`  conflicts retried    ${attempts.reduce((sum, n) => sum + n - 1, 0)}`);
  console.log(`  ${await audit(account, settled.length, new DynamoLedger(client, TABLES.accounts), accounts)}\n`);
  for (const { error } of outcomes) if (error) console.log(`  not settled: ${error.message}`);
  if (settled.length !== charges) process.exitCode = 1;
  client.destroy();
}

async function openAccount(client: ReturnType<typeof newDynamoClient>): Promise<Account> {
  const account: Account = {
    workspaceId: `ws_${randomUUID()}`,
    balanceKrw: charges * CALL_PRICE_KRW,
    freeCallsUsed: FREE_CALLS,
    lowBalanceThresholdKrw: null,
    lowBalanceNotified: false,
    updatedAt: null,
    version: 1,
  };
  const Item = { ...accountKey(account.workspaceId), ...account };
  await client.send(new PutCommand({ TableName: TABLES.accounts, Item }));
  return account;
}

/** Adds the ledger up, line by line. @throws Error where it does not agree with the balance. */
async function audit(
  opened: Account,
  settled: number,
  ledger: DynamoLedger,
  accounts: DynamoAccounts,
): Promise<string> {
  const { workspaceId } = opened;
  const entries: LedgerEntry[] = [];
  for (let before: number | null = null; ; before = entries.at(-1)?.sequence ?? null) {
    const page: LedgerEntry[] = await ledger.entries(workspaceId, 500, before);
    entries.push(...page);
    if (page.length === 0) break;
  }
  let balanceKrw = opened.balanceKrw;
  for (const entry of entries.toReversed()) {
    balanceKrw += entry.amountKrw;
    if (entry.balanceKrw !== balanceKrw)
      throw new Error(`Entry ${entry.sequence} says ${entry.balanceKrw} KRW, not ${balanceKrw}.`);
  }
  const account = await accounts.find(workspaceId);
  if (
    account?.balanceKrw !== balanceKrw ||
    entries.length !== settled ||
    balanceKrw !== opened.balanceKrw - settled * CALL_PRICE_KRW
  )
    throw new Error(
      `The balance is ${account?.balanceKrw} KRW after ${entries.length} entries for ${settled} charges.`,
    );
  return `ledger               ${entries.length} entries, exact: ${opened.balanceKrw} − ${settled} × ${CALL_PRICE_KRW} = ${balanceKrw} KRW`;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
}
