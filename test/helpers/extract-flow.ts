import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Account, LedgerEntry } from '../../functions/accounts/domain/account.ts';
import { DynamoAccounts } from '../../functions/adapters/accounts/dynamo-accounts.ts';
import { accountKey, LINED_EXTRACTIONS, LISTED_JOBS } from '../../functions/adapters/dynamodb/keys.ts';
import { DynamoExtractions } from '../../functions/adapters/extraction/dynamo-extractions.ts';
import { DynamoSettlementLine } from '../../functions/adapters/extraction/dynamo-settlement-line.ts';
import { DynamoSettlements } from '../../functions/adapters/extraction/dynamo-settlements.ts';
import { LimitedFreePages } from '../../functions/adapters/extraction/limited-free-pages.ts';
import { OnnxTableNetwork } from '../../functions/adapters/readers/onnx-table-network.ts';
import { DynamoIdempotency } from '../../functions/adapters/shared/dynamo-idempotency.ts';
import { DynamoLimits } from '../../functions/adapters/shared/dynamo-limits.ts';
import { ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import type { ExtractCommand, ExtractPorts } from '../../functions/extraction/domain/extract.ts';
import { type Judgement, judgeInProcess, type PageJudge } from '../../functions/extraction/domain/page-judge.ts';
import type { PageReading } from '../../functions/extraction/domain/reading/table-reader.ts';
import { bodyHash } from '../../functions/shared/idempotency/body-hash.ts';
import { FREE_PAGES_PER_DAY } from '../../functions/shared/limits/base-limits.ts';
import { memoizeAsync } from '../../functions/shared/memoize-async.ts';
import type { TestClock } from './clock.ts';
import { drugMaster } from './drug-table.ts';
import { type EmbeddedDynamo, TABLES } from './embedded-dynamo.ts';
import { instantBackoff } from './fakes.ts';
import { pageReading, readTable } from './page-reading.ts';

export const PATH = '/api/v1/edi-extract-lite/extract';
export const LEASE_SECONDS = 34;

const master = drugMaster({
  '642100010': ['가나정10mg(가나성분)_(10mg/1정)', 112],
  '642100020': ['다라캡슐(다라성분)_(1캡슐)', 250],
});

/** A page with two drug lines, as a perfect reader gives it. */
export const drugPage = pageReading([
  readTable([
    ['약품코드', '약품명', '투여량', '투여일수', '총투여량', '단가', '금액'],
    ['642100010', '가나정10mg', '1', '30', '30', '112', '3,360'],
    ['642100020', '다라캡슐', '2', '7', '14', '250', '3,500'],
  ]),
]);

/** A page without any table. */
export const plainPage = pageReading([], ['안녕하세요']);

/** The flow over the embedded DynamoDB; only the picture is not read, but taken as `page`. */
export function extractPorts(dynamo: EmbeddedDynamo, clock: TestClock, page: PageReading = drugPage): ExtractPorts {
  const { client } = dynamo;
  const idempotency = new DynamoIdempotency(client, TABLES.idempotency);
  return {
    accounts: new DynamoAccounts(client, TABLES.accounts),
    idempotency,
    settlements: new DynamoSettlements(client, TABLES, idempotency),
    line: new DynamoSettlementLine(client, TABLES, idempotency, instantBackoff),
    extractions: extractionsOf(dynamo, clock),
    freePages: new LimitedFreePages(FREE_PAGES_PER_DAY, {
      store: new DynamoLimits(client, TABLES.limits),
      clock,
      storeFailed: (error) => Promise.reject(error),
    }),
    images: { fetch: async () => ({ bytes: new Uint8Array([1]), uploadKey: null }) },
    uploads: { put: async () => undefined, get: async () => new Uint8Array([1]), remove: async () => undefined },
    pages: judgeOf(async () => page),
    clock,
    ids: ulidIds,
    backoff: instantBackoff,
  };
}

/** Of the pages below and of those of tests, which are about money: hundreds of calls get the same page. */
const judgements = new WeakMap<PageReading, Map<string, Promise<Judgement>>>();

const tableNetwork = memoizeAsync(() => OnnxTableNetwork.load());

/** Judges the result of `read` for any picture; the same page once per day and template. */
export function judgeOf(read: () => Promise<PageReading>): PageJudge {
  return {
    async judge(image, template, options) {
      const page = await read();
      const known = judgements.get(page) ?? new Map<string, Promise<Judgement>>();
      judgements.set(page, known);
      const variant = JSON.stringify([template.id, options.today, options.explained]);
      const reader = { read: async () => page };
      const judgement =
        known.get(variant) ??
        judgeInProcess({
          readerFor: async () => reader,
          source: { current: async () => master },
          ownLists: { of: async () => null },
          tableNetwork,
        }).judge(image, template, options);
      known.set(variant, judgement);
      return judgement;
    },
  };
}

export function extractionsOf(dynamo: EmbeddedDynamo, clock: TestClock): DynamoExtractions {
  return new DynamoExtractions(dynamo.client, TABLES.extractions, clock);
}

/** A workspace that has nothing but its account. */
export async function openAccount(
  dynamo: EmbeddedDynamo,
  funds: Pick<Account, 'balanceKrw' | 'freeCallsUsed'> & Partial<Account>,
): Promise<string> {
  const workspaceId = `ws_${randomBytes(8).toString('hex')}`;
  const account: Account = {
    workspaceId,
    lowBalanceThresholdKrw: null,
    lowBalanceNotified: false,
    updatedAt: null,
    version: 1,
    ...funds,
  };
  await dynamo.client.send(
    new PutCommand({ TableName: TABLES.accounts, Item: { ...accountKey(workspaceId), ...account } }),
  );
  return workspaceId;
}

/** Whether an item is there for lists alone. */
export function isListed(sk: unknown): boolean {
  return [LINED_EXTRACTIONS, LISTED_JOBS].some((prefix) => String(sk).startsWith(prefix));
}

/** Everything that a workspace's calls have left behind, but for extractions that were never settled and what lists show of the others. */
export async function traces(dynamo: EmbeddedDynamo, workspaceId: string) {
  const prefix = `WORKSPACE#${workspaceId}`;
  const [items, stored] = await Promise.all([dynamo.items('accounts', prefix), dynamo.items('extractions', prefix)]);
  const extractions = stored.filter(
    ({ pk, sk, status }) => (pk === prefix && !isListed(sk)) || (sk === 'STATE' && status === 'settled'),
  );
  const account = items.find(({ sk }) => sk === 'ACCOUNT') as unknown as Account;
  const entries = items.filter(({ sk }) => String(sk).startsWith('ENTRY#')) as unknown as LedgerEntry[];
  return { account, entries, extractions };
}

export function extractCommand(
  workspaceId: string,
  key: string | null,
  clock: TestClock,
  body: { imageUrl?: string; image?: string; templateId?: string } = { imageUrl: 'https://example.com/page.png' },
): ExtractCommand {
  return {
    workspaceId,
    ...body,
    idempotency: key === null ? null : { path: PATH, key, bodyHash: bodyHash(body), leaseSeconds: LEASE_SECONDS },
    deadlineMs: clock.now() + 29_000,
  };
}
