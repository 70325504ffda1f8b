import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DynamoRunningWork } from '../../../functions/adapters/shared/dynamo-running-work.ts';
import { AnswerFailed } from '../../../functions/channels/domain/answer-lane.ts';
import { DeliveryShares } from '../../../functions/channels/domain/delivery/delivery-shares.ts';
import { DELIVERED } from '../../../functions/channels/domain/platforms/send-outcome.ts';
import { channelFlow } from '../../helpers/channel-flow.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

/** Of the eight at once that a flow has. */
const MAX_ANSWERS = 6;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

it('a workspace with as many answers as it may have waits; others do not, and its messages are answered later', async () => {
  const [greedy, other] = [await channelFlow(dynamo), await channelFlow(dynamo)];
  const models = Promise.withResolvers<string>();
  greedy.how.answer = () => models.promise;
  const conversations = 8;
  for (let i = 0; i < conversations; i++) await greedy.say('a', `c${i}`);
  // At the same moment, before any of them is slow.
  const running = Array.from({ length: conversations }, () => greedy.run(greedy.take()!, null, -1));
  await vi.waitFor(() => expect(greedy.asked).toHaveLength(MAX_ANSWERS));
  await other.say('b');
  expect(await other.settle()).toEqual([]);
  expect(other.delivered()).toEqual(['re: b']);
  expect(greedy.asked).toHaveLength(MAX_ANSWERS);

  models.resolve('at last');
  await Promise.all(running);
  expect(await greedy.settle()).toEqual([]);
  expect(greedy.delivered()).toEqual(Array.from({ length: conversations }, () => 'at last'));
});

it('an answer that fails counts no more, nor does one whose worker is gone', async () => {
  const flow = await channelFlow(dynamo);
  const { workspaceId } = flow.channel;
  flow.how.answer = async () => {
    throw new AnswerFailed('upstream_unavailable', true);
  };
  for (let i = 0; i < 2 * MAX_ANSWERS; i++) await flow.say('a', `c${i}`);
  for (let message = flow.take('inbound'); message !== null; message = flow.take('inbound'))
    await flow.run(message, null, -1);
  expect(flow.asked).toHaveLength(2 * MAX_ANSWERS);

  const clock = testClock();
  const running = new DynamoRunningWork(dynamo.client, TABLES.channels, 'ANSWER', clock);
  const begin = (id: string) => running.begin(workspaceId, id, 2);
  const first = await begin('1');
  await begin('2');
  expect(await begin('3')).toBeNull();
  await first!();
  expect(await begin('4')).not.toBeNull();
  expect(await begin('5')).toBeNull();
  clock.advance(21);
  expect(await begin('6')).not.toBeNull();
});

it('a workspace whose receivers hang holds no more than its share of the deliveries', async () => {
  const flow = await channelFlow(dynamo);
  const receivers = Promise.withResolvers<void>();
  const begun: string[] = [];
  flow.how.send = async ({ conversationId }) => {
    begun.push(conversationId);
    await receivers.promise;
    return DELIVERED;
  };
  for (let i = 0; i < 5; i++) await flow.say('a', `c${i}`);
  for (let message = flow.take('inbound'); message !== null; message = flow.take('inbound'))
    await flow.run(message, null, -1);
  const running = Array.from({ length: 5 }, () => flow.run(flow.take('outbound')!, null, -1));
  // Those beyond the share end, and free their workers, while the others hang.
  expect((await Promise.all(running.slice(3))).map(({ verdict }) => verdict)).toEqual(['ack', 'ack']);
  expect(begun).toHaveLength(3);
  receivers.resolve();
  await Promise.all(running);
  expect(await flow.settle()).toEqual([]);
  expect(flow.delivered()).toHaveLength(5);
});

it('a delivery waits a moment for one of its workspace that ends soon', async () => {
  const shares = new DeliveryShares(1, { clock: testClock(), pause: () => new Promise(() => undefined) });
  const first = Promise.withResolvers<void>();
  const one = shares.within('ws', () => first.promise);
  const two = shares.within('ws', async () => undefined);
  expect(await shares.within('other', async () => undefined)).toEqual({ kind: 'delivered' });
  first.resolve();
  expect(await Promise.all([one, two])).toEqual([{ kind: 'delivered' }, { kind: 'delivered' }]);
});

it('one delivery waits, further ones give way at once, for longer where the receiver is slow', async () => {
  const clock = testClock();
  const patience = Promise.withResolvers<void>();
  const shares = new DeliveryShares(1, { clock, pause: () => patience.promise });
  const receiver = Promise.withResolvers<void>();
  const hanging = shares.within('ws', () => receiver.promise);
  const waiting = shares.within('ws', async () => undefined);
  expect(await shares.within('ws', async () => undefined)).toEqual({ kind: 'full', isSlow: false });
  clock.advance(3);
  expect(await shares.within('ws', async () => undefined)).toEqual({ kind: 'full', isSlow: true });
  patience.resolve();
  expect(await waiting).toEqual({ kind: 'full', isSlow: true });
  receiver.resolve();
  expect(await hanging).toEqual({ kind: 'delivered' });
  expect(await shares.within('ws', async () => undefined)).toEqual({ kind: 'delivered' });
});
