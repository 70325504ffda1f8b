import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DynamoRunningWork } from '../../../functions/adapters/shared/dynamo-running-work.ts';
import { ProcessRunningWork } from '../../../functions/adapters/shared/process-running-work.ts';
import type { RunningWork } from '../../../functions/shared/ports/running-work.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());
afterEach(() => void vi.useRealTimers());

const inDynamo = (clock = testClock(), kind: 'ANSWER' | 'RUN' = 'RUN') =>
  new DynamoRunningWork(dynamo.client, TABLES.runs, kind, clock);

const adapters: readonly [string, () => RunningWork][] = [
  ['of a process', () => new ProcessRunningWork()],
  ['in a table', () => inDynamo()],
];

describe.each(adapters)('running work %s', (_, make) => {
  it('has room for as many as there may be in each workspace, and for another one when one has ended', async () => {
    const [running, one, other] = [make(), randomUUID(), randomUUID()];
    const begun = await Promise.all(['a', 'b', 'c', 'd'].map((id) => running.begin(one, id, 2)));
    const ends = begun.filter((end) => end !== null);
    expect(ends).toHaveLength(2);
    expect(await running.begin(one, 'e', 2)).toBeNull();
    expect(await running.begin(other, 'a', 2)).not.toBeNull();
    await ends[0]!();
    expect(await running.begin(one, 'e', 2)).not.toBeNull();
    expect(await running.begin(one, 'f', 2)).toBeNull();
  });
});

it('work in a table whose function has died counts for 20 s', async () => {
  const [clock, workspace] = [testClock(), randomUUID()];
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const running = inDynamo(clock);
  await running.begin(workspace, 'a', 1);
  clock.advance(19);
  expect(await running.begin(workspace, 'b', 1)).toBeNull();
  clock.advance(1);
  expect(await running.begin(workspace, 'b', 1)).not.toBeNull();
});

it('work in a table counts for as long as its function renews it, and no longer', async () => {
  const [clock, workspace] = [testClock(), randomUUID()];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const running = inDynamo(clock);
  const end = await running.begin(workspace, 'a', 1);
  for (let n = 0; n < 5; n++) {
    clock.advance(7);
    vi.advanceTimersByTime(7_000);
    // The renewal was sent before it.
    expect(await running.begin(workspace, `other ${n}`, 1)).toBeNull();
  }
  await end!();
  expect(vi.getTimerCount()).toBe(0);
  expect(await running.begin(workspace, 'b', 1)).not.toBeNull();
});

it('a renewal that arrives after the end of its work brings none back', async () => {
  const workspace = randomUUID();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const client = dynamo.newClient();
  const [sent, deleted, refused] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  client.middlewareStack.add((next, { commandName }) => async (args) => {
    if (commandName !== 'UpdateItemCommand') return next(args);
    sent!.resolve();
    await deleted!.promise;
    return next(args).finally(refused!.resolve);
  });
  const running = new DynamoRunningWork(client, TABLES.runs, 'RUN', testClock());
  const end = await running.begin(workspace, 'a', 1);
  vi.advanceTimersByTime(7_000);
  await sent!.promise;
  await end!();
  deleted!.resolve();
  await refused!.promise;
  expect(await running.begin(workspace, 'b', 1)).not.toBeNull();
  client.destroy();
});

it('kinds of work in one table are counted apart', async () => {
  const [clock, workspace] = [testClock(), randomUUID()];
  expect(await inDynamo(clock, 'RUN').begin(workspace, 'a', 1)).not.toBeNull();
  expect(await inDynamo(clock, 'ANSWER').begin(workspace, 'a', 1)).not.toBeNull();
});
