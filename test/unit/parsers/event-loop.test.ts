import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PARSERS } from './parsers.ts';

/** On an idle machine. */
const MAX_BLOCK_MS = 200;
/** A machine is busy from time to time; a parser that blocks does so each time. */
const MAX_ATTEMPTS = 4;
/** The time that the work below takes on an idle machine. */
const REFERENCE_MS = 6;

/** How many times slower than an idle machine this one is now. */
function slowness(): number {
  const text = `[${'1,'.repeat(400_000)}1]`;
  const beganAt = performance.now();
  JSON.parse(text);
  return Math.max(1, (performance.now() - beganAt) / REFERENCE_MS);
}

/** The longest time for which the event loop did not turn. The input is made before: that is the caller's work. */
async function longestBlockMs(work: () => unknown): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await sleep(20);
  try {
    await work();
  } catch (error) {
    // A refusal is as good as a result; an input that cannot be fed is neither.
    if (error instanceof TypeError || error instanceof ReferenceError) throw error;
  }
  await sleep(20);
  delay.disable();
  return delay.max / 1e6;
}

const inputs = PARSERS.flatMap(({ name, worst = {} }) =>
  Object.entries(worst).map(([input, work]) => [name, input, work] as const),
);

describe('the worst input at bound size', () => {
  it.each(inputs)('leaves the event loop free: %s, %s', { timeout: 120_000 }, async (_name, _input, work) => {
    let shortest = Number.POSITIVE_INFINITY;
    let allowed = MAX_BLOCK_MS;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && shortest > allowed; attempt++) {
      shortest = Math.min(shortest, await longestBlockMs(work));
      allowed = Math.max(allowed, MAX_BLOCK_MS * slowness());
    }
    expect(shortest).toBeLessThanOrEqual(allowed);
  });
});

it('the measure notices a parser that blocks', async () => {
  const block = await longestBlockMs(() => {
    const until = performance.now() + 400;
    while (performance.now() < until);
  });
  expect(block).toBeGreaterThan(300);
});
