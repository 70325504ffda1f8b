import type { ApplicationId } from './application.ts';
import { ApplicationRefused } from './application-refused.ts';
import type { Conversation, ConversationLog, Rating, RecordedTurn } from './conversations.ts';

export interface ConversationPorts {
  readonly conversations: ConversationLog;
}

interface Page<Cursor> {
  readonly limit: number;
  readonly cursor: Cursor | null;
}

/** Newest first. */
export async function conversationPage(
  application: ApplicationId,
  { limit, cursor }: Page<string>,
  { conversations }: ConversationPorts,
): Promise<{ readonly conversations: readonly Conversation[]; readonly nextCursor: string | null }> {
  const found = await conversations.list(application, limit + 1, cursor);
  const page = found.slice(0, limit);
  return { conversations: page, nextCursor: found.length > limit ? page.at(-1)!.conversationId : null };
}

/** Oldest first. @throws ApplicationRefused */
export async function turnPage(
  application: ApplicationId,
  conversationId: string,
  { limit, cursor }: Page<string>,
  ports: ConversationPorts,
): Promise<{ readonly turns: readonly RecordedTurn[]; readonly nextCursor: string | null }> {
  const conversation = await existing(application, conversationId, ports);
  const found = await ports.conversations.turns(conversation, limit + 1, cursor);
  const page = found.slice(0, limit);
  return { turns: page, nextCursor: found.length > limit ? page.at(-1)!.turnId : null };
}

/** @throws ApplicationRefused */
export async function removeConversation(
  application: ApplicationId,
  conversationId: string,
  ports: ConversationPorts,
): Promise<void> {
  await ports.conversations.remove(await existing(application, conversationId, ports));
}

/** @param turnId whose answer is rated. @throws ApplicationRefused */
export async function rateAnswer(
  application: ApplicationId,
  { conversationId, turnId, rating }: { conversationId: string; turnId: string; rating: Rating | null },
  ports: ConversationPorts,
): Promise<void> {
  const conversation = await existing(application, conversationId, ports);
  if (!(await ports.conversations.rate(conversation, turnId, rating)))
    throw new ApplicationRefused('message_not_found', 'The conversation has no answer of this id.');
}

async function existing(
  application: ApplicationId,
  conversationId: string,
  { conversations }: ConversationPorts,
): Promise<Conversation> {
  const conversation = await conversations.find(application, conversationId);
  if (conversation === null)
    throw new ApplicationRefused(
      'conversation_not_found',
      'The application has no such conversation, or not any more.',
    );
  return conversation;
}
