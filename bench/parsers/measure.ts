/**
 * Asks for a balance again and again, in a thread that nothing else keeps busy, and reports the times when a message ends it. On Linux, the time in
 * which a thread was ready to run and had no processor is left out: a busy machine is not a fault of the service.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Measured {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}

/** Of each answer, and the number of failures. */
export interface Answers {
  /** On the clock. */
  readonly tookMs: readonly number[];
  /** Without the time in which this thread, or the one that serves all requests, waited for a processor. */
  readonly ownMs: readonly number[];
  readonly failed: number;
}

const PAUSE_MS = 25;

const { url, key, pid } = workerData as Measured;
let isOver = false;
parentPort!.once('message', () => {
  isOver = true;
});
const tookMs: number[] = [];
const ownMs: number[] = [];
let failed = 0;
while (!isOver) {
  const waitedBefore = waitedMs();
  const beganAt = performance.now();
  const status = await fetch(`${url}/api/v1/balance`, { headers: { 'x-api-key': key } })
    .then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    })
    .catch(() => 0);
  const took = performance.now() - beganAt;
  tookMs.push(took);
  ownMs.push(Math.max(0, took - (waitedMs() - waitedBefore)));
  if (status !== 200) failed += 1;
  await sleep(PAUSE_MS);
}
parentPort!.postMessage({ tookMs, ownMs, failed } satisfies Answers);

/** Of both threads, since they started; 0 on other systems. */
function waitedMs(): number {
  return waitedOf('/proc/thread-self/schedstat') + waitedOf(`/proc/${pid}/task/${pid}/schedstat`);
}

/** The second figure of the file, in nanoseconds. @see https://docs.kernel.org/scheduler/sched-stats.html */
function waitedOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
