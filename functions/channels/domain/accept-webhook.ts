import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Channel } from './channel.ts';
import { circuitOf } from './delivery/breaker.ts';
import type { LaneOwner, LaneQueues, Lanes } from './delivery/delivery-ports.ts';
import { laneMessage, laneRefOf } from './delivery/lane-runs.ts';
import type { LaneId, LaneMessage } from './delivery/messages.ts';
import type { InboundMessage } from './inbound-message.ts';

export interface AcceptPorts {
  readonly lanes: Pick<Lanes, 'accept'>;
  readonly queues: LaneQueues;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Called when messages are stored and could not be queued: the reconciler will do it. */
  readonly onUnsent: (channelId: string, error: unknown) => void;
}

/** Stores the messages of a verified webhook, each event once, and queues them. @throws LaneFull */
export async function acceptMessages(
  channel: Channel,
  messages: readonly InboundMessage[],
  { lanes, queues, ids, clock, onUnsent }: AcceptPorts,
): Promise<void> {
  const { channelId } = channel;
  const owner = laneOwner(channel);
  const laneMessages = new Map<string, LaneMessage>();
  // One after another: messages of one conversation keep their order.
  for (const message of messages) {
    const lane = inboundLane(channelId, message.conversationId);
    const queued = { messageId: ids.next('msg'), receivedAtMs: clock.now(), message };
    if (await lanes.accept(lane, owner, queued))
      laneMessages.set(message.conversationId, laneMessage(owner, laneRefOf(lane)));
  }
  if (laneMessages.size > 0)
    await queues.send([...laneMessages.values()]).catch((error: unknown) => onUnsent(channelId, error));
}

export function laneOwner(channel: Channel): LaneOwner {
  return { workspaceId: channel.workspaceId, type: channel.type, circuit: circuitOf(channel) };
}

export function inboundLane(channelId: string, conversationId: string): LaneId<'inbound'> {
  return { channelId, direction: 'inbound', priority: null, conversationId };
}
