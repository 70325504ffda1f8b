import type { LaneQueues } from '../../channels/domain/delivery/delivery-ports.ts';
import type { LaneMessage } from '../../channels/domain/delivery/messages.ts';
import type { QueueId } from '../../shared/resources.ts';
import type { MessageQueue } from '../sqs/queue-by-url.ts';

export type LaneQueueId = Extract<QueueId, 'channel-inbound' | `deliveries-${string}`>;

/** The queue that messages of a lane go through. */
export function laneQueueId({
  direction,
  priority,
  queue,
}: Pick<LaneMessage, 'direction' | 'priority' | 'queue'>): LaneQueueId {
  return direction === 'inbound' || priority === null ? 'channel-inbound' : `deliveries-${queue ?? priority}`;
}

/** @param queueOf the queue of an id; called for those only that get a message. */
export function laneQueues(queueOf: (id: LaneQueueId) => Pick<MessageQueue<LaneMessage>, 'send'>): LaneQueues {
  return {
    async send(messages, delaySeconds) {
      const byQueue = Map.groupBy(messages, laneQueueId);
      await Promise.all([...byQueue].map(([id, some]) => queueOf(id).send(some, delaySeconds)));
    },
  };
}
