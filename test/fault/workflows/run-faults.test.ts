import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import type { Fault } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { runFlow } from '../../helpers/workflows/run-flow.ts';

const FAULTS: readonly Fault[] = ['killed before', 'killed after', 'fails before', 'answer lost'];

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const retry = { maxAttempts: 3, delayMs: 0 };
const charge = node('charge', 'extract', { image: 'https://example.com/page.png' }, { retry });
const post = node('post', 'http_request', { url: 'https://example.com', body: '{{charge.n}}' }, { retry });
const end = node('end', 'answer', { text: '{{charge.n}} {{post.n}}' });
const through = graph([node('start', 'start'), charge, post, end], ['start > charge', 'charge > post', 'post > end']);
const withApproval = graph(
  [node('start', 'start'), charge, node('ask', 'approval', { message: '?' }), post, end],
  ['start > charge', 'charge > ask', 'ask:approved > post', 'post > end'],
);

/** A different result at each performance, so that a repetition is noticed. */
function counted() {
  let count = 0;
  return () => ({ n: ++count });
}

it('a run is stored though other writes are at the same items', async () => {
  const flow = runFlow(dynamo, through, counted());
  dynamo.database.conflictNextTransactions(2);
  await flow.begin();
  expect((await flow.stored())?.head.status).toBe('succeeded');
});

describe.each(FAULTS)('%s at every port call of a run', (fault) => {
  it('in its first function: it ends as it would have, and nothing is done or counted twice', async () => {
    const calls = await runFlow(dynamo, through, counted()).begin();
    expect(calls.length).toBeGreaterThan(4);
    for (const at of sampledCalls(calls.length)) {
      const flow = runFlow(dynamo, through, counted());
      await flow.begin(fault, at);
      await flow.settle();
      const stored = await flow.stored();
      // A run that was not stored was never accepted: nothing of it has been done.
      if (stored === null) expect([at, flow.done.size]).toEqual([at, 0]);
      else expect([at, stored.head.status, stored.view.answer, flow.done.size]).toEqual([at, 'succeeded', '1 2', 2]);
      const used = await flow.usage();
      expect([at, used.calls, used.tokensIn, used.tokensOut]).toEqual(stored === null ? [at, 0, 0, 0] : [at, 1, 10, 4]);
      expect(await flow.openRuns()).toEqual([]);
    }
  });

  // What fails in a worker fails as it does in a request.
  it.runIf(fault.startsWith('killed'))('in the worker that continues after an approval', async () => {
    const prepared = async () => {
      const flow = runFlow(dynamo, withApproval, counted());
      await flow.begin();
      await flow.approve();
      return flow;
    };
    const calls = await (await prepared()).deliver();
    expect(calls.length).toBeGreaterThan(4);
    for (const at of sampledCalls(calls.length)) {
      const flow = await prepared();
      await flow.deliver(fault, at);
      await flow.settle();
      const stored = await flow.stored();
      expect([at, stored?.head.status, stored?.view.answer, flow.done.size]).toEqual([at, 'succeeded', '1 2', 2]);
      expect([at, await flow.usage()]).toMatchObject([at, { calls: 1, tokensIn: 10, tokensOut: 4 }]);
    }
  });
});

it('a bucket that fails at any object of a run loses and repeats nothing', async () => {
  // Random digits: they do not become small enough for the table.
  const large = () => ({ text: randomBytes(200_000).toString('hex') });
  const flow = runFlow(dynamo, through, large);
  await flow.begin();
  const objects = flow.bucket.stored.size;
  expect(objects).toBe(2);
  for (let at = 0; at < objects; at++)
    for (const fails of ['before', 'after'] as const) {
      const faulty = runFlow(dynamo, through, large);
      let puts = 0;
      const { put } = faulty.bucket.objects;
      faulty.bucket.objects.put = async (...object) => {
        const isFailing = puts++ === at;
        if (!isFailing || fails === 'after') await put(...object);
        if (isFailing) throw new Error('The bucket is unavailable.');
      };
      await faulty.begin();
      await faulty.settle();
      const stored = await faulty.stored();
      expect([at, fails, stored?.head.status, faulty.done.size]).toEqual([at, fails, 'succeeded', 2]);
    }
});

/** Ends as a run without faults does: nothing twice, nothing left open, counted once. */
async function expectEnded(
  flow: ReturnType<typeof runFlow>,
  at: number,
  ending: readonly unknown[] = ['succeeded', '1 2', 2],
) {
  await flow.settle();
  const stored = await flow.stored();
  expect([at, stored?.head.status, stored?.view.answer, flow.done.size]).toEqual([at, ...ending]);
  expect([at, await flow.usage()]).toMatchObject([at, { calls: 1 }]);
  expect([at, await flow.openRuns()]).toEqual([at, []]);
}

const waiting = async () => {
  const flow = runFlow(dynamo, withApproval, counted());
  await flow.begin();
  return flow;
};

