import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { cronTimes } from '../../../functions/adapters/workflows/cron-times.ts';
import { DynamoRuns } from '../../../functions/adapters/workflows/dynamo-runs.ts';
import { DynamoTriggers } from '../../../functions/adapters/workflows/dynamo-triggers.ts';
import { DynamoWorkflows } from '../../../functions/adapters/workflows/dynamo-workflows.ts';
import { RunContents } from '../../../functions/adapters/workflows/run-contents.ts';
import { Recent } from '../../../functions/shared/recent.ts';
import { fireSchedules } from '../../../functions/workflows/domain/triggers/fire-schedules.ts';
import type { Trigger } from '../../../functions/workflows/domain/triggers/trigger.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { defaultDataSettings, instantBackoff, memoryBucket } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const MINUTE_MS = 60_000;

/** A workflow with a schedule, over the embedded DynamoDB. */
async function scheduled(cron = '* * * * *') {
  const clock = testClock();
  const id = { workspaceId: `ws_${randomBytes(8).toString('hex')}`, workflowId: ulidIds.next('wf') };
  const workflows = new DynamoWorkflows(dynamo.client, TABLES.workflows, instantBackoff);
  const triggers = new DynamoTriggers(dynamo.client, TABLES.workflows, new Recent(clock));
  const runs = new DynamoRuns(dynamo.client, TABLES.runs, new RunContents(memoryBucket().large), clock);
  const draft = graph([node('start', 'start')], []);
  const at = new Date(clock.now()).toISOString();
  const workflow = { ...id, name: 'W', description: '', draft, version: 1, createdAt: at, updatedAt: at };
  await workflows.create({ ...workflow, publishedVersion: null });
  const version = { ...id, number: 1, graph: draft, publishedAt: at, note: '' };
  const seen = (await workflows.find(id))!;
  await workflows.replace(seen, { ...seen, publishedVersion: 1, version: 2 }, version);
  const source = { kind: 'schedule', cron, timeZone: 'UTC' } as const;
  const trigger: Trigger = {
    ...{ ...id, triggerId: ulidIds.next('trg'), name: 'T', isEnabled: true, inputs: {}, query: '', source },
    ...{ createdAtMs: clock.now(), version: 1, dueAtMs: cronTimes.next(source, clock.now()), lastFiredAtMs: null },
  };
  await triggers.create(trigger);
  const parts = { workflows, triggers, runs, queue: { send: async () => undefined } };
  const calm = {
    ...{ cron: cronTimes, ids: ulidIds, clock, random: randomBytes, serviceUrl: '', dataSettings: defaultDataSettings },
    ...{ onFault: () => undefined, onFiringFault: () => undefined },
  };
  const own = {
    async *due(untilMs: number) {
      for await (const due of triggers.due(untilMs)) if (due.workspaceId === id.workspaceId) yield due;
    },
    advance: triggers.advance.bind(triggers),
    drop: triggers.drop.bind(triggers),
  };
  return {
    clock,
    triggers,
    trigger,
    async fire(fault: Fault | null = null, call: number | string = -1) {
      const { ports, calls } = faultyPorts({ ...parts, schedules: own }, fault, call);
      await fireSchedules({ ...ports, ...calm }).catch(() => undefined);
      return calls;
    },
    /** The minutes for which runs were started, counted from the first one that was due. */
    async minutes() {
      const found = await runs.list(id.workspaceId, id.workflowId, 100, null);
      return found.map((run) => (run.trigger.plannedAtMs! - trigger.dueAtMs!) / MINUTE_MS).sort((a, b) => a - b);
    },
  };
}

describe.each(['killed before', 'killed after', 'fails before', 'answer lost'] as const)(
  '%s at every port call',
  (fault) => {
    it('of a schedule that fires: its minute starts one run, and so does the next one', async () => {
      const first = await scheduled();
      first.clock.advance(60);
      const calls = await first.fire();
      expect(calls).toContain('runs.create');
      for (const at of sampledCalls(calls.length)) {
        const flow = await scheduled();
        flow.clock.advance(60);
        await flow.fire(fault, at);
        await flow.fire();
        await flow.fire();
        expect([at, await flow.minutes()]).toEqual([at, [0]]);
        flow.clock.advance(60);
        await flow.fire();
        expect([at, await flow.minutes()]).toEqual([at, [0, 1]]);
      }
    });
  },
);

it('functions that fire a schedule at the same moment start one run', async () => {
  const flow = await scheduled();
  flow.clock.advance(60);
  await Promise.all([flow.fire(), flow.fire(), flow.fire()]);
  expect(await flow.minutes()).toEqual([0]);
});

it('after an outage the newest missed minute starts a run, and one that is too long ago none', async () => {
  const flow = await scheduled();
  flow.clock.advance(10 * 60);
  await flow.fire();
  expect(await flow.minutes()).toEqual([9]);
  const yearly = await scheduled('0 0 1 1 *');
  yearly.clock.advance(366 * 24 * 60 * 60);
  await yearly.fire();
  expect(await yearly.minutes()).toEqual([]);
  expect((await yearly.triggers.find(yearly.trigger))!.dueAtMs).toBeGreaterThan(yearly.clock.now());
});

it('a clock that jumps back and forth starts no minute twice, and leaves none out afterwards', async () => {
  const flow = await scheduled();
  flow.clock.advance(60);
  await flow.fire();
  for (const jump of [-3_600, 3_000, -7_200, 7_800]) {
    flow.clock.advance(jump);
    await flow.fire();
  }
  expect(await flow.minutes()).toEqual([0]);
  for (const _ of [1, 2]) {
    flow.clock.advance(60);
    await flow.fire();
  }
  expect(await flow.minutes()).toEqual([0, 1, 2]);
});

it('a schedule whose trigger is gone leaves the list', async () => {
  const flow = await scheduled();
  await dynamo.client.send(
    new (await import('@aws-sdk/lib-dynamodb')).DeleteCommand({
      TableName: TABLES.workflows,
      Key: {
        pk: `WORKSPACE#${flow.trigger.workspaceId}`,
        sk: `TRIGGER#${flow.trigger.workflowId}#${flow.trigger.triggerId}`,
      },
    }),
  );
  flow.clock.advance(60);
  await flow.fire();
  for await (const due of flow.triggers.due(Number.MAX_SAFE_INTEGER / 10))
    expect(due.triggerId).not.toBe(flow.trigger.triggerId);
});
