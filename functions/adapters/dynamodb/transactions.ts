import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { Contention } from '../../shared/contention.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import { jitteredBackoff } from '../shared/system-ports.ts';

/** One write of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The writes of a transaction by the names of what they write. */
export type Writes<Part extends string> = readonly (readonly [Part, TransactItem])[];

/** Why nothing of a transaction was written. */
export interface Cancellation<Part extends string> {
  /** True when the condition of this part did not hold. */
  failed(part: Part): boolean;
  reason(part: Part): CancellationReason | undefined;
  /** True when nothing is wrong with the transaction but its moment: another one was at the same items. */
  readonly isTransient: boolean;
}

const CONDITION_FAILED = 'ConditionalCheckFailed';
const TRANSIENT: readonly string[] = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** Collisions with other writers of the same items are over within a few tries. */
const MAX_ATTEMPTS = 8;

/** As `transact`, and again while nothing is wrong but the moment. @throws Contention */
export async function transactOrRetry<Part extends string>(
  client: DynamoDBDocumentClient,
  writes: Writes<Part>,
  backoff: Backoff = jitteredBackoff,
): Promise<Cancellation<Part> | null> {
  for (let attempt = 1; ; attempt++) {
    const cancelled = await transact(client, writes);
    if (cancelled === null || writes.some(([part]) => cancelled.failed(part))) return cancelled;
    if (attempt === MAX_ATTEMPTS) throw new Contention();
    await backoff.wait(attempt);
  }
}

/** @returns null when everything is written, otherwise why nothing is. */
export async function transact<Part extends string>(
  client: DynamoDBDocumentClient,
  writes: Writes<Part>,
): Promise<Cancellation<Part> | null> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems: writes.map(([, write]) => write) }));
    return null;
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    const byPart = new Map(writes.map(([part], index) => [part, reasons[index]]));
    const isTransient = reasons.some(({ Code }) => TRANSIENT.includes(Code ?? ''));
    if (!isTransient && !reasons.some(({ Code }) => Code === CONDITION_FAILED)) throw error;
    return {
      failed: (part) => byPart.get(part)?.Code === CONDITION_FAILED,
      reason: (part) => byPart.get(part),
      isTransient,
    };
  }
}
