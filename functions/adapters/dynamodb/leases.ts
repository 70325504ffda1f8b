import { and, atMost, type Change, type Condition, equal, or } from './expressions.ts';

/** The attribute of the fencing token: of all runs that ever held a lease, only the present holder may write. */
export const FENCE = 'owner';

/** Values of `status`: work that waits for a run, and work that a run holds a lease on until `leaseUntilMs`. */
export interface LeaseStates {
  readonly waiting: string;
  readonly leased: string;
}

/** The conditions and changes that leased work of any kind has in common. */
export function leases({ waiting, leased }: LeaseStates) {
  const held = (fence: string): Condition => and(equal('status', leased), equal(FENCE, fence));
  return {
    /** Holds for the run that has the lease. */
    held,
    /** Holds while no run has the lease. */
    free: (nowMs: number): Condition =>
      or(equal('status', waiting), and(equal('status', leased), atMost('leaseUntilMs', nowMs))),
    /** Takes the lease where the work is `available`, or is held already: the SDK repeats a write whose response was lost. */
    acquire: (fence: string, leaseUntilMs: number, available: Condition): Change => ({
      set: { status: leased, [FENCE]: fence, leaseUntilMs },
      condition: or(available, held(fence)),
    }),
    /** Lets the work wait again; nothing of it has been done. */
    release: (fence: string): Change => ({
      set: { status: waiting, leaseUntilMs: 0 },
      remove: [FENCE],
      condition: held(fence),
    }),
  };
}
