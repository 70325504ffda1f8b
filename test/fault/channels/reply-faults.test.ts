import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { circuitOf } from '../../../functions/channels/domain/delivery/breaker.ts';
import { wakeLanes } from '../../../functions/channels/domain/delivery/lane-runs.ts';
import { reconcileLanes } from '../../../functions/channels/domain/delivery/reconcile-lanes.ts';
import { changeChannel } from '../../../functions/channels/domain/manage-channels.ts';
import { replayMatching } from '../../../functions/channels/domain/manage-dead-letters.ts';
import {
  channelBroken,
  DELIVERED,
  platformFault,
  refusedForGood,
  unanswered,
} from '../../../functions/channels/domain/platforms/send-outcome.ts';
import { type ChannelFlow, channelFlow, LEASE_SECONDS } from '../../helpers/channel-flow.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

it('a reply that cannot be delivered is tried six times, and those behind it wait their turn', async () => {
  const flow = await channelFlow(dynamo);
  const begunMs = flow.clock.now();
  const attemptsAt: number[] = [];
  flow.how.send = async ({ texts }) => {
    if (texts[0] !== 're: a') return DELIVERED;
    attemptsAt.push((flow.clock.now() - begunMs) / 1000);
    // Not one that the circuit breaker counts.
    return { ...platformFault('http_503'), isPlatformFault: false };
  };
  await flow.say('a');
  await flow.say('b');
  await flow.say('x', 'another conversation');
  for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
  expect(flow.delivered()).toEqual(['re: a', 're: x']);
  expect(await flow.settle()).toEqual([]);
  expect(attemptsAt).toEqual([0, 1, 3, 7, 15, 31]);
  expect(flow.died).toMatchObject([{ reason: 'http_503', attempts: 6 }]);
  expect(flow.delivered().at(-1)).toBe('re: b');
});

it('a reply is tried again at its very time, not at the next whole second that a queue can wait for', async () => {
  const flow = await channelFlow(dynamo);
  Object.assign(flow.ports, { random: () => 0.5 });
  const attemptsAt: number[] = [];
  flow.how.send = async () => {
    attemptsAt.push(flow.clock.now());
    return { ...platformFault('http_503'), isPlatformFault: false };
  };
  await flow.say('a');
  expect(await flow.settle()).toEqual([]);
  const gaps = attemptsAt.slice(1).map((atMs, index) => atMs - attemptsAt[index]!);
  expect(gaps).toEqual([1_050, 2_100, 4_200, 8_400, 16_800]);
});

it('a LINE reply whose worker dies after LINE has taken it is sent by the same token again, and never additionally by a push', async () => {
  const flow = await channelFlow(dynamo, 'line');
  await flow.say('a');
  await flow.run(flow.take('inbound')!, null, -1);
  const message = flow.take('outbound')!;
  await flow.run(message, 'killed after', 'sender.send');
  flow.put(message, LEASE_SECONDS + 60);
  expect(await flow.settle()).toEqual([]);
  expect(flow.sent.map(({ previous }) => previous)).toEqual([null, { code: '', isUnknown: true }]);
});

it.each([
  ['slack', 2],
  ['telegram', 2],
  ['line', 6],
  ['discord', 6],
  ['custom', 6],
] as const)('a reply on %s that is never answered is sent %i times', async (type, times) => {
  const flow = await channelFlow(dynamo, type);
  flow.how.send = async () => ({ ...unanswered('timeout'), isPlatformFault: false });
  await flow.say('a');
  expect(await flow.settle()).toEqual([]);
  expect(flow.sent).toHaveLength(times);
  expect(flow.died).toMatchObject([{ reason: 'timeout', attempts: times }]);
});

