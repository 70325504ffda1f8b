import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Priority } from '../../../functions/workflows/domain/run/run.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import type { Fault } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { runFlow, sharedFlow } from '../../helpers/workflows/run-flow.ts';

const FAULTS: readonly Fault[] = ['killed before', 'killed after', 'fails before', 'answer lost'];

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const retry = { maxAttempts: 3, delayMs: 0 };
const post = node('post', 'http_request', { url: 'https://example.com' }, { retry });
const oneAtOnce = (nodes = [post], ways = ['start > post', 'post > end']) => {
  const plain = graph([node('start', 'start'), ...nodes, node('end', 'answer', { text: '{{post.n}}' })], ways);
  return { ...plain, settings: { ...plain.settings, maxRuns: 1 } };
};
const limited = oneAtOnce();

/** A run whose request is under way until `finish`. */
function heldRun(shared = sharedFlow()) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const flow = runFlow(
    dynamo,
    limited,
    async () => {
      begun.resolve();
      await promise;
      return { n: 1 };
    },
    { shared },
  );
  return { shared, flow, begun: begun.promise, finish: resolve };
}

async function expectBothEnded(flows: readonly ReturnType<typeof runFlow>[], at: unknown) {
  for (const flow of flows) await flow.settle();
  const stored = await Promise.all(flows.map((flow) => flow.stored()));
  // A run that was not stored was never accepted.
  const accepted = stored.flatMap((each) => each?.head.status ?? []);
  expect([at, ...accepted]).toEqual([at, ...accepted.map(() => 'succeeded')]);
  expect([at, flows[0]!.done.size]).toEqual([at, accepted.length]);
  expect([at, await flows[0]!.openRuns()]).toEqual([at, []]);
}

it('a run of a workflow with one place waits in line, and continues at once when the run before it ends', async () => {
  const { shared, flow, begun, finish } = heldRun();
  const first = flow.begin();
  await begun;
  const second = runFlow(dynamo, limited, () => ({ n: 2 }), { shared });
  await second.begin();
  expect([(await second.stored())?.head.status, second.asked]).toEqual(['queued', []]);
  await second.deliver();
  expect([(await second.stored())?.head.status, second.asked]).toEqual(['queued', []]);
  finish();
  await first;
  expect(shared.messages).toHaveLength(1);
  await second.deliver();
  expect((await second.stored())?.head.status).toBe('succeeded');
});

it('runs in line start by their priority, and those of one priority by their age', async () => {
  const { shared, flow, begun, finish } = heldRun();
  const first = flow.begin();
  await begun;
  const order: string[] = [];
  const queued = (name: string, priority: Priority) =>
    runFlow(
      dynamo,
      limited,
      () => {
        order.push(name);
        return { n: 1 };
      },
      { shared, priority },
    );
  const flows = [];
  for (const [name, priority] of [
    ['low', 'low'],
    ['older', 'normal'],
    ['younger', 'normal'],
    ['high', 'high'],
  ] as const) {
    flows.push(queued(name, priority));
    await flows.at(-1)!.queue();
  }
  const byId = new Map(
    await Promise.all(flows.map(async (each) => [(await each.stored())!.head.runId, each] as const)),
  );
  const deliverAll = async () => {
    for (let next = shared.messages[0]; next; next = shared.messages[0]) await byId.get(next.runId)!.deliver();
  };
  await deliverAll();
  expect(order).toEqual([]);
  finish();
  await first;
  await deliverAll();
  expect(order).toEqual(['high', 'older', 'younger', 'low']);
});

it('a crashed run frees its place when its lease is over, without any call that gives it back', async () => {
  const shared = sharedFlow();
  const dead = runFlow(dynamo, limited, () => ({ n: 1 }), { shared });
  await dead.begin('killed before', 'effects.perform');
  const second = runFlow(dynamo, limited, () => ({ n: 2 }), { shared });
  await second.begin();
  expect((await second.stored())?.head.status).toBe('queued');
  shared.clock.advance(600);
  await second.reconcile();
  expect((await second.stored())?.head.status).toBe('succeeded');
});

it('a run that waits for an approval holds no place, and takes one again when it continues', async () => {
  const shared = sharedFlow();
  const asking = oneAtOnce(
    [node('ask', 'approval', { message: '?' }), post],
    ['start > ask', 'ask:approved > post', 'post > end'],
  );
  const waiting = runFlow(dynamo, asking, () => ({ n: 1 }), { shared });
  await waiting.begin();
  expect((await waiting.stored())?.head.status).toBe('waiting');
  const held = heldRun(shared);
  const running = held.flow.begin();
  await held.begun;
  await waiting.approve();
  await waiting.deliver();
  expect([(await waiting.stored())?.head.status, waiting.asked]).toEqual(['queued', []]);
  held.finish();
  await running;
  await waiting.deliver();
  expect((await waiting.stored())?.head.status).toBe('succeeded');
});

it('a run that is cancelled in line ends at once, and the next one in line gets the place', async () => {
  const { shared, flow, begun, finish } = heldRun();
  const first = flow.begin();
  await begun;
  const [second, third] = [1, 2].map((n) => runFlow(dynamo, limited, () => ({ n }), { shared }));
  await second!.begin();
  await third!.begin();
  await second!.cancelWith();
  await second!.deliver();
  expect((await second!.stored())?.head.status).toBe('cancelled');
  finish();
  await first;
  await third!.deliver();
  expect((await third!.stored())?.head.status).toBe('succeeded');
});

it('of many runs that start at one moment exactly as many get a place as there are', async () => {
  const shared = sharedFlow();
  const two = { ...limited, settings: { ...limited.settings, maxRuns: 2 } };
  let [working, most] = [0, 0];
  const both = Promise.withResolvers<void>();
  const flows = Array.from({ length: 8 }, () =>
    runFlow(
      dynamo,
      two,
      async () => {
        most = Math.max(most, ++working);
        if (working === 2) both.resolve();
        await both.promise;
        working -= 1;
        return { n: 1 };
      },
      { shared },
    ),
  );
  await Promise.all(flows.map((flow) => flow.begin()));
  await expectBothEnded(flows, 'all');
  expect(most).toBe(2);
});

describe.each(FAULTS)('%s at every port call', (fault) => {
  it('of a run that joins the line: both runs end, once', async () => {
    const prepared = async () => {
      const shared = sharedFlow();
      const dead = runFlow(dynamo, limited, () => ({ n: 1 }), { shared });
      await dead.begin('killed before', 'effects.perform');
      return { dead, second: runFlow(dynamo, limited, () => ({ n: 2 }), { shared }) };
    };
    const calls = await (await prepared()).second.begin();
    expect(calls).toEqual(['places.enter', 'runs.create', 'queue.send']);
    for (const at of sampledCalls(calls.length)) {
      const { dead, second } = await prepared();
      await second.begin(fault, at);
      await expectBothEnded([dead, second], at);
    }
  });

  it('of a run that ends while another is in line: both runs end, once', async () => {
    const prepared = async (...how: [Fault?, number?]) => {
      const { shared, flow, begun, finish } = heldRun();
      const first = flow.begin(...how);
      await Promise.race([begun, first]);
      const second = runFlow(dynamo, limited, () => ({ n: 2 }), { shared });
      await second.begin();
      finish();
      return { calls: await first, flows: [flow, second] };
    };
    const { calls } = await prepared();
    expect(calls.slice(-2)).toEqual(['places.leave', 'queue.send']);
    for (const at of sampledCalls(calls.length)) {
      const { flows } = await prepared(fault, at);
      await expectBothEnded(flows, at);
    }
  });
});
