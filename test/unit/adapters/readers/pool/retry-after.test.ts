import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Reader, ReaderPool } from '../../../../../functions/adapters/readers/pool/reader-pool.ts';
import { ReaderStopped } from '../../../../../functions/adapters/readers/pool/reader-process.ts';
import { ReaderUnavailable } from '../../../../../functions/extraction/domain/reading/reader-unavailable.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { Random } from '../../../../helpers/random.ts';

const template = knownTemplate(DEFAULT_TEMPLATE_ID);
const PATIENCE_MS = 27_500;
const CLIENT_PAUSE_MS = 500;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A pool of two readers in virtual time, whose pages take as long as `pageMs` says. */
function poolOf(pageMs: () => number): ReaderPool {
  const reader = (): Reader => ({
    usable: true,
    pid: 1,
    started: async () => undefined,
    judge: async (_, seconds) => {
      const tookMs = Math.min(pageMs(), seconds * 1000);
      await new Promise((resolve) => setTimeout(resolve, tookMs));
      if (tookMs === seconds * 1000) throw new ReaderStopped('It took too long.');
      return { page: {}, trace: null } as Awaited<ReturnType<Reader['judge']>>;
    },
    stop: () => undefined,
  });
  const options = {
    reader: { usual: 'embedded', servicesReachable: false },
    ocrDirectory: '',
    drugMaster: '',
    formularies: '',
    threads: 1,
    processes: 2,
    maxWaiting: 32,
    pageSeconds: 30,
    maxMemoryMegabytes: 700,
  } as const;
  return new ReaderPool(options, reader);
}

/** Whether each page of a client was read at once, or how many refusals came before. */
async function read(pool: ReaderPool, workspaceId: string, pages: number): Promise<number[]> {
  const refusals: number[] = [];
  for (let page = 0; page < pages; page++) {
    let refused = 0;
    for (;;) {
      const deadlineMs = Date.now() + PATIENCE_MS;
      const outcome = await pool
        .judge(new Uint8Array(), template, { today: '2026-11-30', workspaceId, deadlineMs })
        .catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      if (!(outcome instanceof ReaderUnavailable)) throw outcome;
      refused++;
      await new Promise((resolve) => setTimeout(resolve, outcome.retryAfterSeconds * 1000));
    }
    refusals.push(refused);
    await new Promise((resolve) => setTimeout(resolve, CLIENT_PAUSE_MS));
  }
  return refusals;
}

/** Runs virtual time until all is done. */
async function untilDone<Result>(work: Promise<Result>): Promise<Result> {
  let done = false;
  const end = () => {
    done = true;
  };
  work.then(end, end);
  while (!done) await vi.advanceTimersByTimeAsync(1000);
  return await work;
}

describe('Retry-After of a page that could not be read in time', () => {
  it.each([
    ['of one workspace, pages alike', 1, 0.95, () => 4000],
    // Estimates err by as much as pages differ.
    ['of one workspace, pages of 2 to 9 s', 1, 0.8, (random: Random) => random.pick([2000, 3000, 4000, 9000])],
    ['of forty workspaces, photos of 8 to 12 s', 40, 0.8, (random: Random) => 8000 + 4000 * random.next()],
    // Equal shares of time put a workspace back after a long page, which no estimate knows beforehand.
    ['of five workspaces, pages of 2 to 9 s', 5, 0.7, (random: Random) => random.pick([2000, 3000, 4000, 9000])],
  ])('holds for forty clients %s', async (_, workspaces, share, takesMs) => {
    const random = new Random(20_261_130);
    const pageMs = () => takesMs(random);
    const pool = poolOf(pageMs);
    // It knows how long pages take.
    await untilDone(read(pool, 'ws_0', 10));
    const clients = Array.from({ length: 40 }, (_, n) => read(pool, `ws_${n % workspaces}`, 5));
    const refusals = (await untilDone(Promise.all(clients))).flat().filter((refused) => refused > 0);
    expect(refusals.length).toBeGreaterThan(20);
    expect(refusals.filter((refused) => refused === 1).length / refusals.length).toBeGreaterThanOrEqual(share);
  });

  it('keeps a place for the clients that were promised one, not for newcomers', async () => {
    const pool = poolOf(() => 5000);
    await untilDone(read(pool, 'first', 10));
    const first = Array.from({ length: 20 }, () => read(pool, 'first', 1));
    await vi.advanceTimersByTimeAsync(1000);
    const newcomers = Array.from({ length: 20 }, () => read(pool, 'first', 1));
    const refusals = await untilDone(Promise.all([...first, ...newcomers]));
    expect(Math.max(...refusals.flat())).toBe(1);
  });

  it('holds for a workspace next to one that sends without end', async () => {
    const pool = poolOf(() => 4000);
    const flood = Array.from({ length: 60 }, () => read(pool, 'greedy', 4));
    const other = read(pool, 'other', 10);
    expect(await untilDone(other)).toEqual(Array(10).fill(0));
    await untilDone(Promise.all(flood));
  });
});
