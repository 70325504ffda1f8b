import type { Clock } from '../../shared/ports/clock.ts';
import type { ApplicationId } from './application.ts';
import type { Applications } from './application-ports.ts';
import { ApplicationRefused } from './application-refused.ts';
import type { Conversation, ConversationLog, Rating, RecordedTurn, SessionRuns } from './conversations.ts';

export interface ConversationPorts {
  readonly conversations: ConversationLog;
}

export interface EraseConversationPorts extends ConversationPorts {
  readonly runs: SessionRuns;
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
  ports: EraseConversationPorts,
): Promise<void> {
  await erase(await existing(application, conversationId, ports), ports);
}

/** The runs first: what a crash leaves is still listed, and a run that ends meanwhile may add an answer. */
async function erase(conversation: Conversation, { conversations, runs }: EraseConversationPorts): Promise<void> {
  await runs.erase(conversation);
  await conversations.remove(conversation);
}

/** Conversations of one person, by what the client calls the person: the session, or the caller. */
export interface ConversationsOf {
  readonly workspaceId: string;
  /** Null: every application of the workspace. */
  readonly applicationId: string | null;
  readonly sessionId: string | null;
  readonly callerId: string | null;
}

export interface RemovedConversations {
  readonly removed: number;
  /** False if the time was over before the end: repeating the call continues. */
  readonly isComplete: boolean;
}

const PAGE = 100;

/** @param deadlineMs epoch time at which no further conversation is started */
export async function removeConversationsOf(
  { workspaceId, applicationId, sessionId, callerId }: ConversationsOf,
  deadlineMs: number,
  ports: EraseConversationPorts & RemovePorts,
): Promise<RemovedConversations> {
  const { conversations, applications, clock } = ports;
  const ids = applicationId === null ? await applicationIds(workspaceId, applications) : [applicationId];
  let removed = 0;
  for (const id of ids) {
    for (let before: string | null = null; ; ) {
      if (clock.now() >= deadlineMs) return { removed, isComplete: false };
      const page = await conversations.list({ workspaceId, applicationId: id }, PAGE, before);
      for (const conversation of page) {
        const { caller } = conversation;
        if (sessionId !== null && conversation.sessionId !== sessionId) continue;
        if (callerId !== null && caller.id !== callerId) continue;
        if (clock.now() >= deadlineMs) return { removed, isComplete: false };
        await erase(conversation, ports);
        removed += 1;
      }
      if (page.length < PAGE) break;
      before = page.at(-1)!.conversationId;
    }
  }
  return { removed, isComplete: true };
}

export interface RemovePorts {
  readonly applications: Pick<Applications, 'list'>;
  readonly clock: Clock;
}

async function applicationIds(workspaceId: string, applications: Pick<Applications, 'list'>): Promise<string[]> {
  // Workflows that are called by their own id answer without an application.
  const ids = [''];
  for (let before: string | null = null; ; ) {
    const page: readonly ApplicationId[] = await applications.list(workspaceId, PAGE, before);
    ids.push(...page.map(({ applicationId }) => applicationId));
    if (page.length < PAGE) return ids;
    before = page.at(-1)!.applicationId;
  }
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
    throw new ApplicationRefused('conversation_not_found', 'Conversation not found in this application.');
  return conversation;
}
