/** Asks for a balance again and again, in a thread that nothing else keeps busy, and reports the times when a message ends it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Measured {
  readonly url: string;
  readonly key: string;
}

/** Milliseconds of each answer, and the number of failures. */
export interface Answers {
  readonly tookMs: readonly number[];
  readonly failed: number;
}

const PAUSE_MS = 25;

const { url, key } = workerData as Measured;
let isOver = false;
parentPort!.once('message', () => {
  isOver = true;
});
const tookMs: number[] = [];
let failed = 0;
while (!isOver) {
  const beganAt = performance.now();
  const status = await fetch(`${url}/api/v1/balance`, { headers: { 'x-api-key': key } })
    .then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    })
    .catch(() => 0);
  tookMs.push(performance.now() - beganAt);
  if (status !== 200) failed += 1;
  await sleep(PAUSE_MS);
}
parentPort!.postMessage({ tookMs, failed } satisfies Answers);
