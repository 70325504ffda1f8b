import {
  DescribeServicesCommand,
  DescribeTasksCommand,
  type ECSClient,
  paginateListTasks,
  StopTaskCommand,
  type Task,
  UpdateServiceCommand,
  UpdateTaskProtectionCommand,
} from '@aws-sdk/client-ecs';
import type { RunnerService, RunnerTask } from '../../sandbox/domain/reconcile-pool.ts';
import { chunks } from '../../shared/chunks.ts';
import { runnerUrl, taskIdOf } from './ecs-runner-tasks.ts';

/** Limits of one call. */
const MAX_TASKS_PER_CALL = 100;
const MAX_PROTECTED_PER_CALL = 10;

/** The ECS service whose tasks are runners. */
export class EcsRunnerService implements RunnerService {
  readonly #client: ECSClient;
  readonly #of: { readonly cluster: string; readonly service: string };

  constructor(client: ECSClient, of: { readonly cluster: string; readonly service: string }) {
    this.#client = client;
    this.#of = of;
  }

  async desiredCount(): Promise<number> {
    const { cluster, service } = this.#of;
    const { services = [] } = await this.#client.send(new DescribeServicesCommand({ cluster, services: [service] }));
    const [found] = services;
    if (found?.desiredCount === undefined) throw new Error(`There is no service ${service}.`);
    return found.desiredCount;
  }

  async setDesiredCount(desiredCount: number): Promise<void> {
    await this.#client.send(new UpdateServiceCommand({ ...this.#of, desiredCount }));
  }

  async tasks(ids: readonly string[]): Promise<readonly RunnerTask[]> {
    const { cluster, service } = this.#of;
    const all = new Set(ids);
    for await (const { taskArns = [] } of paginateListTasks(
      { client: this.#client },
      { cluster, serviceName: service },
    ))
      for (const arn of taskArns) all.add(taskIdOf(arn));
    const found: RunnerTask[] = [];
    for (const some of chunks([...all], MAX_TASKS_PER_CALL)) {
      const { tasks = [], failures = [] } = await this.#client.send(
        new DescribeTasksCommand({ cluster, tasks: [...some] }),
      );
      found.push(...tasks.map(runnerTask));
      // Stopped so long ago that ECS has forgotten it.
      const missing = failures.filter(({ reason }) => reason === 'MISSING');
      for (const { arn = '' } of missing)
        found.push({ id: taskIdOf(arn), url: null, version: Number.MAX_SAFE_INTEGER, state: 'gone' });
    }
    return found;
  }

  async stop(task: string, reason: string): Promise<void> {
    await this.#client.send(new StopTaskCommand({ cluster: this.#of.cluster, task, reason }));
  }

  async protect(ids: readonly string[], expiresInMinutes: number): Promise<void> {
    const { cluster } = this.#of;
    for (const some of chunks(ids, MAX_PROTECTED_PER_CALL))
      await this.#client.send(
        new UpdateTaskProtectionCommand({ cluster, tasks: [...some], protectionEnabled: true, expiresInMinutes }),
      );
  }
}

function runnerTask({
  taskArn = '',
  version = 0,
  lastStatus,
  desiredStatus,
  healthStatus,
  containers,
}: Task): RunnerTask {
  const address = containers?.flatMap(({ networkInterfaces = [] }) => networkInterfaces)[0]?.privateIpv4Address;
  const runs = lastStatus === 'RUNNING' && desiredStatus === 'RUNNING';
  const ends = desiredStatus === 'STOPPED' || lastStatus === 'STOPPED';
  return {
    id: taskIdOf(taskArn),
    url: address === undefined ? null : runnerUrl(address),
    version,
    state: ends ? 'gone' : runs && healthStatus === 'HEALTHY' ? 'up' : 'starting',
  };
}
