import { describe, expect, it } from 'vitest';
import { taskOfEvent } from '../../../functions/adapters/runner/ecs-runner-tasks.ts';
import type { RunnerTask } from '../../../functions/sandbox/domain/reconcile-pool.ts';
import { registerRunner } from '../../../functions/sandbox/domain/register-runner.ts';
import type { AvailableLanguage } from '../../../functions/sandbox/domain/sandbox-pool.ts';

const RUBY: AvailableLanguage = { name: 'ruby', version: '3.1' };
const TASK: RunnerTask = { id: 'f5bc', url: 'http://10.0.1.5:8080', version: 4, state: 'up' };

/** An event of EventBridge about a task. */
const change = (detail: object) => ({
  detail: {
    clusterArn: 'arn:aws:ecs:ap-northeast-2:1:cluster/runners',
    taskArn: 'arn:aws:ecs:ap-northeast-2:1:task/runners/f5bc',
    version: 4,
    lastStatus: 'RUNNING',
    desiredStatus: 'RUNNING',
    containers: [{ name: 'runner', networkInterfaces: [{ attachmentId: 'a', privateIpv4Address: '10.0.1.5' }] }],
    ...detail,
  },
});

async function register(task: RunnerTask, silentTimes = 0) {
  const done: unknown[] = [];
  let asked = 0;
  const outcome = await registerRunner(task, {
    store: {
      recordTask: async ({ state }) => void done.push(state),
      saveLanguages: async (languages) => void done.push(languages),
    },
    client: {
      languages: async ({ url }) => {
        expect(url).toBe(task.url);
        if (asked++ < silentTimes) throw new Error('ECONNREFUSED');
        return [RUBY];
      },
    },
    pause: async () => undefined,
  }).catch((error: Error) => error);
  return { outcome, done, asked };
}

describe('an event of a task', () => {
  it.each<[string, object, Partial<RunnerTask>]>([
    ['that runs', {}, TASK],
    ['that starts', { lastStatus: 'PENDING' }, { state: 'starting' }],
    ['without an address yet', { containers: [{}] }, { state: 'starting', url: null }],
    ['that is to end', { desiredStatus: 'STOPPED' }, { state: 'gone' }],
    ['that has ended', { lastStatus: 'STOPPED', desiredStatus: 'STOPPED', containers: [] }, { state: 'gone' }],
  ])('%s', (_, detail, expected) => {
    expect(taskOfEvent(change(detail))).toMatchObject(expected);
  });

  it('an invalid one is refused', () => {
    expect(() => taskOfEvent({ detail: { taskArn: 'x' } })).toThrow();
  });
});

describe('a task that runs', () => {
  it('is registered with its languages when it answers, which may take it a while', async () => {
    expect(await register(TASK, 5)).toMatchObject({ done: [[RUBY], 'up'], asked: 6 });
  });

  it('is not registered when it never answers', async () => {
    expect(await register(TASK, 1_000)).toMatchObject({ outcome: new Error('ECONNREFUSED'), done: [] });
  });
});

it('a task that ends is recorded without a request to it', async () => {
  expect(await register({ ...TASK, state: 'gone' })).toMatchObject({ done: ['gone'], asked: 0 });
});
