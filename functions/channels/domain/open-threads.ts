import type { InboundMessage } from './inbound-message.ts';

/** Threads that continue without mentions. */
export interface OpenThreads {
  /** Keeps a thread open for some weeks more. */
  open(channelId: string, conversationId: string): Promise<void>;
  isOpen(channelId: string, conversationId: string): Promise<boolean>;
}

/** The messages, those in threads that the bot was addressed in as addressed to it. */
export async function withOpenThreads(
  channelId: string,
  messages: readonly InboundMessage[],
  threads: OpenThreads,
): Promise<readonly InboundMessage[]> {
  const read: InboundMessage[] = [];
  // One after another: the first one of a webhook may open the thread of the next.
  for (const { isInThread, ...message } of messages) {
    const { place, conversationId } = message;
    if (place === 'addressed' && isInThread) await threads.open(channelId, conversationId);
    const continues = place === 'overheard' && isInThread && (await threads.isOpen(channelId, conversationId));
    read.push(continues ? { ...message, place: 'addressed' } : message);
  }
  return read;
}
