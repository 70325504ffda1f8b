import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { queueByUrl } from '../../adapters/sqs/queue-by-url.ts';
import { DynamoTriggers } from '../../adapters/workflows/dynamo-triggers.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoize } from '../../shared/memoize.ts';
import type { ServiceEvents } from '../../shared/ports/service-events.ts';
import { Recent } from '../../shared/recent.ts';
import type { EventMessage } from '../../workflows/domain/triggers/queue-by-event.ts';
import type { Trigger } from '../../workflows/domain/triggers/trigger.ts';

export const recentTriggers = memoize(() => new Recent<readonly Trigger[]>(systemClock));

/** Looks up which triggers of a workspace wait for an event, and sends each of them a message. */
export const serviceEvents = memoize((): ServiceEvents => {
  const queue = queueByUrl<EventMessage>(environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL);
  const triggers = new DynamoTriggers(dynamoClient(), environment('WORKFLOWS_TABLE').WORKFLOWS_TABLE, recentTriggers());
  return {
    async publish(workspaceId, type, make) {
      try {
        const found = (await triggers.listEvents(workspaceId)).filter(
          ({ source, isEnabled }) => isEnabled && source.kind === 'event' && source.event === type,
        );
        const events = found.length === 0 ? [] : await make();
        const messages = events.flatMap((event) =>
          found.map(({ workflowId, triggerId }) => ({ workspaceId, workflowId, triggerId, event })),
        );
        if (messages.length > 0) await queue.send(messages);
      } catch (error) {
        logger().error('Workflows could not be notified of an event', { workspaceId, type, error: error as Error });
      }
    },
  };
});
