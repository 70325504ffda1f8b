import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoConversations } from '../../../functions/adapters/chat/dynamo-conversations.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import type { Origin } from '../../../functions/channels/domain/replies.ts';
import { replyLater } from '../../../functions/channels/domain/reply-later.ts';
import { recordLaterAnswer } from '../../../functions/chat/domain/record-later-answer.ts';
import type { JsonObject } from '../../../functions/workflows/domain/graph/graph.ts';
import { type ChannelFlow, channelFlow } from '../../helpers/channel-flow.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { defaultDataSettings, instantBackoff } from '../../helpers/fakes.ts';
import type { Fault } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { runFlow, type Voice } from '../../helpers/workflows/run-flow.ts';

const FAULTS: readonly Fault[] = ['killed before', 'killed after', 'fails before', 'answer lost'];

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const ask = node('ask', 'approval', { message: '?' });
const post = node('post', 'http_request', { url: 'https://example.com' }, { retry: { maxAttempts: 3, delayMs: 0 } });
const say = (id: string, text: string) => node(id, 'answer', { text });
const paid = graph(
  [node('start', 'start'), say('first', 'One moment.'), ask, post, say('say', 'Paid {{post.n}}.')],
  ['start > first', 'start > ask', 'ask:approved > post', 'post > say'],
);
const origin: Origin = { conversationId: 'c', replyTo: { conversation_id: 'c' }, text: 'Pay' };

/** A conversation on a channel, whose stores are real ones. */
function voiceOn(channel: ChannelFlow): { voice: Voice; conversations: DynamoConversations } {
  const { clock } = channel;
  const conversations = new DynamoConversations(dynamo.client, TABLES.conversations, null, {
    ...{ clock, ids: ulidIds, backoff: instantBackoff, process: null },
  });
  const { workspaceId, channelId } = channel.channel;
  const stores = {
    conversations,
    lanes: channel.lanes,
    channels: channel.ports.channels,
    queues: channel.ports.queues,
  };
  return {
    conversations,
    voice: {
      stores,
      conversation: {
        ...({
          kind: 'chat',
          caller: { kind: 'channel', id: channelId },
          applicationId: 'app',
          sessionId: 's',
        } as const),
        conversation: { turnId: 'chatcmpl-1', isKept: true, origin: origin as unknown as JsonObject },
      },
      async say(_, { key, text, hasFailed }, ports) {
        const used = ports as typeof stores;
        const usage = { record: async () => undefined };
        const history = { ...used, usage, dataSettings: defaultDataSettings, clock };
        const completionId = () => ulidIds.next('chatcmpl').replace('_', '-');
        if (text !== '')
          await recordLaterAnswer(
            sessionOf(channel),
            { key, turnId: 'chatcmpl-1', text, files: [] },
            { ...history, completionId },
          );
        const onUnsent = () => undefined;
        await replyLater(
          { key, workspaceId, channelId, origin, text, hasFailed },
          { ...used, ids: ulidIds, clock, onUnsent },
        );
      },
    },
  };
}

const sessionOf = ({ channel: { workspaceId, channelId } }: ChannelFlow) =>
  ({ workspaceId, applicationId: 'app', caller: { kind: 'channel', id: channelId }, sessionId: 's' }) as const;

/** A run that waits, and whose request has ended; approved. */
async function approved() {
  const channel = await channelFlow(dynamo);
  const { voice, conversations } = voiceOn(channel);
  const shared = {
    workspaceId: `ws_${randomBytes(8).toString('hex')}`,
    clock: channel.clock,
    messages: [],
    done: new Map(),
  };
  let n = 0;
  const flow = runFlow(dynamo, paid, () => ({ n: ++n }), { shared, voice });
  await flow.begin();
  const said = async () => {
    await channel.settle();
    const { history } = await conversations.read(sessionOf(channel), null);
    return { delivered: channel.delivered(), history: history.map(({ answer }) => answer.content) };
  };
  return { flow, channel, said };
}

it('a run that ends in its request says nothing later', async () => {
  const { flow, said } = await approved();
  await flow.approve();
  await flow.deliver();
  expect((await flow.stored())?.head.status).toBe('succeeded');
  expect(await said()).toEqual({ delivered: [], history: [] });
  expect(await flow.leave(1)).toBe(false);
});

describe.each(FAULTS)('%s at every port call of the worker that continues after an approval', (fault) => {
  it('the answer is delivered and in the history, once', async () => {
    const once = { delivered: ['Paid 1.'], history: ['Paid 1.'] };
    const first = await approved();
    await first.flow.leave(1);
    await first.flow.approve();
    const calls = await first.flow.deliver();
    expect(await first.said()).toEqual(once);
    expect(calls).toEqual(expect.arrayContaining(['conversations.append', 'lanes.appendOnce', 'queues.send']));
    for (const at of sampledCalls(calls.length)) {
      const { flow, said } = await approved();
      await flow.leave(1);
      await flow.approve();
      await flow.deliver(fault, at);
      await flow.settle();
      expect([at, (await flow.stored())?.head.status, flow.done.size]).toEqual([at, 'succeeded', 1]);
      expect([at, await said()]).toEqual([at, once]);
    }
  });
});

it('an answer that is recorded at the moment when the request ends is said all the same', async () => {
  const { flow, said } = await approved();
  await flow.approve();
  let left = false;
  // After the worker has read the number of said answers, before the run ends.
  await flow.deliver(async () => {
    if (!left) expect(await flow.leave(1)).toBe(true);
    left = true;
  }, 'leases.rest');
  expect(left).toBe(true);
  expect((await flow.stored())?.head.status).toBe('succeeded');
  expect(await said()).toEqual({ delivered: ['Paid 1.'], history: ['Paid 1.'] });
});

it('a run that is cancelled by the staff ends with the notice of a failure on the channel', async () => {
  const { flow, said } = await approved();
  await flow.leave(1);
  await flow.cancelWith();
  await flow.deliver();
  expect((await flow.stored())?.head.status).toBe('cancelled');
  const { delivered, history } = await said();
  expect(delivered).toEqual(['Sorry, I could not answer this message. Please try again later.']);
  expect(history).toEqual([]);
});

it('an answer that comes after the channel was removed is in the history alone', async () => {
  const { flow, channel, said } = await approved();
  await flow.leave(1);
  await flow.approve();
  const { channelId } = channel.channel;
  await channel.channels.remove((await channel.channels.find(channelId))!);
  await flow.deliver();
  expect((await flow.stored())?.head.status).toBe('succeeded');
  expect(await said()).toEqual({ delivered: [], history: ['Paid 1.'] });
});
