import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../functions/adapters/shared/fair-queue.ts';

const never = Number.POSITIVE_INFINITY;
const late = () => new Error('too late');
const PAGE_MS = 10;

const openQueue = <Turn>() => new FairQueue<Turn>(() => PAGE_MS);
const own = (deadlineMs: number) => ({ workspaceId: 'ws', deadlineMs });

describe('FairQueue, within a workspace', () => {
  it('serves the nearest deadline first, and equal ones by arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(never))), async (deadlines) => {
        const queue = openQueue<number>();
        const turns = deadlines.map((deadlineMs) => queue.wait(own(deadlineMs), never, late));
        let served = 0;
        while (queue.serve(() => served)) served++;
        const order = await Promise.all(turns);
        const expected = deadlines
          .map((deadlineMs, came) => ({ deadlineMs, came }))
          .sort((a, b) => (a.deadlineMs === b.deadlineMs ? a.came - b.came : a.deadlineMs - b.deadlineMs));
        expected.forEach(({ came }, turn) => {
          expect(order[came]).toBe(turn);
        });
      }),
    );
  });

  it('says how many go before a newcomer', () => {
    const queue = openQueue<void>();
    for (const deadlineMs of [30, 10, never, 20]) void queue.wait(own(deadlineMs), never, late);
    expect([5, 10, 25, never].map((deadlineMs) => queue.ahead(own(deadlineMs)))).toEqual([0, 1, 2, 4]);
  });
});

