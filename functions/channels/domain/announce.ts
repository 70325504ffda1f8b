import { platforms } from './platforms/platforms.ts';
import { repliesTo, sendFor } from './replies.ts';
import type { LaterReplyPorts } from './reply-later.ts';

/** A message that answers none. */
export interface Announcement {
  /** Of two with the same key only the first is queued. */
  readonly key: string;
  readonly workspaceId: string;
  readonly channelId: string;
  /** The conversation, as people can look it up on the platform. */
  readonly to: string;
  readonly text: string;
}

/**
 * Queues a message for a conversation of a channel.
 * @returns false if the workspace has no such channel. @throws LaneFull
 */
export async function announce(
  { key, workspaceId, channelId, to, text }: Announcement,
  ports: LaterReplyPorts,
): Promise<boolean> {
  const { channels, lanes, ids } = ports;
  const channel = await channels.find(channelId);
  if (channel === null || channel.workspaceId !== workspaceId) return false;
  const message = { conversationId: to, replyTo: platforms[channel.type].placeOf(to, channel) };
  const messages = repliesTo({ messageId: ids.next('msg'), message }, channel, text, 'normal', ports);
  if (await lanes.appendOnce(key, messages)) await sendFor(messages, ports);
  return true;
}
