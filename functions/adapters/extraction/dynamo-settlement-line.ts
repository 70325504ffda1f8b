import {
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Crowd } from '../../accounts/domain/account.ts';
import type { JudgedPage } from '../../extraction/domain/extraction.ts';
import type {
  CombinedPosting,
  CombinedSettlement,
  PostingOutcome,
  SettlementLine,
  Turn,
  WaitingSettlement,
  WaitingState,
} from '../../extraction/domain/line/settlement-line.ts';
import { Contention } from '../../shared/contention.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import { usagePart } from '../accounts/dynamo-usage.ts';
import { accountWrites, entryPart } from '../accounts/posting-writes.ts';
import { ABSENT, atMost, equal, or } from '../dynamodb/expressions.ts';
import {
  accountKey,
  epochSeconds,
  linedExtractionKey,
  linedPageKey,
  linedStateKey,
  postingTurnKey,
  settlementLinePartition,
  WAITING,
  waitingKey,
} from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { type TransactItem, transact, type Writes } from '../dynamodb/transactions.ts';
import { completionIn, type DynamoIdempotency } from '../shared/dynamo-idempotency.ts';
import { imageCompletion } from './dynamo-image-leases.ts';
import type { SettlementTables } from './dynamo-settlements.ts';
import { DROPPED, IS_WAITING, linedEntry, linedPage, settledChange, waitingState } from './lined-extraction.ts';
import type { LinedState } from './lined-state.ts';

/** Time after which leftovers of a crash in the line expire. */
const LEFTOVER_SECONDS = 24 * 60 * 60;

/** A conflicting transaction, or throttling, is over before this number of attempts. */
const MAX_ATTEMPTS = 6;

/**
 * The line in the table of extractions. A settlement has three items: a small one that marks its place in the line, and the deciding
 * state and the page, both in a separate partition. Only the first is where all of a workspace's callers write.
 */
export class DynamoSettlementLine implements SettlementLine {
  readonly #client: DynamoDBDocumentClient;
  readonly #accounts: DynamoTable;
  readonly #extractions: DynamoTable;
  readonly #usage: DynamoTable;
  readonly #idempotency: DynamoIdempotency;
  readonly #backoff: Backoff;

  constructor(
    client: DynamoDBDocumentClient,
    tables: SettlementTables,
    idempotency: DynamoIdempotency,
    backoff: Backoff,
  ) {
    this.#client = client;
    this.#accounts = new DynamoTable(client, tables.accounts);
    this.#extractions = new DynamoTable(client, tables.extractions);
    this.#usage = new DynamoTable(client, tables.usage);
    this.#idempotency = idempotency;
    this.#backoff = backoff;
  }

  async join(waiting: WaitingSettlement, page: JudgedPage): Promise<void> {
    try {
      await this.#join(waiting, page);
    } catch (error) {
      if (isThrottled(error)) throw new Contention();
      throw error;
    }
  }