describe('FairQueue, between workspaces', () => {
  const ids = ['a', 'b', 'c'];
  const pages = fc.array(
    fc.record({ workspaceId: fc.constantFrom(...ids), deadlineMs: fc.integer({ min: 1, max: 9 }) }),
    {
      maxLength: 24,
    },
  );

  it('gives equal shares to all that wait, in any order of arrival and with any deadlines', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (wanted) => {
        const queue = openQueue<void>();
        const order: string[] = [];
        const turns = wanted.map((page) => queue.wait(page, never, late).then(() => order.push(page.workspaceId)));
        while (queue.serve(() => undefined));
        await Promise.all(turns);
        const count = (workspaceId: string, upTo: number) =>
          order.slice(0, upTo).filter((each) => each === workspaceId).length;
        const total = (workspaceId: string) => count(workspaceId, order.length);
        for (let upTo = 0; upTo <= order.length; upTo++)
          for (const one of ids)
            for (const other of ids)
              if (count(one, upTo) < total(one)) expect(count(other, upTo) - count(one, upTo)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('foretells the order in which it serves', async () => {
    await fc.assert(
      fc.asyncProperty(
        pages,
        fc.constantFrom(...ids),
        fc.integer({ min: 1, max: 9 }),
        async (wanted, workspaceId, deadlineMs) => {
          const queue = openQueue<void>();
          const order: object[] = [];
          const wait = (page: { workspaceId: string; deadlineMs: number }) =>
            queue.wait(page, never, late).then(() => order.push(page));
          const turns = wanted.map(wait);
          const newcomer = { workspaceId, deadlineMs };
          const ahead = queue.ahead(newcomer);
          turns.push(wait(newcomer));
          while (queue.serve(() => undefined));
          await Promise.all(turns);
          expect(order.indexOf(newcomer)).toBe(ahead);
        },
      ),
    );
  });

  it('counts what a page took, not how many there were', async () => {
    const queue = openQueue<string>();
    queue.begin('slow');
    const order: string[] = [];
    const wait = (workspaceId: string) =>
      queue.wait({ workspaceId, deadlineMs: never }, never, late).then(() => order.push(workspaceId));
    const turns = ['slow', 'slow', 'quick', 'quick', 'quick'].map(wait);
    queue.end('slow', 3 * PAGE_MS);
    while (queue.serve(() => ''));
    await Promise.all(turns);
    expect(order).toEqual(['quick', 'quick', 'quick', 'slow', 'slow']);
  });

  it('gives no credit for time in which a workspace wanted nothing', async () => {
    const queue = openQueue<string>();
    for (let page = 0; page < 10; page++) {
      queue.begin('busy');
      queue.end('busy', PAGE_MS);
    }
    queue.begin('busy');
    const order: string[] = [];
    const wait = (workspaceId: string) =>
      queue.wait({ workspaceId, deadlineMs: never }, never, late).then(() => order.push(workspaceId));
    const turns = ['busy', 'back', 'back', 'back'].map(wait);
    queue.end('busy', PAGE_MS);
    while (queue.serve(() => ''));
    await Promise.all(turns);
    expect(order.indexOf('busy')).toBeLessThan(3);
  });
});

describe('FairQueue', () => {
  it('rejects a page that waits in vain, and continues with the others', async () => {
    const queue = openQueue<string>();
    const inVain = queue.wait(own(1), 1, late);
    const patient = queue.wait(own(2), never, late);
    await expect(inVain).rejects.toThrow('too late');
    expect(queue.length).toBe(1);
    expect(queue.serve(() => 'served')).toBe(true);
    await expect(patient).resolves.toBe('served');
    expect(queue.serve(() => 'unused')).toBe(false);
  });

  it('rejects at once what would come too late as things are now, and counts the others only', async () => {
    const queue = openQueue<string>();
    const turns = [10, 20, 20, 40].map((deadlineMs) => queue.wait(own(deadlineMs), never, late));
    // Ten for each page: the second of the two that want theirs by 20 would be third in line.
    queue.reconsider((ahead, deadlineMs) => (ahead + 1) * 10 > deadlineMs);
    expect(queue.length).toBe(3);
    while (queue.serve(() => 'served'));
    const outcomes = await Promise.allSettled(turns);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('makes no turn that no page takes', () => {
    const queue = openQueue<void>();
    queue.serve(() => {
      throw new Error('a turn was made');
    });
  });

  it('ends the waiting of all', async () => {
    const queue = openQueue<void>();
    const waiting = [
      queue.wait(own(1), 10_000, late),
      queue.wait({ workspaceId: 'b', deadlineMs: never }, never, late),
    ];
    queue.dissolve(() => new Error('the end'));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(queue.length).toBe(0);
  });
});

it('FairQueue reads each of hundreds of lines a few times when another workspace asks', () => {
  const queue = openQueue<void>();
  let looks = 0;
  const promised = Array.from({ length: 500 }, (_, i) => ({
    workspaceId: `ws-${i}`,
    get deadlineMs() {
      looks++;
      return 1_000;
    },
  }));
  expect(queue.ahead({ workspaceId: 'newcomer', deadlineMs: 2_000 }, promised)).toBe(500);
  expect(looks).toBeLessThan(500 * 30);
});

describe('FairQueue, between single calls and batches', () => {
  async function served(wanted: readonly { readonly workspaceId: string; readonly deadlineMs: number }[]) {
    const queue = openQueue<void>();
    const order: string[] = [];
    const turns = wanted.map((page) => queue.wait(page, never, late).then(() => order.push(page.workspaceId)));
    while (queue.serve(() => undefined));
    await Promise.all(turns);
    return order;
  }
  const batch = { workspaceId: 'batch', deadlineMs: never };
  const single = { workspaceId: 'single', deadlineMs: 5 };

  it('serves a page with a deadline before the batches of other workspaces, also where its own has used more', async () => {
    const queue = openQueue<string>();
    queue.begin('single');
    queue.end('single', 100 * PAGE_MS);
    queue.begin('single');
    const turns = [queue.wait(batch, never, late), queue.wait(single, never, late)];
    expect([queue.ahead(single), queue.ahead(batch)]).toEqual([1, 2]);
    queue.serve(() => 'first');
    queue.serve(() => 'second');
    expect(await Promise.all(turns)).toEqual(['second', 'first']);
  });

  it('gives a batch one turn in eight while pages with a deadline wait, so that it ends', async () => {
    const order = await served([batch, batch, ...Array.from({ length: 16 }, () => single)]);
    expect(order.flatMap((id, turn) => (id === 'batch' ? [turn] : []))).toEqual([7, 15]);
  });
});
