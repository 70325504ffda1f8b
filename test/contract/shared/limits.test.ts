import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoLimits } from '../../../functions/adapters/shared/dynamo-limits.ts';
import { takeTokens } from '../../../functions/shared/limits/take-tokens.ts';
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

describe('a bucket that was used by a clock far ahead', () => {
  const HOUR_MS = 3_600_000;

  it('a bucket is full again after its window at the latest, regardless of requests meanwhile', async () => {
    const subject = newSubject();
    const now = 1_000_000;
    await limits.take(LIMIT, subject, 7, now + HOUR_MS);
    const elsewhere = new DynamoLimits(dynamo.client, TABLES.limits);
    expect(await elsewhere.take(LIMIT, subject, 1, now)).toEqual({ taken: false, fullAtMs: now + 6_000 });
    expect(await limits.take(LIMIT, subject, 1, now + 1)).toMatchObject({ taken: false });
    expect(await limits.take(LIMIT, subject, 1, now + 600)).toMatchObject({ taken: true });
    expect(await limits.take(LIMIT, subject, 10, now + 6_600)).toMatchObject({ taken: true });
  });

  it('gives nothing twice to clocks that differ by less than the tolerance', async () => {
    const subject = newSubject();
    const [fast, slow] = [limits, new DynamoLimits(dynamo.client, TABLES.limits)];
    let taken = 0;
    for (let i = 0; i < 20; i++) {
      if ((await fast.take(LIMIT, subject, 1, 1_004_000)).taken) taken += 1;
      if ((await slow.take(LIMIT, subject, 1, 1_000_000)).taken) taken += 1;
    }
    expect(taken).toBe(10);
  });
});

describe('a request', () => {
  const failures: unknown[] = [];
  const ports = () => ({
    store: limits,
    clock: { now: () => 1_000_000 },
    storeFailed: async (error: unknown) => void failures.push(error),
  });
  const take = (subject: string, tokens: number) => takeTokens([{ limit: LIMIT, subject, tokens }], ports());

  it('a caller gets the remaining tokens, and the time to come back', async () => {
    const subject = newSubject();
    expect(await take(subject, 4)).toMatchObject([{ passes: true, limit: 10, remaining: 6, resetSeconds: 3 }]);
    expect(await take(subject, 8)).toMatchObject([{ passes: false, remaining: 6, retryAfterSeconds: 2 }]);
    // Refused whole: nothing was taken.
    expect(await take(subject, 6)).toMatchObject([{ passes: true, remaining: 0 }]);
  });

  it('passes when the store fails, and that is counted', async () => {
    const store = { take: () => Promise.reject(new Error('unavailable')) };
    const demand = { limit: LIMIT, subject: 'any', tokens: 1 };
    expect(await takeTokens([demand], { ...ports(), store })).toEqual([]);
    expect(failures).toHaveLength(1);
  });
});

it('a write that the SDK repeats, for its response was lost, takes its tokens once', async () => {
  let lost = 0;
  dynamo.client.middlewareStack.add(
    (next) => async (args) => {
      const output = await next(args);
      if (lost++ % 2 === 0) throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
      return output;
    },
    { step: 'deserialize', priority: 'low', name: 'loseEverySecondResponse' },
  );
  const subject = newSubject();
  // Of a full bucket first, and then of a used one.
  for (const fullAtMs of [1_000_600, 1_001_200, 1_001_800])
    expect(await limits.take(LIMIT, subject, 1, 1_000_000)).toEqual({ taken: true, fullAtMs });
  expect(lost).toBe(6);
  dynamo.client.middlewareStack.remove('loseEverySecondResponse');
});

describe('the cost of a bucket', () => {
  it('is one write a request, whether the bucket is full or partly used, and none while this process knows it to be empty', async () => {
    const sent: string[] = [];
    const counting = new DynamoLimits(
      new Proxy(dynamo.client, {
        get: (client, name) =>
          name === 'send'
            ? (command: Parameters<typeof client.send>[0]) => {
                sent.push(command.constructor.name);
                return client.send(command);
              }
            : Reflect.get(client, name),
      }),
      TABLES.limits,
    );
    const subject = newSubject();
    for (let i = 0; i < 10; i += 1) await counting.take(LIMIT, subject, 1, 1_000_000 + i);
    for (let i = 0; i < 5; i += 1)
      expect(await counting.take(LIMIT, subject, 1, 1_000_100)).toEqual({ taken: false, fullAtMs: 1_006_000 });
    await counting.take(LIMIT, subject, 1, 2_000_000);
    expect(sent).toEqual(Array(11).fill('UpdateCommand'));
  });
});
