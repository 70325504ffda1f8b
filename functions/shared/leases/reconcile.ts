import type { Clock } from '../ports/clock.ts';

/** 'send': a message, since none was sent for certain; 'requeue': a further message, counted; 'fail': gives the work up. */
export type Decision = 'wait' | 'send' | 'requeue' | 'fail';

/** Work that may not have ended, in groups that are listed until all of their work is known to have ended. */
export interface Reconcilable<Group, Work> {
  open(): AsyncIterable<Group>;
  /** The group's work that has not ended; empty when all has, or the group is gone. */
  unfinished(group: Group): Promise<readonly Work[]>;
  decide(work: Work, nowMs: number): Decision;
  /** Counts a further message of the work. @returns false when the work has changed since it was read. */
  requeue(work: Work, nowMs: number): Promise<boolean>;
  /** @returns false when the work has changed since it was read. */
  fail(work: Work, nowMs: number): Promise<boolean>;
  send(works: readonly Work[], group: Group): Promise<void>;
  /** Takes the group off the list. */
  close(group: Group): Promise<void>;
}

export interface Reconciled {
  readonly requeued: number;
  readonly failed: number;
  readonly closed: number;
}

/**
 * Finds what crashes and lost messages have left behind, from the records alone: the queue cannot be asked. Safe at any
 * time, and in any number of runs at once.
 */
export async function reconcile<Group, Work>(
  source: Reconcilable<Group, Work>,
  { clock }: { readonly clock: Clock },
): Promise<Reconciled> {
  const totals = { requeued: 0, failed: 0, closed: 0 };
  for await (const group of source.open()) {
    const unfinished = await source.unfinished(group);
    if (unfinished.length === 0) {
      await source.close(group);
      totals.closed += 1;
      continue;
    }
    const nowMs = clock.now();
    const messages: Work[] = [];
    for (const work of unfinished) {
      const decision = source.decide(work, nowMs);
      if (decision === 'fail') totals.failed += (await source.fail(work, nowMs)) ? 1 : 0;
      else if (decision === 'send' || (decision === 'requeue' && (await source.requeue(work, nowMs))))
        messages.push(work);
    }
    // Sent after they are counted: a crash in between costs one more wait, never a flood of messages.
    if (messages.length > 0) await source.send(messages, group);
    totals.requeued += messages.length;
  }
  return totals;
}
