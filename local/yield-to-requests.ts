import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Part of the time since the last look in which the event loop had something to do. */
const BUSY = 0.8;
const LOOK_MS = 15;
/** Work that was accepted makes progress on a machine that is always busy. */
const MAX_WAIT_MS = 400;

/** Requests that the gateway is working on. */
export type CountRequests = () => number;

/**
 * Waits while the event loop is busy and requests are under way, but not for long: requests go before work in the background. A request
 * that waits for something else, such as a stream, keeps the loop idle and holds nothing up.
 * @returns whether the loop is still busy with them: then little should be started.
 */
export async function yieldToRequests(requests: CountRequests): Promise<boolean> {
  const beganAt = performance.now();
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  while (requests() > 0 && performance.now() - beganAt < MAX_WAIT_MS) {
    await sleep(LOOK_MS);
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, last).utilization < BUSY) return false;
    last = now;
  }
  return requests() > 0;
}
