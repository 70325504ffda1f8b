import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Hold, HoldEnd, HoldEndOutcome, HoldOpening, Holds } from '../../accounts/domain/hold.ts';
import { ABSENT, equal } from '../dynamodb/expressions.ts';
import { accountKey, epochSeconds, HOLDS, holdKey, workspacePartition } from '../dynamodb/keys.ts';
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

export type HoldPart = 'account' | 'notice' | 'entry' | 'hold' | 'usage';

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

  async open({ before, after, hold, replaced }: HoldOpening): ReturnType<Holds['open']> {
    const { workspaceId, holdId } = hold;
    const { heldKrw, version } = after;
    const cancelled = await transact(this.#client, [
      [
        'account',
        this.#accounts.updatePart(accountKey(workspaceId), {
          set: { heldKrw, version },
          condition: equal('version', before.version),
        }),
      ],
      [
        'hold',
        this.#accounts.putPart(
          { ...holdKey(workspaceId, holdId), ...hold },
          replaced === null ? ABSENT : equal('fence', replaced.fence),
        ),
      ],
    ]);
    if (cancelled === null) return 'open';
    const found = cancelled.failed('hold') && cancelled.reason('hold')?.Item;
    return found ? { found: holdOf(unmarshall(found)) } : 'conflict';
  }

  async end(end: HoldEnd): Promise<HoldEndOutcome> {
    const cancelled = await transact(this.#client, holdEndWrites(this.#client, this.#tables, end));
    if (cancelled === null) return 'ended';
    return cancelled.failed('hold') ? 'lost' : 'conflict';
  }

  repeat({ workspaceId, holdId, fence, repeats }: Hold): Promise<boolean> {
    return this.#accounts.update(holdKey(workspaceId, holdId), {
      set: { repeats: repeats + 1, fence: `${fence}+` },
      condition: equal('fence', fence),
    });
  }

  async openHolds(workspaceId: string): Promise<readonly Hold[]> {
    const holds: Hold[] = [];
    const query = { partition: workspacePartition(workspaceId), prefix: HOLDS, filter: equal('isPaid', false) };
    for await (const item of this.#accounts.query(query)) holds.push(holdOf(item));
    return holds;
  }
}

/** The part of a transaction that ends a hold and charges its price. */
export function holdEndWrites(
  client: DynamoDBDocumentClient,
  tables: HoldTables,
  { hold, entry, usage, isKept, nowMs, ...change }: HoldEnd,
): Writes<HoldPart> {
  const accounts = new DynamoTable(client, tables.accounts);
  const key = holdKey(hold.workspaceId, hold.holdId);
  const mine = equal('fence', hold.fence);
  // Paid work with a key may be asked for again, after a crash that lost its result.
  const paid = { amountKrw: 0, isPaid: true, expiresAt: epochSeconds(nowMs) + PAID_SECONDS };
  return [
    ...accountWrites(accounts, change),
    ...(entry === null ? [] : [['entry', entryPart(accounts, entry)] as const]),
    ['hold', isKept ? accounts.updatePart(key, { set: paid, condition: mine }) : accounts.deletePart(key, mine)],
    ...(usage === null ? [] : [['usage', usagePart(new DynamoTable(client, tables.usage), usage)] as const]),
  ];
}

function holdOf({ pk, sk, expiresAt, ...hold }: Record<string, unknown>): Hold {
  return hold as unknown as Hold;
}