  async #join(waiting: WaitingSettlement, page: JudgedPage): Promise<void> {
    const { workspaceId, extractionId, joinedAtMs } = waiting;
    const expiresAt = epochSeconds(joinedAtMs) + LEFTOVER_SECONDS;
    const [state] = await Promise.all([
      // Never over another state: not even by a repetition of the SDK's that arrives late.
      this.#extractions.put(waitingState(waiting, expiresAt), or(ABSENT, IS_WAITING)),
      ...(waiting.keptDays === 0
        ? []
        : [this.#extractions.put(linedPage(waiting, page)), this.#extractions.put(linedEntry(waiting, page))]),
    ]);
    if (!state.written) throw new Error(`Extraction ${extractionId} was in the line before.`);
    // Last: from here on it can be posted.
    await this.#extractions.put({ ...waitingKey(workspaceId, extractionId), waiting, expiresAt });
  }

  async state({ workspaceId, extractionId }: WaitingSettlement): Promise<WaitingState> {
    const state = await this.#extractions.get<LinedState>(linedStateKey(workspaceId, extractionId));
    if (state?.status === 'waiting') return { kind: 'waiting' };
    if (state?.status !== 'settled') return { kind: 'gone' };
    const { cost, balanceKrw } = state;
    return { kind: 'settled', cost, balanceKrw };
  }

  async drop(some: readonly WaitingSettlement[]): Promise<void> {
    const pages = await Promise.all(
      some.map(async ({ workspaceId, extractionId }) => {
        const isDropped = await this.#dropState(workspaceId, extractionId);
        return isDropped
          ? [linedPageKey(workspaceId, extractionId), linedExtractionKey(workspaceId, extractionId)]
          : [];
      }),
    );
    try {
      await this.#extractions.deleteAll([...pages.flat(), ...some.map(placeOf)], this.#backoff);
    } catch (error) {
      // Leftovers in the line are removed by the next reader that finds them.
      if (!isThrottled(error)) throw error;
    }
  }

  /** A plain write that meets a transaction of the same item is refused: it waits for what that comes to. */
  async #dropState(workspaceId: string, extractionId: string): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#extractions.update(linedStateKey(workspaceId, extractionId), DROPPED);
      } catch (error) {
        if (!(error instanceof TransactionConflictException) || attempt === MAX_ATTEMPTS) throw error;
        await this.#backoff.wait(attempt);
      }
    }
  }

  async clear(some: readonly WaitingSettlement[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#extractions.deleteAll(some.map(placeOf), this.#backoff);
      } catch (error) {
        if (!isThrottled(error) || attempt === MAX_ATTEMPTS) throw error;
        await this.#backoff.wait(attempt);
      }
    }
  }

  async first(workspaceId: string, limit: number): Promise<WaitingSettlement[]> {
    const { items } = await this.#extractions.page<{ readonly waiting: WaitingSettlement }>({
      partition: settlementLinePartition(workspaceId),
      prefix: WAITING,
      limit,
    });
    return items.map(({ waiting }) => waiting);
  }

  async post(posting: CombinedPosting): Promise<PostingOutcome> {
    const { settlements, usage, nowMs } = posting;
    const writes: Writes<string> = [
      ...accountWrites(this.#accounts, posting),
      ...settlements.flatMap((settlement) => this.#writesOf(settlement, nowMs)),
      ...usage.map((event, index) => [`usage ${index}`, usagePart(this.#usage, event)] as const),
    ];
    const cancelled = await transact(this.#client, writes);
    if (cancelled === null) return { kind: 'posted' };
    const refused = settlements
      .map(({ waiting }) => waiting)
      .filter(
        ({ extractionId }) => cancelled.failed(`state ${extractionId}`) || cancelled.failed(`lease ${extractionId}`),
      );
    // Checked first: these will not be posted, regardless of the account.
    if (refused.length > 0) return { kind: 'refused', refused };
    if (cancelled.failed('account') || cancelled.isTransient) return { kind: 'conflict' };
    throw new Error(`The ledger of ${posting.before.workspaceId} has entries that its account has not come to.`);
  }

  async markCrowded(workspaceId: string, crowd: Crowd): Promise<void> {
    try {
      await this.#accounts.update(accountKey(workspaceId), { set: { crowd } });
    } catch (error) {
      // The next posting marks it, and by itself.
      if (!(error instanceof TransactionConflictException) && !isThrottled(error)) throw error;
    }
  }

  async takeTurn(turn: Turn, nowMs: number): Promise<boolean> {
    try {
      return await this.#takeTurn(turn, nowMs);
    } catch (error) {
      if (isThrottled(error)) return false;
      throw error;
    }
  }

  async #takeTurn({ workspaceId, holder, untilMs }: Turn, nowMs: number): Promise<boolean> {
    // Many callers ask often, and a late answer costs an attempt that fails.
    const turn = await this.#extractions.get<Turn>(postingTurnKey(workspaceId), { consistent: false });
    if (turn !== null && turn.untilMs > nowMs && turn.holder !== holder) return false;
    const { written } = await this.#extractions.put(
      { ...postingTurnKey(workspaceId), holder, untilMs, expiresAt: epochSeconds(nowMs) + LEFTOVER_SECONDS },
      or(ABSENT, atMost('untilMs', nowMs), equal('holder', holder)),
    );
    return written;
  }

  async endTurn({ workspaceId, holder }: Turn): Promise<void> {
    await this.#extractions.delete(postingTurnKey(workspaceId), equal('holder', holder));
  }

  #writesOf({ waiting, entry, completion, cost, balanceKrw }: CombinedSettlement, nowMs: number) {
    const { workspaceId, extractionId } = waiting;
    const state = linedStateKey(workspaceId, extractionId);
    const writes: (readonly [string, TransactItem])[] = [
      [`entry ${extractionId}`, entryPart(this.#accounts, entry)],
      [
        `state ${extractionId}`,
        this.#extractions.updatePart(state, settledChange({ cost, balanceKrw }, nowMs, waiting.keptDays)),
      ],
    ];
    if (completion) {
      const write =
        'lease' in completion
          ? imageCompletion(this.#extractions, completion.lease, completion.outcome)
          : completionIn(this.#idempotency, completion, nowMs);
      writes.push([`lease ${extractionId}`, write]);
    }
    return writes;
  }
}

/** True when a partition takes no more at the moment, and the SDK's repetitions were in vain. */
function isThrottled(error: unknown): boolean {
  return error instanceof ProvisionedThroughputExceededException || error instanceof ThrottlingException;
}

const placeOf = ({ workspaceId, extractionId }: WaitingSettlement) => waitingKey(workspaceId, extractionId);
