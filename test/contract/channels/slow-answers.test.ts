import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DynamoSlowRuns } from '../../../functions/adapters/channels/dynamo-slow-runs.ts';
import { AnswerFailed } from '../../../functions/channels/domain/answer-lane.ts';
import { channelFlow } from '../../helpers/channel-flow.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

/** Of the eight at once that a flow has. */
const MAX_SLOW_ANSWERS = 6;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

it('a workspace with as many slow answers as it may have waits; others do not, and its messages are answered later', async () => {
  const [slow, other] = [await channelFlow(dynamo, 'custom', 0), await channelFlow(dynamo)];
  const { workspaceId } = slow.channel;
  const models = Promise.withResolvers<string>();
  slow.how.answer = () => models.promise;
  for (let i = 0; i <= MAX_SLOW_ANSWERS; i++) await slow.say('a', `c${i}`);
  const running = Array.from({ length: MAX_SLOW_ANSWERS }, () => slow.run(slow.take()!, null, -1));
  await vi.waitFor(async () => {
    expect(await slow.runs.count(workspaceId, 100)).toBe(MAX_SLOW_ANSWERS);
  });

  const { verdict } = await slow.run(slow.take()!, null, -1);
  expect(verdict).toBe('ack');
  expect(slow.asked).toHaveLength(MAX_SLOW_ANSWERS);
  expect(slow.take()).toBe(null);
  await other.say('b');
  expect(await other.settle()).toEqual([]);
  expect(other.delivered()).toEqual(['re: b']);

  models.resolve('at last');
  await Promise.all(running);
  expect(await slow.runs.count(workspaceId, 100)).toBe(0);
  expect(await slow.settle()).toEqual([]);
  expect(slow.delivered()).toEqual(Array.from({ length: MAX_SLOW_ANSWERS + 1 }, () => 'at last'));
});

it('an answer that fails counts no more, nor does one whose worker is gone', async () => {
  const flow = await channelFlow(dynamo, 'custom', 0);
  const { workspaceId } = flow.channel;
  const answer = Promise.withResolvers<string>();
  flow.how.answer = () => answer.promise;
  await flow.say('a');
  const running = flow.run(flow.take()!, null, -1);
  await vi.waitFor(async () => {
    expect(await flow.runs.count(workspaceId, 100)).toBe(1);
  });
  answer.reject(new AnswerFailed('upstream_unavailable', true));
  await running;
  expect(await flow.runs.count(workspaceId, 100)).toBe(0);

  const clock = testClock();
  const runs = new DynamoSlowRuns(dynamo.client, TABLES.channels, clock);
  await runs.add(workspaceId, 'gone', clock.now() + 1_000);
  await runs.add(workspaceId, 'there', clock.now() + 10_000);
  expect(await runs.count(workspaceId, 100)).toBe(2);
  expect(await runs.count(workspaceId, 1)).toBe(1);
  clock.advance(2);
  expect(await runs.count(workspaceId, 100)).toBe(1);
});
