import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { failPorts } from '../../wiring/channels/channels.ts';
import { failLane } from '../domain/fail-lane.ts';
import { laneMessages } from '../lane-messages.ts';

const ports = failPorts();

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(event, laneMessages, (message) =>
    failLane(message, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
  );
