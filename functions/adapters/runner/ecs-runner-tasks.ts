import type { EventBridgeEvent } from 'aws-lambda';
import * as z from 'zod';
import type { RunnerTask } from '../../sandbox/domain/reconcile-pool.ts';

/** Port of the runner in a task. */
export const RUNNER_PORT = 8080;

export const runnerUrl = (address: string): string => `http://${address}:${RUNNER_PORT}`;

export const taskIdOf = (taskArn: string): string => taskArn.slice(taskArn.lastIndexOf('/') + 1);

/** `detail` of the events "ECS Task State Change". */
const taskChange = z.object({
  taskArn: z.string(),
  version: z.number(),
  lastStatus: z.string(),
  desiredStatus: z.string(),
  containers: z
    .array(z.object({ networkInterfaces: z.array(z.object({ privateIpv4Address: z.string().optional() })).optional() }))
    .optional(),
});

/** State of a runner's task by an event. 'up': it has been started, and may not answer yet. */
export function taskOfEvent({ detail }: Pick<EventBridgeEvent<string, unknown>, 'detail'>): RunnerTask {
  const { taskArn, version, lastStatus, desiredStatus, containers = [] } = taskChange.parse(detail);
  const address = containers.flatMap(({ networkInterfaces = [] }) => networkInterfaces)[0]?.privateIpv4Address;
  const url = address === undefined ? null : runnerUrl(address);
  const state = desiredStatus === 'STOPPED' ? 'gone' : lastStatus === 'RUNNING' && url !== null ? 'up' : 'starting';
  return { id: taskIdOf(taskArn), url, version, state };
}
