import type { EventBridgeEvent } from 'aws-lambda';
import { noteRunner } from '../domain/note-runner.ts';
import { taskOfEvent } from '../runner-tasks.ts';
import { noteRunnerPorts } from '../wiring.ts';

export const handler = async (event: EventBridgeEvent<'ECS Task State Change', unknown>): Promise<void> =>
  noteRunner(taskOfEvent(event), await noteRunnerPorts());
