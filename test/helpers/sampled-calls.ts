import { createHash } from 'node:crypto';
import { expect } from 'vitest';

/** Of a walk over port calls, as many meet their fault in one run of the suite. */
const AT_MOST = 4;

/**
 * Places, from 0, of the port calls at which a walk lets its fault happen: the last call, where most is already done, and others by the
 * seed of this run, `FAULT_SEED`, and the test's name. `FAULTS=all` walks over every call.
 * @param from the first call that may meet one
 */
export function sampledCalls(length: number, from = 0): readonly number[] {
  const all = Array.from({ length: length - from }, (_, index) => from + index);
  if (all.length === 0) throw new Error('No call is left that could meet a fault: the walk would show nothing.');
  const { FAULTS, FAULT_SEED = '' } = process.env;
  if (FAULTS === 'all' || all.length <= AT_MOST) return all;
  // Shown where the test fails.
  console.log(`FAULT_SEED=${FAULT_SEED} chooses the calls that meet a fault; FAULTS=all lets every call meet it.`);
  const { currentTestName } = expect.getState();
  const rank = (at: number) => createHash('sha256').update(`${FAULT_SEED} ${currentTestName} ${at}`).digest('hex');
  const chosen = all.slice(0, -1).toSorted((a, b) => rank(a).localeCompare(rank(b)));
  return [...chosen.slice(0, AT_MOST - 1), length - 1].toSorted((a, b) => a - b);
}
