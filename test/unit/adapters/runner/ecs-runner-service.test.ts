import {
  DescribeServicesCommand,
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  StopTaskCommand,
  UpdateServiceCommand,
  UpdateTaskProtectionCommand,
} from '@aws-sdk/client-ecs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { EcsRunnerService } from '../../../../functions/adapters/runner/ecs-runner-service.ts';

const ecs = mockClient(ECSClient);
afterAll(() => ecs.restore());
beforeEach(() => ecs.reset());

const of = { cluster: 'the-cluster', service: 'the-service' };
const service = new EcsRunnerService(new ECSClient({ region: 'ap-northeast-2' }), of);
const arn = (id: string) => `arn:aws:ecs:ap-northeast-2:1:task/the-cluster/${id}`;

it('lists all tasks of the service, page by page, and requested ones', async () => {
  ecs.on(ListTasksCommand, { cluster: 'the-cluster', serviceName: 'the-service' }).resolves({
    taskArns: [arn('healthy')],
    nextToken: 'more',
  });
  ecs.on(ListTasksCommand, { nextToken: 'more' }).resolves({ taskArns: [arn('new'), arn('sick')] });
  const containers = [{ networkInterfaces: [{ privateIpv4Address: '10.0.0.7' }] }];
  ecs.on(DescribeTasksCommand).resolves({
    tasks: [
      {
        taskArn: arn('healthy'),
        version: 4,
        lastStatus: 'RUNNING',
        desiredStatus: 'RUNNING',
        healthStatus: 'HEALTHY',
        containers,
      },
      { taskArn: arn('new'), version: 2, lastStatus: 'PENDING', desiredStatus: 'RUNNING', healthStatus: 'UNKNOWN' },
      {
        taskArn: arn('sick'),
        version: 5,
        lastStatus: 'RUNNING',
        desiredStatus: 'RUNNING',
        healthStatus: 'UNHEALTHY',
        containers,
      },
      {
        taskArn: arn('ending'),
        version: 6,
        lastStatus: 'RUNNING',
        desiredStatus: 'STOPPED',
        healthStatus: 'HEALTHY',
        containers,
      },
    ],
    failures: [{ arn: arn('forgotten'), reason: 'MISSING' }],
  });
  const url = 'http://10.0.0.7:8080';
  expect(await service.tasks(['ending', 'forgotten', 'healthy'])).toEqual([
    { id: 'healthy', url, version: 4, state: 'up' },
    { id: 'new', url: null, version: 2, state: 'starting' },
    { id: 'sick', url, version: 5, state: 'starting' },
    { id: 'ending', url, version: 6, state: 'gone' },
    { id: 'forgotten', url: null, version: Number.MAX_SAFE_INTEGER, state: 'gone' },
  ]);
  expect(ecs.commandCalls(DescribeTasksCommand)[0]?.args[0].input).toEqual({
    cluster: 'the-cluster',
    tasks: ['ending', 'forgotten', 'healthy', 'new', 'sick'],
  });
});

it('asks for a hundred tasks a call, and for none when there are none', async () => {
  ecs.on(ListTasksCommand).resolves({ taskArns: [] });
  ecs.on(DescribeTasksCommand).resolves({});
  expect(await service.tasks([])).toEqual([]);
  expect(ecs.commandCalls(DescribeTasksCommand)).toHaveLength(0);
  await service.tasks(Array.from({ length: 101 }, (_, i) => `task-${i}`));
  expect(ecs.commandCalls(DescribeTasksCommand).map(({ args }) => args[0].input.tasks?.length)).toEqual([100, 1]);
});

it('reads and sets how many are wanted', async () => {
  ecs.on(DescribeServicesCommand).resolves({ services: [{ desiredCount: 3 }] });
  ecs.on(UpdateServiceCommand).resolves({});
  expect(await service.desiredCount()).toBe(3);
  await service.setDesiredCount(5);
  expect(ecs.commandCalls(UpdateServiceCommand)[0]?.args[0].input).toEqual({ ...of, desiredCount: 5 });
  ecs.on(DescribeServicesCommand).resolves({ services: [] });
  await expect(service.desiredCount()).rejects.toThrow('the-service');
});

it('ends a task, and protects ten a call', async () => {
  ecs.on(StopTaskCommand).resolves({});
  ecs.on(UpdateTaskProtectionCommand).resolves({});
  await service.stop('old', 'too old');
  expect(ecs.commandCalls(StopTaskCommand)[0]?.args[0].input).toEqual({
    cluster: 'the-cluster',
    task: 'old',
    reason: 'too old',
  });
  await service.protect(
    Array.from({ length: 11 }, (_, i) => `task-${i}`),
    20,
  );
  const calls = ecs.commandCalls(UpdateTaskProtectionCommand).map(({ args }) => args[0].input);
  expect(calls.map(({ tasks }) => tasks?.length)).toEqual([10, 1]);
  expect(calls[0]).toMatchObject({ protectionEnabled: true, expiresInMinutes: 20 });
});