describe.each(FAULTS)('%s at every port call', (fault) => {
  it('of a run that is queued: it is there as a whole and ends, or was never accepted', async () => {
    const calls = await runFlow(dynamo, through, counted()).queue();
    expect(calls).toEqual(['runs.create', 'queue.send']);
    for (const at of sampledCalls(calls.length)) {
      const flow = runFlow(dynamo, through, counted());
      await flow.queue(fault, at);
      if ((await flow.stored()) === null) expect([at, flow.done.size]).toEqual([0, 0]);
      else await expectEnded(flow, at);
    }
  });

  it('of an approval, which is then sent again: it counts once', async () => {
    const calls = await (await waiting()).approveWith();
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const at of sampledCalls(calls.length)) {
      const flow = await waiting();
      await flow.approveWith(fault, at);
      await flow.approve().catch((error: Error) => expect(error.message).toMatch(/has been decided before/));
      await expectEnded(flow, at);
    }
  });

  it('of a cancellation, which is then sent again: nothing more is done', async () => {
    const calls = await (await waiting()).cancelWith();
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const at of sampledCalls(calls.length)) {
      const flow = await waiting();
      await flow.cancelWith(fault, at);
      await flow.cancelWith();
      for (let delivery = 0; flow.messages.length > 0 && delivery < 5; delivery++) await flow.deliver();
      await expectEnded(flow, at, ['cancelled', '', 1]);
    }
  });

  it.runIf(fault.startsWith('killed'))('of the reconciler, for a run whose function has died', async () => {
    const dead = async () => {
      const flow = runFlow(dynamo, through, counted());
      await flow.begin('killed after', 'effects.perform');
      flow.clock.advance(600);
      return flow;
    };
    const calls = await (await dead()).reconcileWith();
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const at of sampledCalls(calls.length)) {
      const flow = await dead();
      await flow.reconcileWith(fault, at);
      await expectEnded(flow, at);
    }
  });

  it.runIf(fault.startsWith('killed'))('of a function that hands the run over, its time being too short', async () => {
    const handing = () => {
      const count = counted();
      const flow: ReturnType<typeof runFlow> = runFlow(dynamo, through, () => {
        flow.clock.advance(270);
        return count();
      });
      return flow;
    };
    const calls = await handing().begin();
    expect(calls.slice(-2)).toEqual(['leases.rest', 'queue.send']);
    for (const at of sampledCalls(calls.length)) {
      const flow = handing();
      await flow.begin(fault, at);
      if ((await flow.stored()) === null) expect([at, flow.done.size]).toEqual([at, 0]);
      else await expectEnded(flow, at);
    }
  });

  it.runIf(fault.startsWith('killed'))('of a run with parallel passes', async () => {
    const read = node('read', 'extract', { image: '{{each.item}}' }, { parentId: 'each', retry });
    const each = node('each', 'iteration', { items: ['a', 'b', 'c'], output: '{{read.page}}', concurrency: 2 });
    const pages = graph(
      [node('start', 'start'), each, read, node('end', 'answer', { text: '{{each.results}}' })],
      ['start > each', 'each > end'],
    );
    const flowOf = () => runFlow(dynamo, pages, ({ config }) => ({ page: config.image as string }));
    const calls = await flowOf().begin();
    for (const at of sampledCalls(calls.length)) {
      const flow = flowOf();
      await flow.begin(fault, at);
      if ((await flow.stored()) === null) expect([at, flow.done.size]).toEqual([at, 0]);
      else await expectEnded(flow, at, ['succeeded', '["a","b","c"]', 3]);
    }
  });
});

it('a waiting run has one pointer, at the end of its wait, and fails without a decision', async () => {
  const flow = runFlow(dynamo, withApproval, counted());
  await flow.begin();
  expect(await flow.openRuns()).toHaveLength(1);
  flow.clock.advance(24 * 3600 - 700);
  await flow.reconcile();
  expect((await flow.stored())?.head.status).toBe('waiting');
  flow.clock.advance(1_400);
  // The reconciler has not come yet.
  await expect(flow.approve()).rejects.toThrow(/The time to decide on "ask" was over on /);
  await flow.reconcile();
  expect((await flow.stored())?.head).toMatchObject({
    status: 'failed',
    ending: { failure: { code: 'approval_expired' } },
  });
  await expect(flow.approve()).rejects.toThrow('ended as failed');
  expect(flow.done.size).toBe(1);
});

it('of two workers with one message only one continues', async () => {
  const flow = runFlow(dynamo, withApproval, counted());
  await flow.begin();
  await flow.approve();
  flow.messages.push(...flow.messages);
  await Promise.all([flow.deliver(), flow.deliver()]);
  await flow.settle();
  expect((await flow.stored())?.head.status).toBe('succeeded');
  expect(flow.asked.filter((key) => key.endsWith(':post'))).toHaveLength(1);
});

it('a run writes at most once per node, plus its start and its end', async () => {
  const nodes = Array.from({ length: 10 }, (_, i) => node(`n${i}`, 'code', { language: 'python', code: '1' }));
  const ways = nodes.slice(1).map((each, i) => `n${i} > ${each.id}`);
  const flow = runFlow(dynamo, graph([node('start', 'start'), ...nodes], ['start > n0', ...ways]), counted());
  const calls = await flow.begin();
  const writes = calls.filter((name) => ['runs.create', 'leases.append', 'leases.rest'].includes(name));
  expect(writes).toHaveLength(11);
});
