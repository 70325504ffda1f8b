import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoOutbox } from '../../../functions/adapters/accounts/dynamo-outbox.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { announce } from '../../../functions/channels/domain/announce.ts';
import { channelFlow } from '../../helpers/channel-flow.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
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

/** A run that waits for an approval whose node notifies a channel and a member. */
async function waiting(timeoutHours = 24) {
  const channel = await channelFlow(dynamo);
  const { workspaceId, channelId } = channel.channel;
  const notify = { channel_id: channelId, to: 'staff', emails: ['kim@example.com'] };
  const ask = node('ask', 'approval', { message: 'Pay?', timeout_hours: timeoutHours, notify });
  const shared = { ...sharedFlow(), workspaceId, clock: channel.clock };
  const { channels, queues } = channel.ports;
  const stores = { channels, lanes: channel.lanes, queues };
  const flow = runFlow(
    dynamo,
    graph(
      [node('start', 'start'), ask, node('say', 'answer', { text: 'Paid.' })],
      ['start > ask', 'ask:approved > say'],
    ),
    () => ({}),
    {
      shared,
      voice: {
        ...{ stores, conversation: null, say: async () => undefined },
        write: (message, ports) =>
          announce(message, {
            ...(ports as typeof stores),
            ids: ulidIds,
            clock: channel.clock,
            onUnsent: () => undefined,
          }),
      },
    },
  );
  const notified = async () => {
    await channel.settle();
    const due = await new DynamoOutbox(dynamo.client, TABLES.accounts).due(channel.clock.now());
    const mails = due.flatMap(({ notice }) => ('kind' in notice && notice.kind === 'decision' ? [notice] : []));
    return {
      messages: channel.delivered().length,
      mails: mails.filter((mail) => mail.workspaceId === workspaceId).map(({ to }) => to),
    };
  };
  /** The reconciler, and what it sends, until nothing changes. */
  const settle = async () => {
    for (let round = 0; round < 3; round++) {
      channel.clock.advance(600);
      await flow.reconcile();
    }
  };
  return { flow, notified, settle };
}

const ONCE = { messages: 1, mails: [['kim@example.com']] };

describe.each(FAULTS)('%s at every port call that leads to the notice of an approval', (fault) => {
  it('in the function of the request, people are notified once', async () => {
    const first = await waiting();
    const calls = await first.flow.begin();
    expect(await first.notified()).toEqual({ messages: 0, mails: [] });
    expect(first.flow.messages.length).toBe(1);
    for (const at of sampledCalls(calls.length, calls.indexOf('runs.create') + 1)) {
      const { flow, notified, settle } = await waiting();
      await flow.begin(fault, at);
      await settle();
      expect([at, (await flow.stored())?.head.status, await notified()]).toEqual([at, 'waiting', ONCE]);
    }
  });

  it('in the worker, people are notified once, also if it is resumed again', async () => {
    const first = await waiting();
    await first.flow.begin();
    const calls = await first.flow.deliver();
    expect(calls).toEqual(expect.arrayContaining(['lanes.appendOnce', 'queues.send', 'leases.append']));
    expect(await first.notified()).toEqual(ONCE);
    for (const at of sampledCalls(calls.length)) {
      const { flow, notified, settle } = await waiting();
      await flow.begin();
      await flow.deliver(fault, at);
      await settle();
      expect([at, (await flow.stored())?.head.status, await notified()]).toEqual([at, 'waiting', ONCE]);
      await flow.approve();
      await settle();
      expect([at, (await flow.stored())?.head.status, await notified()]).toEqual([at, 'succeeded', ONCE]);
    }
  });
});
