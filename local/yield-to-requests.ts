import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** A request takes several turns of the event loop: longer ones are seen by its client. */
const BUSY_TURN_MS = 10;
/** Work that was accepted makes progress on a machine that is always busy. */
const MAX_WAIT_MS = 50;

/** Waits while the event loop is busy, but not for long: requests go before work in the background. */
export async function yieldToRequests(): Promise<void> {
  const beganAt = performance.now();
  for (;;) {
    const turnBeganAt = performance.now();
    await nextTurn();
    const endedAt = performance.now();
    const turnMs = endedAt - turnBeganAt;
    if (turnMs < BUSY_TURN_MS || endedAt - beganAt + turnMs > MAX_WAIT_MS) return;
    await sleep(turnMs);
  }
}
