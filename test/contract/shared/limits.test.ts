import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoLimits } from '../../../functions/adapters/shared/dynamo-limits.ts';
import type { Problem } from '../../../functions/shared/http/problem.ts';
import { requireTokens } from '../../../functions/shared/limits/require-tokens.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

const LIMIT = { name: 'test', burst: 10, refillMs: 600 } as const;

let dynamo: EmbeddedDynamo;
let limits: DynamoLimits;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
  limits = new DynamoLimits(dynamo.client, TABLES.limits);
});
afterAll(() => dynamo.stop());

let subjects = 0;
const newSubject = () => `key-${subjects++}`;

describe('a bucket', () => {
  it('gives as many tokens as it holds, and one more with every refill', async () => {
    const subject = newSubject();
    const take = async (nowMs: number) => (await limits.take(LIMIT, subject, 1, nowMs)).taken;
    const first: boolean[] = [];
    for (let i = 0; i < 11; i += 1) first.push(await take(1_000_000));
    expect(first).toEqual([...Array(10).fill(true), false]);
    expect(await take(1_000_599)).toBe(false);
    expect(await take(1_000_600)).toBe(true);
    expect(await take(1_000_600)).toBe(false);
    expect(await limits.take(LIMIT, subject, 10, 1_006_600)).toEqual({ taken: true, fullAtMs: 1_012_600 });
  });

  it('never gives a token twice, however many ask at once', async () => {
    const subject = newSubject();
    const answers = await Promise.all(Array.from({ length: 16 }, () => limits.take(LIMIT, subject, 1, 1_000_000)));
    expect(answers.filter(({ taken }) => taken)).toHaveLength(10);
  });

  it('gives what a bucket with a clock of its own gives', async () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat(3_000), tokens: fc.integer({ min: 1, max: 10 }) }), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (asked) => {
        const subject = newSubject();
        let nowMs = 1_000_000;
        // Counted in milliseconds of refill, which are whole.
        let heldMs: number = LIMIT.burst * LIMIT.refillMs;
        for (const { waitMs, tokens } of asked) {
          nowMs += waitMs;
          heldMs = Math.min(LIMIT.burst * LIMIT.refillMs, heldMs + waitMs);
          const taken = heldMs >= tokens * LIMIT.refillMs;
          if (taken) heldMs -= tokens * LIMIT.refillMs;
          expect((await limits.take(LIMIT, subject, tokens, nowMs)).taken).toBe(taken);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('a request', () => {
  const failures: unknown[] = [];
  const ports = () => ({
    limits,
    clock: { now: () => 1_000_000 },
    storeFailed: async (error: unknown) => void failures.push(error),
  });

  it('is told what is left, and when to come back', async () => {
    const subject = newSubject();
    expect(await requireTokens(LIMIT, subject, 4, ports())).toEqual({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '6',
      'ratelimit-reset': '3',
    });
    const refused = await requireTokens(LIMIT, subject, 8, ports()).catch((error: Problem) => error);
    expect(refused).toMatchObject({
      status: 429,
      message: 'Rate limit exceeded. Please try again later.',
      headers: { 'retry-after': '2', 'ratelimit-remaining': '6' },
    });
    // Refused whole: nothing was taken.
    expect(await requireTokens(LIMIT, subject, 6, ports())).toMatchObject({ 'ratelimit-remaining': '0' });
  });

  it('passes when the store fails, and that is counted', async () => {
    const broken = { take: () => Promise.reject(new Error('unavailable')) };
    expect(await requireTokens(LIMIT, 'anybody', 1, { ...ports(), limits: broken })).toEqual({});
    expect(failures).toHaveLength(1);
  });
});
