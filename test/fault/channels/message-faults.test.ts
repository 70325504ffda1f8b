import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnswerFailed } from '../../../functions/channels/domain/answer-lane.ts';
import { circuitOf } from '../../../functions/channels/domain/delivery/breaker.ts';
import { reconcileLanes } from '../../../functions/channels/domain/delivery/reconcile-lanes.ts';
import { failLane } from '../../../functions/channels/domain/fail-lane.ts';
import { replayDeadLetter } from '../../../functions/channels/domain/manage-dead-letters.ts';
import { DELIVERED, platformFault, refusedForGood } from '../../../functions/channels/domain/platforms/send-outcome.ts';
import { type ChannelFlow, channelFlow, LEASE_SECONDS } from '../../helpers/channel-flow.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import type { Fault } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** Does `work` with the fault at its first port call, at its second and so on, each time in a new flow. */
async function walk(fault: Fault, work: (flow: ChannelFlow, fault: Fault | null, at: number) => Promise<string[]>) {
  const { length } = await work(await channelFlow(dynamo), null, -1);
  expect(length).toBeGreaterThanOrEqual(2);
  for (const at of sampledCalls(length)) await work(await channelFlow(dynamo), fault, at);
}

/** The platform drops what it has, by the key of the part. */
const distinct = (flow: ChannelFlow) => [...new Map(flow.sent.map((part) => [part.id, part.texts[0]])).values()];

describe.each(FAULTS)('%s: at every port call', (fault) => {
  it('of a webhook, the platform sends it again, and it is answered once', () =>
    walk(fault, async (flow, ...how) => {
      const { accepted, calls } = await flow.say('a', 'c', ...how, 'event');
      // A platform repeats events that were not answered with 200.
      if (!accepted) await flow.say('a', 'c', null, -1, 'event');
      await flow.say('a', 'c', null, -1, 'event');
      flow.clock.advance(120);
      await reconcileLanes(flow.ports);
      expect(await flow.settle()).toEqual([]);
      expect(flow.delivered()).toEqual(['re: a']);
      expect(flow.died).toEqual([]);
      return calls;
    }));

  it('of an answer, the message is answered, and its one reply delivered', () =>
    walk(fault, async (flow, ...how) => {
      await flow.say('a');
      await flow.say('b');
      const message = flow.take()!;
      const { verdict, calls } = await flow.run(message, ...how);
      // SQS redelivers unacknowledged messages after their visibility time-out.
      if (verdict === 'retry') flow.put(message, LEASE_SECONDS + 60);
      expect(await flow.settle()).toEqual([]);
      expect(flow.delivered()).toEqual(['re: a', 're: b']);
      // The application is asked again only where its answer was lost: it has recorded it by the key.
      for (const question of flow.asked)
        expect(flow.asked.filter(({ key }) => key === question.key).length).toBeLessThanOrEqual(2);
      return calls;
    }));

  it('if one delivery fails at first, every part arrives, in order, and twice only where a crash lost the record', () =>
    walk(fault, async (flow, ...how) => {
      let failures = 1;
      flow.how.send = async () => (failures-- > 0 ? platformFault('http_500') : DELIVERED);
      for (const text of ['a', 'b']) {
        await flow.say(text);
        await flow.run(flow.take('inbound')!, null, -1);
      }
      const first = flow.take('outbound')!;
      await flow.run(first, null, -1);
      flow.clock.advance(2);
      const message = flow.take('outbound')!;
      const { verdict, calls } = await flow.run(message, ...how);
      if (verdict === 'retry') flow.put(message, LEASE_SECONDS + 60);
      expect(await flow.settle()).toEqual([]);
      expect(distinct(flow)).toEqual(['re: a', 're: b']);
      expect(flow.sent.length).toBeLessThanOrEqual(4);
      expect(flow.died).toEqual([]);
      return calls;
    }));

  it('of a delivery that fails, it is tried again', () =>
    walk(fault, async (flow, ...how) => {
      let failures = 1;
      flow.how.send = async () => (failures-- > 0 ? platformFault('http_500') : DELIVERED);
      await flow.say('a');
      await flow.run(flow.take('inbound')!, null, -1);
      const message = flow.take('outbound')!;
      const { verdict, calls } = await flow.run(message, ...how);
      if (verdict === 'retry') flow.put(message, LEASE_SECONDS + 60);
      expect(await flow.settle()).toEqual([]);
      expect(distinct(flow)).toEqual(['re: a']);
      expect(flow.died).toEqual([]);
      return calls;
    }));

  it('of a message that is given up, it is a dead letter once, and can be replayed', () =>
    walk(fault, async (flow, ...how) => {
      flow.how.send = async () => refusedForGood('http_400');
      await flow.say('a');
      await flow.run(flow.take('inbound')!, null, -1);
      const message = flow.take('outbound')!;
      const { verdict, calls } = await flow.run(message, ...how);
      if (verdict === 'retry') flow.put(message, LEASE_SECONDS + 60);
      expect(await flow.settle()).toEqual([]);
      const letters = await flow.deadLetters.list(flow.channel.workspaceId, {}, 10, null);
      expect(letters).toMatchObject([{ reason: 'http_400', direction: 'outbound', message: { text: 're: a' } }]);
      flow.how.send = async () => DELIVERED;
      flow.sent.length = 0;
      await replayDeadLetter(flow.channel.workspaceId, letters[0]!.deadLetterId, {
        ...flow.ports,
        deadLetters: flow.deadLetters,
      });
      expect(await flow.settle()).toEqual([]);
      expect(flow.delivered()).toEqual(['re: a']);
      expect(await flow.deadLetters.list(flow.channel.workspaceId, {}, 10, null)).toEqual([]);
      return calls;
    }));

  it('of the reconciler, its next round does the rest', () =>
    walk(fault, async (flow, ...how) => {
      await flow.say('a');
      flow.lose();
      flow.clock.advance(120);
      const { ports: faulty, calls } = flow.faulted(...how);
      await reconcileLanes(faulty).catch(() => undefined);
      expect(await flow.settle()).toEqual([]);
      expect(flow.delivered()).toEqual(['re: a']);
      return calls;
    }));
});

