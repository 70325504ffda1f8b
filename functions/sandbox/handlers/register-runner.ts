import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBridgeEvent } from 'aws-lambda';
import { runnerClient, runnerRegistry } from '../../adapters/runner/fargate-sandbox-pool.ts';
import { registerRunner } from '../domain/register-runner.ts';
import { taskOfEvent } from '../runner-tasks.ts';

const ports = { store: runnerRegistry(), client: runnerClient(0), pause: (ms: number) => sleep(ms) };

export const handler = (event: EventBridgeEvent<'ECS Task State Change', unknown>): Promise<void> =>
  registerRunner(taskOfEvent(event), ports);
