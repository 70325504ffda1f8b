import { describe, expect, it } from 'vitest';
import { type DayCounters, FreeWork } from '../../../functions/shared/limits/free-work.ts';
import { testClock } from '../../helpers/clock.ts';

const HOUR = 3_600;

class Counters implements DayCounters {
  readonly #used = new Map<string, number>();

  async read(counter: string, day: string): Promise<number> {
    return this.#used.get(`${counter} ${day}`) ?? 0;
  }

  async add(counter: string, day: string, amount: number): Promise<number> {
    const used = (await this.read(counter, day)) + amount;
    this.#used.set(`${counter} ${day}`, used);
    return used;
  }
}

function budget(limits: { name?: string; perClient: number; inAll: number }, counters: DayCounters = new Counters()) {
  const clock = testClock();
  // To midnight.
  clock.advance(21 * HOUR);
  const alarms: string[] = [];
  const failures: unknown[] = [];
  const work = new FreeWork(
    { name: 'pages', ...limits },
    {
      counters,
      clock,
      onHalfSpent: async (name) => void alarms.push(name),
      storeFailed: async (error) => void failures.push(error),
    },
  );
  return { work, clock, alarms, failures };
}

describe('a daily budget of free work', () => {
  it('lasts until the end of the day of UTC, for every caller', async () => {
    const { work, clock } = budget({ perClient: 0, inAll: 3 });
    for (const address of ['a', 'b', null]) {
      expect(await work.waitSeconds(address)).toBe(0);
      await work.count(address);
    }
    expect(await work.waitSeconds('c')).toBe(24 * 3600);
    clock.advance(23 * HOUR);
    expect(await work.waitSeconds('c')).toBe(3600);
    clock.advance(HOUR);
    expect(await work.waitSeconds('c')).toBe(0);
  });

  it('is smaller for one address, and leaves the others alone', async () => {
    const { work } = budget({ perClient: 2, inAll: 100 });
    expect([await work.take('a'), await work.take('a')]).toEqual([0, 0]);
    expect(await work.take('a')).toBeGreaterThan(0);
    expect(await work.take('b')).toBe(0);
    expect(await work.waitSeconds(null)).toBe(0);
  });

  it('sounds its alarm once a day, at half of it', async () => {
    const { work, clock, alarms } = budget({ perClient: 0, inAll: 4 });
    const after: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      await work.count('a');
      after.push(alarms.length);
    }
    expect(after).toEqual([0, 1, 1, 1]);
    clock.advance(24 * HOUR);
    await work.count('a', 3);
    expect(alarms).toEqual(['pages', 'pages']);
  });

  it('stops nothing where it is 0, or where its store fails, which is reported', async () => {
    const { work } = budget({ perClient: 0, inAll: 0 });
    for (let i = 0; i < 10; i += 1) expect(await work.take('a')).toBe(0);
    const fails = () => Promise.reject(new Error('gone'));
    const broken = budget({ perClient: 1, inAll: 1 }, { read: fails, add: fails });
    expect([await broken.work.waitSeconds('a'), await broken.work.take('a')]).toEqual([0, 0]);
    await broken.work.count('a');
    expect(broken.failures).toHaveLength(3);
  });

  it('of a flood of 1,000 registrations and 100,000 pages in an hour lets through no more than a day may cost', async () => {
    const counters = new Counters();
    const registrations = budget({ name: 'registrations', perClient: 50, inAll: 500 }, counters);
    const pages = budget({ name: 'free-pages', perClient: 5_000, inAll: 50_000 }, counters);
    const addressOf = (i: number) => `192.0.2.${i % 200}`;
    const made: number[] = [];
    for (let i = 0; i < 1_000; i += 1) if ((await registrations.work.take(addressOf(i))) === 0) made.push(i);
    expect(made).toHaveLength(500);
    let read = 0;
    for (let i = 0; i < 100_000; i += 1) {
      pages.clock.advance(HOUR / 100_000);
      const address = addressOf(made[i % made.length]!);
      if ((await pages.work.waitSeconds(address)) > 0) continue;
      read += 1;
      await pages.work.count(address);
    }
    expect(read).toBe(50_000);
    expect([...registrations.alarms, ...pages.alarms]).toEqual(['registrations', 'free-pages']);
  });
});
