import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { answerPorts, queue } from '../../wiring/channels/channels.ts';
import { answerLane } from '../domain/answer-lane.ts';
import { inboundMessages } from '../lane-messages.ts';

const ports = answerPorts();
const inbound = queue('channel-inbound');

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    inboundMessages,
    (message) => answerLane(message, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    inbound,
  );
