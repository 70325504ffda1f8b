import type { EventBridgeEvent } from 'aws-lambda';
import { taskOfEvent } from '../../adapters/runner/ecs-runner-tasks.ts';
import { registerPorts } from '../../wiring/sandbox/sandbox.ts';
import { registerRunner } from '../domain/register-runner.ts';

export const handler = async (event: EventBridgeEvent<'ECS Task State Change', unknown>): Promise<void> =>
  registerRunner(taskOfEvent(event), await registerPorts());