it('an open circuit makes new messages but the next probe dead letters without an attempt, and tried ones wait', async () => {
  const flow = await channelFlow(dynamo);
  let isDown = true;
  flow.how.send = async () => (isDown ? platformFault('http_500') : DELIVERED);
  for (let i = 0; i < 5; i++) await flow.say(`early ${i}`, `c${i}`);
  for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
  expect((await flow.breakers.find(circuitOf(flow.channel)))?.state).toBe('open');
  flow.sent.length = 0;
  await flow.say('probe', 'first');
  for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
  await flow.say('late', 'another');
  for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
  expect(flow.sent).toEqual([]);
  expect(flow.died).toMatchObject([{ reason: 'circuit_open', attempts: 0 }]);
  isDown = false;
  expect(await flow.settle()).toEqual([]);
  expect(flow.delivered()[0]).toBe('re: probe');
  expect(flow.delivered().sort()).toEqual([...[0, 1, 2, 3, 4].map((i) => `re: early ${i}`), 're: probe']);
  const until = { untilMs: Number.POSITIVE_INFINITY, now: () => 0 };
  const done = await replayMatching(flow.channel.workspaceId, { reason: 'circuit_open' }, until, {
    ...flow.ports,
    deadLetters: flow.deadLetters,
  });
  expect(done).toEqual({ replayed: 1, skipped: 0, hasMore: false });
  // In the queue of the background: replies to new messages do not wait for a bulk replay.
  const replayed = flow.take()!;
  expect(replayed.queue).toBe('low');
  flow.put(replayed, 0);
  expect(await flow.settle()).toEqual([]);
  expect(flow.delivered()).toContain('re: late');
});

