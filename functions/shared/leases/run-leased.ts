import { LeaseLost, type Verdict } from './lease.ts';

export type Acquisition<Work> =
  | { readonly kind: 'acquired'; readonly work: Work }
  /** Another run holds the lease, as far as is known. */
  | { readonly kind: 'busy' }
  /** The work has ended, or is gone. */
  | { readonly kind: 'ended' };

export type RunResult<Ending> =
  /** The end is still to be recorded. */
  | { readonly kind: 'ended'; readonly ending: Ending }
  /** The run has recorded its end itself, in a transaction that checked the fencing token. */
  | { readonly kind: 'recorded' }
  /** Nothing has started, for want of something that a later delivery may find. */
  | { readonly kind: 'not_begun' };

/** One delivery's run of a piece of leased work. */
export interface LeasedRun<Work, Ending> {
  /** Takes the lease, atomically. */
  acquire(): Promise<Acquisition<Work>>;
  /** @throws LeaseLost; any other error counts as a passing one unless `endingOf` knows an ending for it. */
  run(work: Work): Promise<RunResult<Ending>>;
  /** The ending for an error that no other run would get over; null for a passing one. */
  endingOf(error: unknown): Ending | null;
  /** Records the end, on the condition that the lease is still held; does nothing when it is lost. */
  end(ending: Ending): Promise<unknown>;
  /** Gives the lease back; does nothing when it is lost. */
  release(): Promise<unknown>;
}

/**
 * Runs leased work for one delivery of its message. Once the run has returned, its lease is never released: if its end cannot be
 * recorded, the lease expires, and the next worker that acquires the work decides.
 * @throws an error that another delivery may not meet; the work is then free for it.
 */
export async function runLeased<Work, Ending>(leased: LeasedRun<Work, Ending>): Promise<Verdict> {
  const acquisition = await leased.acquire();
  if (acquisition.kind !== 'acquired') return acquisition.kind === 'busy' ? 'retry' : 'ack';
  const result = await resultOf(leased, acquisition.work);
  if (result.kind === 'not_begun') {
    await leased.release();
    return 'retry';
  }
  if (result.kind === 'ended') await leased.end(result.ending);
  return 'ack';
}

async function resultOf<Work, Ending>(leased: LeasedRun<Work, Ending>, work: Work): Promise<RunResult<Ending>> {
  try {
    return await leased.run(work);
  } catch (error) {
    if (error instanceof LeaseLost) return { kind: 'recorded' };
    const ending = leased.endingOf(error);
    if (ending !== null) return { kind: 'ended', ending };
    // When this fails too, the lease expires by itself; the first error is the one to report.
    await leased.release().catch(() => undefined);
    throw error;
  }
}
