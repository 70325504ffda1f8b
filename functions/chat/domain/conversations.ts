import { type DataSettings, MAX_RETENTION_DAYS } from '../../accounts/domain/data-settings.ts';
import type { UsageEvent } from '../../accounts/domain/usage.ts';
import type { ApplicationId } from './application.ts';
import type { Turn } from './history.ts';

export interface Caller {
  readonly kind: 'user' | 'key' | 'public-token' | 'channel';
  readonly id: string;
}

/** One history for an application, a caller and a session id. */
export interface SessionId extends ApplicationId {
  readonly caller: Caller;
  /** As the client named it. */
  readonly sessionId: string;
}

/** A session, and what a request of it knows. */
export interface Session extends SessionId {
  /** Null before its first turn. */
  readonly conversationId: string | null;
  /** Turns that would expire before their conversation. */
  readonly expiring: readonly string[];
  /** Of the request; null where it has none. */
  readonly key: SessionKey | null;
}

export interface AnsweredSession extends Session {
  /** Of its workspace. */
  readonly dataSettings: DataSettings;
  readonly history: readonly Turn[];
  /** The turn that the request names for its answer to continue. */
  readonly previousTurnId?: string | undefined;
  /** True: the turn is not stored. */
  readonly isReadOnly?: boolean;
}

/** The member of a turn that names the turn it continues. */
export function previousOf(session: AnsweredSession | null): Pick<Turn, 'previousTurnId'> {
  return session?.previousTurnId === undefined ? {} : { previousTurnId: session.previousTurnId };
}

/** An Idempotency-Key of a session. */
export interface SessionKey {
  readonly key: string;
  readonly bodyHash: string;
  /** Id of the completion that this request would make: of requests at once only one holds the key. */
  readonly owner: string;
}

/** Kept for so long after the last turn, where the workspace does not say otherwise. */
export const CONVERSATION_KEPT_SECONDS = MAX_RETENTION_DAYS * 24 * 60 * 60;

export interface Conversation extends SessionId {
  readonly conversationId: string;
  /** The start of its first message. */
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type Rating = 'up' | 'down';

export interface RecordedTurn extends Turn {
  readonly conversationId: string;
  readonly rating: Rating | null;
}

export interface SessionState {
  readonly conversationId: string | null;
  /** Oldest first; of a long conversation the newest ones. */
  readonly history: readonly RecordedTurn[];
  /** Turns that would expire before their conversation. */
  readonly expiring: readonly string[];
  /**
   * The turn recorded under the request's Idempotency-Key, with the hash of its request; without a turn while another request with the
   * key is being answered. Null: this request holds the key.
   */
  readonly recorded: { readonly bodyHash: string; readonly turn: RecordedTurn | null } | null;
}

/** Conversations and their turns. Reads are strongly consistent; what has expired after its last turn is absent. */
export interface ConversationLog {
  /** One round trip, in which the request's Idempotency-Key is taken, too. */
  read(session: SessionId, key: SessionKey | null): Promise<SessionState>;
  /** Keeps the key of a request that is being answered. @returns what ends that: the key is free then, unless a turn was recorded. */
  hold(session: Session): (isRecorded: boolean) => Promise<void>;
  /**
   * Stores a turn, whole or not at all, and counts it; of two with one Idempotency-Key only the first. Turns of requests at
   * once are all kept. @param usage null: it has been counted. @param keptDays after which the conversation is absent, unless another turn comes
   */
  append(session: Session, turn: Turn, usage: UsageEvent | null, keptDays: number): Promise<void>;
  /** Newest first. @param before only those older than the conversation of this id. */
  list(application: ApplicationId, limit: number, before: string | null): Promise<Conversation[]>;
  find(application: ApplicationId, conversationId: string): Promise<Conversation | null>;
  /** Oldest first. @param after only those newer than the turn of this id. */
  turns(conversation: Conversation, limit: number, after: string | null): Promise<RecordedTurn[]>;
  /** One turn of a session; null where there is none, or not any more. */
  turn(session: SessionId, turnId: string): Promise<RecordedTurn | null>;
  /** Removes a turn, and with the last one the conversation. @returns false when there is no such turn. */
  removeTurn(session: SessionId, turnId: string): Promise<boolean>;
  /** @returns false when there is no such turn. */
  rate(conversation: Conversation, turnId: string, rating: Rating | null): Promise<boolean>;
  remove(conversation: Conversation): Promise<void>;
}

/** The runs of workflows that answered in a session. */
export interface SessionRuns {
  /** Erases them; those under way are cancelled first. @param isOf of the turns that it holds for; absent: all of the session */
  erase(session: SessionId, isOf?: ((turnId: string) => Promise<boolean>) | null): Promise<void>;
}