describe('replies of a conversation arrive in their order', () => {
  /** Texts that the platform took, by conversation; it is down while `isDown`. */
  const played = (flow: ChannelFlow) => {
    const platform = { isDown: true, taken: [] as { conversation: string; text: string }[] };
    flow.how.send = async ({ conversationId, texts }) => {
      if (platform.isDown) return platformFault('http_503');
      platform.taken.push({ conversation: conversationId, text: texts[0]! });
      return DELIVERED;
    };
    return platform;
  };
  const work = async (flow: ChannelFlow) => {
    for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
  };
  const replayAll = (flow: ChannelFlow) =>
    replayMatching(
      flow.channel.workspaceId,
      {},
      { untilMs: Number.POSITIVE_INFINITY, now: () => 0 },
      {
        ...flow.ports,
        deadLetters: flow.deadLetters,
      },
    );
  /** An outage that opens the circuit, in conversations other than those of the tests. */
  const open = async (flow: ChannelFlow) => {
    for (let i = 0; i < 5; i++) await flow.say('x', `other ${i}`);
    await work(flow);
    expect((await flow.breakers.find(circuitOf(flow.channel)))?.state).toBe('open');
    await flow.say('x', 'the next probe');
    await work(flow);
  };
  const ofC = (platform: ReturnType<typeof played>) =>
    platform.taken.flatMap(({ conversation, text }) => (conversation === 'c' ? [text] : []));

  it('through an outage, while new messages come in, and through a replay: 500 in 20 conversations', async () => {
    const flow = await channelFlow(dynamo);
    const platform = played(flow);
    const conversations = 20;
    for (let n = 0; n < 500; n++) {
      // Back in the middle, when some replies have died, some have failed and some wait for the probe.
      if (n === 250) platform.isDown = false;
      await flow.say(String(n), `c${n % conversations}`);
      flow.clock.advance(0.2);
      await work(flow);
    }
    expect(await flow.settle()).toEqual([]);
    expect(flow.died.length).toBeGreaterThan(100);
    await replayAll(flow);
    expect(await flow.settle()).toEqual([]);
    expect(platform.taken).toHaveLength(500);
    for (let c = 0; c < conversations; c++) {
      const texts = platform.taken.flatMap(({ conversation, text }) => (conversation === `c${c}` ? [text] : []));
      expect(texts).toEqual(Array.from({ length: 25 }, (_, i) => `re: ${c + i * conversations}`));
    }
  });

  it('when the next one comes after an outage: what the circuit kept back goes first', async () => {
    const flow = await channelFlow(dynamo);
    const platform = played(flow);
    await open(flow);
    for (const text of ['a', 'b']) await flow.say(text);
    await work(flow);
    expect(flow.died.map(({ reason }) => reason)).toEqual(['circuit_open', 'circuit_open']);
    platform.isDown = false;
    expect(await flow.settle()).toEqual([]);
    expect(ofC(platform)).toEqual([]);
    await flow.say('c');
    expect(await flow.settle()).toEqual([]);
    expect(ofC(platform)).toEqual(['re: a', 're: b', 're: c']);
    expect(await flow.deadLetters.list(flow.channel.workspaceId, {}, 10, null)).toEqual([]);
  });

  it('lanes come without removed messages, and without those older than a day', async () => {
    const flow = await channelFlow(dynamo);
    const platform = played(flow);
    await open(flow);
    for (const text of ['a', 'b']) await flow.say(text);
    await work(flow);
    expect(await flow.deadLetters.remove(flow.died[0]!)).toBe(true);
    platform.isDown = false;
    expect(await flow.settle()).toEqual([]);
    await flow.say('c');
    expect(await flow.settle()).toEqual([]);
    expect(ofC(platform)).toEqual(['re: b', 're: c']);

    platform.isDown = true;
    flow.clock.advance(60);
    await open(flow);
    await flow.say('d');
    await work(flow);
    platform.isDown = false;
    flow.clock.advance(25 * 60 * 60);
    await flow.say('e');
    expect(await flow.settle()).toEqual([]);
    expect(ofC(platform)).toEqual(['re: b', 're: c', 're: e']);
  });

  it('while a bulk replay waits in the queue of the background: a new one goes through its own queue, behind the replayed', async () => {
    const flow = await channelFlow(dynamo);
    const platform = played(flow);
    flow.how.send = async () => refusedForGood('http_400');
    for (const text of ['a', 'b']) await flow.say(text);
    await work(flow);
    expect(flow.died).toHaveLength(2);
    platform.isDown = false;
    flow.how.send = async ({ conversationId, texts }) => {
      platform.taken.push({ conversation: conversationId, text: texts[0]! });
      return DELIVERED;
    };
    await replayAll(flow);
    expect(await flow.lanes.depth(flow.channel.channelId)).toEqual({ inbound: 0, high: 0, normal: 0, low: 2 });
    await flow.say('c');
    await flow.run(flow.take('inbound')!, null, -1);
    const queues = [flow.take('outbound')!, flow.take('outbound')!, flow.take('outbound')!].map(({ queue }) => queue);
    expect(queues).toEqual(['low', 'low', undefined]);
    await flow.run({ ...flow.laneMessage('c') }, null, -1);
    expect(ofC(platform)).toEqual(['re: a', 're: b', 're: c']);
  });

  it('and five that always fail close no platform: 53 others of the next minutes are delivered, but those of the first outage', async () => {
    const flow = await channelFlow(dynamo);
    flow.how.send = async ({ texts }) => (texts[0]!.startsWith('re: poison') ? platformFault('http_500') : DELIVERED);
    for (let i = 0; i < 5; i++) await flow.say(`poison ${i}`, `p${i}`);
    await work(flow);
    expect((await flow.breakers.find(circuitOf(flow.channel)))?.state).toBe('open');
    for (let n = 0; n < 53; n++) {
      await flow.say(String(n), `c${n}`);
      flow.clock.advance(5);
      await work(flow);
    }
    expect(await flow.settle()).toEqual([]);
    const early = flow.died.filter(({ reason }) => reason === 'circuit_open');
    expect(early.length).toBeLessThanOrEqual(6);
    expect(flow.delivered().filter((text) => !text.startsWith('re: poison'))).toHaveLength(53 - early.length);
    expect(flow.died.filter(({ reason }) => reason === 'http_500')).toHaveLength(5);
  });

  it('and a message that always fails alone is not an outage: it stays a dead letter', async () => {
    const flow = await channelFlow(dynamo);
    flow.how.send = async ({ texts }) => (texts[0] === 're: poison' ? platformFault('http_500') : DELIVERED);
    await flow.say('poison');
    await flow.say('b');
    expect(await flow.settle()).toEqual([]);
    await flow.say('c');
    expect(await flow.settle()).toEqual([]);
    expect(flow.sent.map(({ texts }) => texts[0])).toEqual([
      ...Array.from({ length: 6 }, () => 're: poison'),
      're: b',
      're: c',
    ]);
    expect(flow.died).toMatchObject([{ reason: 'http_500', attempts: 6 }]);
  });
});

