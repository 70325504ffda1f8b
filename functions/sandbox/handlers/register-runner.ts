import type { EventBridgeEvent } from 'aws-lambda';
import { registerPorts } from '../../wiring/sandbox/sandbox.ts';
import { registerRunner } from '../domain/register-runner.ts';
import { taskOfEvent } from '../runner-tasks.ts';

export const handler = async (event: EventBridgeEvent<'ECS Task State Change', unknown>): Promise<void> =>
  registerRunner(taskOfEvent(event), await registerPorts());
