import { chunks } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { laneOwner } from './accept-webhook.ts';
import type { Channel } from './channel.ts';
import type { Append, LaneQueues } from './delivery/delivery-ports.ts';
import { laneMessage, laneRefOf } from './delivery/lane-runs.ts';
import { type Priority, partId } from './delivery/messages.ts';
import type { InboundMessage } from './inbound-message.ts';
import { platforms } from './platforms/platforms.ts';
import { renderParts } from './text/render.ts';

/** The part of a message that a reply needs, also days later. */
export type Origin = Pick<InboundMessage, 'conversationId' | 'replyTo' | 'language' | 'text'>;

interface Answered {
  readonly messageId: string;
  readonly message: Pick<Origin, 'conversationId' | 'replyTo'>;
}

export interface SendPorts {
  readonly queues: LaneQueues;
  /** Called when replies are stored and could not be queued: the reconciler will do it. */
  readonly onUnsent: (channelId: string, error: unknown) => void;
}

/** Enough of a text to know its language. */
const MAX_SAMPLE_LENGTH = 200;

export function originOf({ conversationId, replyTo, language, text }: InboundMessage): Origin {
  const sample = text.slice(0, MAX_SAMPLE_LENGTH).toWellFormed();
  return { conversationId, replyTo, ...(language !== undefined && { language }), text: sample };
}

/** A reply in the form of the platform, in parts of the length that it takes. */
export function repliesTo(
  { messageId, message: { conversationId, replyTo: target } }: Answered,
  channel: Channel,
  markdown: string,
  priority: Priority,
  { clock }: { readonly clock: Clock },
): Append {
  const platform = platforms[channel.type];
  const { text_format, max_length = platform.maxReplyLength } = channel.settings;
  const dialect = text_format === 'plain' ? 'plain' : platform.dialect;
  const parts = renderParts(markdown, dialect, max_length);
  const format = dialect === 'html' ? { format: dialect } : {};
  const calls = chunks(parts, platform.maxTextsPerCall ?? 1);
  const replyId = `${messageId}-${priority === 'high' ? 'e' : ''}`;
  return {
    lane: { channelId: channel.channelId, direction: 'outbound', priority, conversationId },
    owner: laneOwner(channel),
    messages: calls.map(([text = '', ...more], index) => ({
      messageId: partId(replyId, index + 1),
      createdAtMs: clock.now(),
      text,
      ...(more.length > 0 && { more }),
      ...format,
      target,
      parts: calls.length,
    })),
  };
}

/** The replies are stored: where this fails, the reconciler does it. */
export async function sendFor({ lane, owner }: Append, { queues, onUnsent }: SendPorts): Promise<void> {
  await queues.send([laneMessage(owner, laneRefOf(lane))]).catch((error: unknown) => onUnsent(lane.channelId, error));
}