it('a monthly limit is reported once, and holds back no reply that the platform still takes', async () => {
  const flow = await channelFlow(dynamo);
  flow.how.send = async ({ texts }) =>
    texts[0] === 're: push' ? channelBroken('monthly_limit', 'You have reached your monthly limit.') : DELIVERED;
  const work = async () => {
    for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
  };
  await flow.say('push', 'a');
  await work();
  await flow.say('free', 'b');
  await work();
  flow.clock.advance(6 * 60);
  await work();
  expect(flow.delivered().filter((text) => text !== 're: push')).toEqual(['re: free']);
  expect(flow.refused).toEqual(['monthly_limit']);
});

it('a bulk replay ends within its time, in the middle of a page, and says that there is more', async () => {
  const flow = await channelFlow(dynamo);
  flow.how.send = async () => refusedForGood('wrong');
  for (let i = 0; i < 30; i++) await flow.say('a', `c${i}`);
  await flow.settle();
  let nowMs = 0;
  const until = { untilMs: 15, now: () => nowMs++ };
  const ports = { ...flow.ports, deadLetters: flow.deadLetters };
  const done = await replayMatching(flow.channel.workspaceId, {}, until, ports);
  expect(done.hasMore).toBe(true);
  expect(done.replayed).toBeGreaterThan(0);
  expect(done.replayed).toBeLessThan(30);
});

describe('replies that an outage left behind', () => {
  const outage = async () => {
    const flow = await channelFlow(dynamo);
    const platform = { isDown: true };
    flow.how.send = async () => (platform.isDown ? platformFault('http_503') : DELIVERED);
    for (let i = 0; i < 5; i++) await flow.say(`early ${i}`, `c${i}`);
    const work = async () => {
      for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
    };
    await work();
    await flow.say('next', 'probe');
    await flow.say('late 1', 'a');
    await flow.say('late 2', 'a');
    await work();
    return { flow, platform, work };
  };

  it('are delivered in order by the reconciler, without another message in their conversation', async () => {
    const { flow, platform } = await outage();
    platform.isDown = false;
    await flow.settle();
    expect(flow.delivered()).not.toContain('re: late 1');
    await reconcileLanes(flow.ports);
    await flow.settle();
    expect(flow.delivered().filter((text) => text.startsWith('re: late'))).toEqual(['re: late 1', 're: late 2']);
    expect(await flow.deadLetters.list(flow.channel.workspaceId, {}, 10, null)).toEqual([]);
  });

  it('stay while the circuit is open, but for one that is the probe where no other message is', async () => {
    const { flow } = await outage();
    const letters = () => flow.deadLetters.list(flow.channel.workspaceId, { reason: 'circuit_open' }, 10, null);
    const before = await letters();
    await reconcileLanes(flow.ports);
    expect(await letters()).toEqual(before);
    flow.clock.advance(31);
    await reconcileLanes(flow.ports);
    expect(before.length - (await letters()).length).toBe(1);
  });
});

it('replies that wait are due at once when the channel gets another address', async () => {
  const flow = await channelFlow(dynamo);
  flow.how.send = async () => platformFault('http_503');
  await flow.say('a');
  for (let message = flow.take(); message !== null; message = flow.take()) await flow.run(message, null, -1);
  flow.lose();
  const change = (settings: object) =>
    changeChannel(
      flow.channel,
      { overlapSeconds: 0, ...settings },
      {
        ...flow.ports,
        channels: flow.channels,
        applications: { exists: async () => true },
        secrets: { seal: async () => ({}) as never },
        addresses: { refusalOf: () => null },
        onFreed: () => wakeLanes(flow.channel, flow.ports),
      },
    );
  await change({ name: 'Renamed' });
  expect(flow.take()).toBeNull();
  await change({ settings: { url: 'https://another.example.com/hook' } });
  expect(flow.take('outbound')).not.toBeNull();
});
