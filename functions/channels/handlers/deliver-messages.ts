import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { deliverPorts } from '../../wiring/channels/channels.ts';
import { deliverLane } from '../domain/delivery/deliver-lane.ts';
import { outboundMessages } from '../lane-messages.ts';

const ports = deliverPorts();

/** Of three queues: a message whose worker failed comes again after the time-out of its queue. */
export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(event, outboundMessages, (message) =>
    deliverLane(message, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
  );
