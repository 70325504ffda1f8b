import type { EventBridgeEvent } from 'aws-lambda';
import { registerPorts, runnerTaskOf } from '../../wiring/sandbox/sandbox.ts';
import { registerRunner } from '../domain/register-runner.ts';

export const handler = async (event: EventBridgeEvent<'ECS Task State Change', unknown>): Promise<void> =>
  registerRunner(runnerTaskOf(event), await registerPorts());
