import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Channels } from './channel-ports.ts';
import type { Lanes } from './delivery/delivery-ports.ts';
import { noticeOf } from './notices.ts';
import { type Origin, repliesTo, type SendPorts, sendFor } from './replies.ts';

/** An answer that has come after the reply to its message, as after the decision of a person. */
export interface LaterReply {
  /** Of two with the same key only the first is queued. */
  readonly key: string;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly origin: Origin;
  readonly text: string;
  /** The sender gets the notice of a failure behind the text. */
  readonly hasFailed: boolean;
}

export interface LaterReplyPorts extends SendPorts {
  readonly channels: Pick<Channels, 'find'>;
  readonly lanes: Pick<Lanes, 'appendOnce'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Queues an answer for the conversation that its message came from. A channel that was removed since then has none. @throws LaneFull */
export async function replyLater(
  { key, workspaceId, channelId, origin, text, hasFailed }: LaterReply,
  ports: LaterReplyPorts,
): Promise<void> {
  const { channels, lanes, ids } = ports;
  const channel = await channels.find(channelId);
  if (channel === null || channel.workspaceId !== workspaceId) return;
  const said = [
    ...(text.trim() === '' ? [] : [{ text, priority: 'normal' as const }]),
    ...(hasFailed ? [{ text: noticeOf('failed', origin, channel), priority: 'high' as const }] : []),
  ];
  for (const { text: markdown, priority } of said) {
    const answered = { messageId: ids.next('msg'), message: origin };
    const replies = repliesTo(answered, channel, markdown, priority, ports);
    if (await lanes.appendOnce(`${key} ${priority}`, replies)) await sendFor(replies, ports);
  }
}
