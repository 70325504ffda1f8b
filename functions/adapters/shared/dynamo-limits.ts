import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { KNOWN_SECONDS, type KnownAddresses } from '../../shared/limits/known-addresses.ts';
import type { LimitStore, RateLimit, Taken } from '../../shared/limits/rate-limit.ts';
import { ABSENT, above, and, atMost, missing, or, unequal } from '../dynamodb/expressions.ts';
import { epochSeconds, limitKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';

/** A bucket can turn from full to used, or back, between two writes of one request; hardly ever twice. */
const MAX_ATTEMPTS = 8;
/** Stands for the name of a limit in keys of addresses that are known. */
const KNOWN = 'known';
/** Clocks of functions differ by less. */
const CLOCK_TOLERANCE_MS = 5_000;
/** Buckets whose state this process remembers: it saves the write of a refusal, and the wrong one of two others. */
const MAX_REMEMBERED = 10_000;

/**
 * A bucket is an item with the time at which it is full; full ones expire. DynamoDB cannot take the maximum of two values, so that full
 * and used buckets need different writes: the last call's state decides which one to try first.
 */
export class DynamoLimits implements LimitStore, KnownAddresses {
  readonly #table: DynamoTable;
  readonly #fullAtMs = new BoundedMap<string, number>(MAX_REMEMBERED);

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async take(limit: RateLimit, subject: string, tokens: number, nowMs: number): Promise<Taken> {
    const key = limitKey(limit.name, subject);
    const latestMs = nowMs + limit.burst * limit.refillMs;
    const knownMs = this.#fullAtMs.get(key.pk) ?? 0;
    // Others can only have taken more since: a flood of refused requests costs no writes.
    if (knownMs > latestMs - tokens * limit.refillMs && knownMs <= latestMs + CLOCK_TOLERANCE_MS)
      return { taken: false, fullAtMs: knownMs };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const isUsed = (this.#fullAtMs.get(key.pk) ?? 0) > nowMs;
      const taken = await this.#tryTake(limit, key, { tokens, nowMs, isUsed });
      this.#fullAtMs.set(key.pk, taken.fullAtMs);
      if (taken.fullAtMs > latestMs + CLOCK_TOLERANCE_MS) {
        await this.#setBack(key, latestMs);
        return { taken: false, fullAtMs: latestMs };
      }
      // A refusal of a bucket that was taken for the other kind says nothing of its tokens.
      if (taken.taken || isUsed === taken.fullAtMs > nowMs) return taken;
    }
    throw new Error(`Too many takers of ${limit.name} at once.`);
  }

  /** Found and prolonged by one write: functions may not read this table, and both answers take the same time. */
  isKnown(account: string, address: string, nowMs: number): Promise<boolean> {
    return this.#table.update(limitKey(KNOWN, `${account} ${address}`), {
      set: { expiresAt: epochSeconds(nowMs) + KNOWN_SECONDS },
      condition: above('expiresAt', epochSeconds(nowMs)),
    });
  }

  async remember(account: string, address: string, nowMs: number): Promise<void> {
    const expiresAt = epochSeconds(nowMs) + KNOWN_SECONDS;
    await this.#table.update(limitKey(KNOWN, `${account} ${address}`), { orCreate: true, set: { expiresAt } });
  }

  /** When the bucket will be full again (epoch milliseconds), as of a moment ago; in the past for one that is full. */
  async fullAtMs({ name }: RateLimit, subject: string): Promise<number> {
    const item = await this.#table.get<{ fullAtMs: number }>(limitKey(name, subject), { consistent: false });
    return item?.fullAtMs ?? 0;
  }

  /** Forgets what this process knows of buckets: for tests, which fill them up in the table. */
  forget(): void {
    this.#fullAtMs.clear();
  }

  async #tryTake(
    { burst, refillMs }: RateLimit,
    key: Key,
    { tokens, nowMs, isUsed }: { tokens: number; nowMs: number; isUsed: boolean },
  ): Promise<Taken> {
    const costMs = tokens * refillMs;
    // The SDK repeats a write whose response was late or lost: what it has taken already is known by this id.
    const takenBy = randomUUID();
    const isFirst = or(missing('takenBy'), unequal('takenBy', takenBy));
    // Later than the bucket can be full.
    const expiresAt = epochSeconds(nowMs + burst * refillMs) + 1;
    const { written, item } = await this.#table.updateItem(
      key,
      isUsed
        ? {
            set: { expiresAt, takenBy },
            increment: { fullAtMs: costMs },
            condition: and(isFirst, above('fullAtMs', nowMs), atMost('fullAtMs', nowMs + burst * refillMs - costMs)),
          }
        : {
            orCreate: true,
            set: { fullAtMs: nowMs + costMs, expiresAt, takenBy },
            condition: or(ABSENT, atMost('fullAtMs', nowMs)),
          },
    );
    return { taken: written || item?.takenBy === takenBy, fullAtMs: (item?.fullAtMs as number | undefined) ?? 0 };
  }

  /** Empties a bucket that a clock of another day has filled: its refill takes no longer than that of any other. */
  async #setBack(key: Key, fullAtMs: number): Promise<void> {
    await this.#table.update(key, { set: { fullAtMs }, condition: above('fullAtMs', fullAtMs) });
    this.#fullAtMs.set(key.pk, fullAtMs);
  }
}