it('an event that is sent again while it is worked on, and long after, is answered once', async () => {
  const flow = await channelFlow(dynamo);
  await flow.say('a', 'c', null, -1, 'event');
  await Promise.all([flow.say('a', 'c', null, -1, 'event'), flow.say('a', 'c', null, -1, 'event')]);
  expect(await flow.settle()).toEqual([]);
  await flow.say('a', 'c', null, -1, 'event');
  expect(await flow.settle()).toEqual([]);
  expect(flow.delivered()).toEqual(['re: a']);
});

it('a message that the platform always fails at does not stop the replies to others', async () => {
  const flow = await channelFlow(dynamo);
  flow.how.send = async ({ texts }) => (texts[0] === 're: poison' ? platformFault('http_500') : DELIVERED);
  await flow.say('poison');
  expect(await flow.settle()).toEqual([]);
  expect(flow.died).toMatchObject([{ reason: 'http_500', attempts: 6 }]);
  expect((await flow.breakers.find(circuitOf(flow.channel)))?.state).toBe('closed');
  await flow.say('b', 'another');
  expect(await flow.settle()).toEqual([]);
  expect(flow.delivered().at(-1)).toBe('re: b');
});

it('an application that does not answer is asked four times; then its sender gets a notice, and the message is a dead letter', async () => {
  const flow = await channelFlow(dynamo);
  flow.how.answer = async () => {
    throw new AnswerFailed('provider_error', true);
  };
  await flow.say('a');
  expect(await flow.settle()).toEqual([]);
  expect(flow.asked).toHaveLength(4);
  expect(flow.delivered()).toEqual([expect.stringMatching(/^Sorry/)]);
  expect(flow.died).toMatchObject([
    { direction: 'inbound', reason: 'provider_error', message: { message: { text: 'a' } } },
  ]);
  flow.how.answer = async () => 'at last';
  await replayDeadLetter(flow.channel.workspaceId, flow.died[0]!.deadLetterId, {
    ...flow.ports,
    deadLetters: flow.deadLetters,
  });
  expect(await flow.settle()).toEqual([]);
  expect(flow.delivered().at(-1)).toBe('at last');
});

it('a message that crashes its workers is given up, and the next ones are delivered', async () => {
  const flow = await channelFlow(dynamo);
  await flow.say('poison');
  await flow.say('b');
  const message = flow.take()!;
  flow.lose();
  await failLane(message, flow.clock.now() + 60_000, flow.ports);
  expect(await flow.settle()).toEqual([]);
  expect(flow.died).toMatchObject([{ reason: 'processing_failed' }]);
  expect(flow.delivered()).toEqual(['re: b']);
});

it('a receiver that answers 410 gets no more: its channel is disabled', async () => {
  const flow = await channelFlow(dynamo);
  flow.how.send = async () => ({ kind: 'gone', code: 'http_410' });
  await flow.say('a');
  await flow.say('b', 'another');
  expect(await flow.settle()).toEqual([]);
  expect(flow.sent).toHaveLength(1);
  expect(flow.died.map(({ reason }) => reason).sort()).toEqual(['channel_disabled', 'http_410']);
  expect(await flow.channels.find(flow.channel.channelId)).toMatchObject({
    status: 'disabled',
    disabledReason: 'http_410',
  });
});

it('after a restart of a single process, all waiting messages are queued again, even leased ones', async () => {
  const flow = await channelFlow(dynamo);
  await flow.say('a');
  await flow.run(flow.take()!, 'killed before', 'application.answer');
  await flow.say('b', 'another');
  flow.lose();
  await reconcileLanes(flow.ports, { afterRestart: true });
  expect(await flow.settle()).toEqual([]);
  expect(flow.delivered().sort()).toEqual(['re: a', 're: b']);
});
