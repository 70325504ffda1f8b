import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type Hold,
  type HoldEnd,
  type HoldEndOutcome,
  type HoldOpening,
  type Holds,
  MAX_REPEATS,
  type PaidMark,
} from '../../accounts/domain/hold.ts';
import { ABSENT, and, atLeast, equal, or, PRESENT } from '../dynamodb/expressions.ts';
import { accountKey, epochSeconds, HOLDS, holdKey, paidKey, workspacePartition } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transact, type Writes } from '../dynamodb/transactions.ts';
import { usagePart } from './dynamo-usage.ts';
import { accountWrites, entryPart } from './posting-writes.ts';

/** Time for which paid work can be repeated: longer than the retries of any client, queue or reconciler. */
const PAID_SECONDS = 2 * 24 * 60 * 60;

export interface HoldTables {
  readonly accounts: string;
  readonly usage: string;
}

export type HoldPart = 'account' | 'notice' | 'entry' | 'hold' | 'paid' | 'usage';

/** Holds, in the partition of their account. Those of dead work have no time to live: the account knows their amount. */
export class DynamoHolds implements Holds {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: HoldTables;
  readonly #accounts: DynamoTable;

  constructor(client: DynamoDBDocumentClient, tables: HoldTables) {
    this.#client = client;
    this.#tables = tables;
    this.#accounts = new DynamoTable(client, tables.accounts);
  }

  async open({ before, after, hold }: HoldOpening): ReturnType<Holds['open']> {
    const { workspaceId, holdId, workId } = hold;
    const { heldKrw, version, budgets } = after;
    const account = this.#accounts.updatePart(accountKey(workspaceId), {
      set: { heldKrw, version, ...(budgets !== before.budgets && { budgets }) },
      condition: equal('version', before.version),
    });
    const item = { ...holdKey(workspaceId, holdId), ...hold, ...READ_BY_EARLIER_VERSIONS, fence: holdId };
    const isDue = or(ABSENT, atLeast('repeats', MAX_REPEATS));
    const cancelled = await transact<HoldPart>(this.#client, [
      ['account', account],
      ['hold', this.#accounts.putPart(item)],
      ...(workId === null ? [] : [['paid', this.#accounts.checkPart(paidKey(workspaceId, workId), isDue)] as const]),
    ]);
    if (cancelled === null) return 'open';
    const found = cancelled.failed('paid') && cancelled.reason('paid')?.Item;
    return found ? { paid: unmarshall(found) as unknown as PaidMark } : 'conflict';
  }

  async end(end: HoldEnd): Promise<HoldEndOutcome> {
    const cancelled = await transact(this.#client, holdEndWrites(this.#client, this.#tables, end));
    if (cancelled === null) return 'ended';
    return cancelled.failed('hold') ? 'lost' : 'conflict';
  }

  repeat({ workspaceId, workId, holdId, repeats }: PaidMark): Promise<boolean> {
    return this.#accounts.update(paidKey(workspaceId, workId), {
      set: { repeats: repeats + 1 },
      condition: and(equal('holdId', holdId), equal('repeats', repeats)),
    });
  }

  async openHolds(workspaceId: string): Promise<readonly Hold[]> {
    const holds: Hold[] = [];
    const query = { partition: workspacePartition(workspaceId), prefix: HOLDS, filter: equal('isPaid', false) };
    for await (const { pk, sk, ...hold } of this.#accounts.query(query)) holds.push(hold as unknown as Hold);
    return holds;
  }
}

/** Version 1.2 kept marks of paid work among the holds. */
const READ_BY_EARLIER_VERSIONS = { isPaid: false, isRepeatable: false, repeats: 0 };

/** The part of a transaction that ends a hold and charges its price. */
export function holdEndWrites(
  client: DynamoDBDocumentClient,
  tables: HoldTables,
  { hold, entry, usage, mark, nowMs, ...change }: HoldEnd,
): Writes<HoldPart> {
  const accounts = new DynamoTable(client, tables.accounts);
  const paid = mark && { ...mark, expiresAt: epochSeconds(nowMs) + PAID_SECONDS };
  return [
    ...accountWrites(accounts, change),
    ...(entry === null ? [] : [['entry', entryPart(accounts, entry)] as const]),
    ['hold', accounts.deletePart(holdKey(hold.workspaceId, hold.holdId), PRESENT)],
    ...(paid === null
      ? []
      : [
          ['paid', accounts.updatePart(paidKey(hold.workspaceId, paid.workId), { orCreate: true, set: paid })] as const,
        ]),
    ...(usage === null ? [] : [['usage', usagePart(new DynamoTable(client, tables.usage), usage)] as const]),
  ];
}
