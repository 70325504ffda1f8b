import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MAX_RETENTION_DAYS } from '../../accounts/domain/data-settings.ts';
import type { UsageEvent } from '../../accounts/domain/usage.ts';
import type { ApplicationId } from '../../chat/domain/application.ts';
import {
  CONVERSATION_KEPT_SECONDS,
  type Conversation,
  type ConversationLog,
  type Rating,
  type RecordedTurn,
  type Session,
  type SessionId,
  type SessionKey,
  type SessionState,
} from '../../chat/domain/conversations.ts';
import type { Turn } from '../../chat/domain/history.ts';
import { type ChatMessage, type ContentPart, textOf } from '../../chat/domain/messages.ts';
import { withoutOpaque } from '../../chat/domain/reasoning-for.ts';
import { IDEMPOTENCY_KEPT_SECONDS } from '../../shared/idempotency/idempotency-store.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { usagePart } from '../accounts/dynamo-usage.ts';
import { ABSENT, and, atMost, type Condition, equal, missing, or, PRESENT, unequal } from '../dynamodb/expressions.ts';
import { conversationKey, conversationPartition, epochSeconds, TURNS } from '../dynamodb/keys.ts';
import { LEASE_SECONDS, renewedLease } from '../dynamodb/renewed-lease.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { type TransactItem, transact } from '../dynamodb/transactions.ts';
import { sessionPartitionOf } from './session-partition.ts';

/** Turns that a request reads of its session: more than any model's window holds of an ordinary conversation. */
const MAX_TURNS_READ = 100;
/** An item has at most 400 KB; images and files are not part of a history beyond this. */
const MAX_CONTENT_BYTES = 300 * 1024;
const MAX_TITLE_LENGTH = 100;
const MAX_ATTEMPTS = 12;
const CONCURRENCY = 20;
/**
 * Each turn expires by itself, and later than its conversation; those that a session still reads are put off with every
 * turn that is added. Where the workspace keeps less, less is kept beyond it.
 */
const turnMarginSeconds = (keptDays: number) => (keptDays >= MAX_RETENTION_DAYS ? 15 : 1) * DAY_SECONDS;
const DAY_SECONDS = 24 * 60 * 60;

interface TurnItem {
  readonly turnId: string;
  readonly conversationId: string;
  readonly createdAt: string;
  readonly content: Uint8Array;
  readonly expiresAt: number;
  readonly rating?: Rating | null;
  /** End of the conversation unless another turn comes, in epoch seconds; absent: 30 days after the turn, as in earlier releases. */
  readonly keptUntil?: number;
  readonly keptDays?: number;
}

type ConversationItem = Conversation & { readonly expiresAt: number };

/** Without a turn it is held by a request, which expires soon unless it is kept. */
interface KeyItem {
  readonly bodyHash: string;
  readonly owner: string;
  /** That holds it, where one process answers all requests. */
  readonly process?: string;
  readonly turn?: TurnItem;
  readonly expiresAt: number;
}

interface ConversationPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backoff: Backoff;
  /** Id of the one process that answers all requests: a key that another one holds is free, as that one has died. Null: functions answer them. */
  readonly process: string | null;
}

/** A session's turns are in a separate partition, an item each; the conversation's summary is stored with its application. */
export class DynamoConversations implements ConversationLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #usage: DynamoTable | null;
  readonly #ports: ConversationPorts;

  /** @param usageTable null where no turns are appended. */
  constructor(client: DynamoDBDocumentClient, table: string, usageTable: string | null, ports: ConversationPorts) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#usage = usageTable === null ? null : new DynamoTable(client, usageTable);
    this.#ports = ports;
  }

  async read(session: SessionId, key: SessionKey | null): Promise<SessionState> {
    const partition = sessionPartitionOf(session);
    const [{ items }, keyed] = await Promise.all([
      this.#table.page<TurnItem>({ partition, prefix: TURNS, descending: true, limit: MAX_TURNS_READ }),
      key === null ? null : this.#take(partition, key),
    ]);
    const newest = items[0];
    const isOver = newest === undefined || this.#isOver(newest.keptUntil, newest.createdAt);
    const keptUntil = this.#keptUntil(newest?.keptDays);
    const expiring = items.filter(({ expiresAt }) => expiresAt < keptUntil).map(({ turnId }) => turnId);
    return {
      conversationId: isOver ? null : newest.conversationId,
      history: isOver
        ? []
        : items
            .filter(({ conversationId }) => conversationId === newest.conversationId)
            .reverse()
            .map(turnOf),
      expiring: isOver ? [] : expiring,
      recorded: keyed && { bodyHash: keyed.bodyHash, turn: keyed.turn ? turnOf(keyed.turn) : null },
    };
  }

  hold({ key, ...session }: Session): (isRecorded: boolean) => Promise<void> {
    if (key === null) return async () => undefined;
    const item = keyOf(sessionPartitionOf(session), key.key);
    const condition = heldBy(key.owner);
    const letGo = renewedLease(() =>
      this.#table.update(item, { set: { expiresAt: this.#nowSeconds() + LEASE_SECONDS }, condition }),
    );
    return async (isRecorded) => {
      letGo();
      if (isRecorded) return;
      // A key that cannot be given back is free when its lease has ended.
      await this.#table.delete(item, condition).catch(() => undefined);
    };
  }

  async append(session: Session, turn: Turn, usage: UsageEvent | null, keptDays: number): Promise<void> {
    const partition = sessionPartitionOf(session);
    let { conversationId } = session;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const id = conversationId ?? this.#ports.ids.next('conv');
      const item = this.#turnItem(turn, id, keptDays);
      const cancelled = await transact(this.#client, [
        ['turn', this.#table.putPart({ ...item, pk: partition, sk: `${TURNS}${turn.turnId}` })],
        ['conversation', this.#conversationPart(session, turn, { id, isNew: conversationId === null, keptDays })],
        // Says which conversation is the session's: of two first turns at once, the second finds that of the first.
        ['head', this.#headPart(partition, id, { isNew: conversationId === null, keptDays })],
        ...(session.key ? [['key', this.#keyPart(partition, session.key, item)] as const] : []),
        ...(this.#usage && usage ? [['usage', usagePart(this.#usage, usage)] as const] : []),
      ]);
      if (cancelled === null) return this.#putOff(partition, session.expiring, keptDays);
      // An earlier try of this very request has stored it.
      if (cancelled.failed('key') || cancelled.failed('turn')) return;
      if (!cancelled.isTransient) conversationId = await this.#currentConversation(partition);
      await this.#ports.backoff.wait(attempt);
    }
    throw new Error('Too many turns of one session at once.');
  }

  async list(application: ApplicationId, limit: number, before: string | null): Promise<Conversation[]> {
    const { workspaceId, applicationId } = application;
    const found: Conversation[] = [];
    let after: Key | undefined = before === null ? undefined : conversationKey(workspaceId, applicationId, before);
    do {
      const { items, last } = await this.#table.page<ConversationItem>({
        partition: conversationPartition(workspaceId, applicationId),
        descending: true,
        limit: limit - found.length,
        ...(after && { after }),
      });
      found.push(
        ...items.filter(({ expiresAt, updatedAt }) => !this.#isOver(expiresAt, updatedAt)).map(conversationOf),
      );
      after = last;
    } while (found.length < limit && after !== undefined);
    return found;
  }

  async find({ workspaceId, applicationId }: ApplicationId, conversationId: string): Promise<Conversation | null> {
    const item = await this.#table.get<ConversationItem>(conversationKey(workspaceId, applicationId, conversationId));
    return item === null || this.#isOver(item.expiresAt, item.updatedAt) ? null : conversationOf(item);
  }

  async turns(conversation: Conversation, limit: number, after: string | null): Promise<RecordedTurn[]> {
    const partition = sessionPartitionOf(conversation);
    const { items } = await this.#table.page<TurnItem>({
      partition,
      prefix: TURNS,
      limit,
      ...(after !== null && { after: { pk: partition, sk: `${TURNS}${after}` } }),
    });
    return items.filter(({ conversationId }) => conversationId === conversation.conversationId).map(turnOf);
  }

  async turn(session: SessionId, turnId: string): Promise<RecordedTurn | null> {
    const item = await this.#table.get<TurnItem>({ pk: sessionPartitionOf(session), sk: `${TURNS}${turnId}` });
    return item === null || this.#isOver(item.keptUntil, item.createdAt) ? null : turnOf(item);
  }

  async removeTurn(session: SessionId, turnId: string): Promise<boolean> {
    const turn = await this.turn(session, turnId);
    const partition = sessionPartitionOf(session);
    if (turn === null || !(await this.#table.delete({ pk: partition, sk: `${TURNS}${turnId}` }, PRESENT))) return false;
    const { items } = await this.#table.page({ partition, prefix: TURNS, limit: 1 });
    const conversation = items.length > 0 ? null : await this.find(session, turn.conversationId);
    if (conversation !== null) await this.remove(conversation);
    return true;
  }

  rate(conversation: Conversation, turnId: string, rating: Rating | null): Promise<boolean> {
    const key = { pk: sessionPartitionOf(conversation), sk: `${TURNS}${turnId}` };
    return this.#table.update(key, { set: { rating } });
  }

  /** The turns first: what a crash leaves is still listed, and can be removed again. */
  async remove(conversation: Conversation): Promise<void> {
    const { workspaceId, applicationId, conversationId } = conversation;
    const partition = sessionPartitionOf(conversation);
    let batch: Promise<unknown>[] = [];
    for await (const { pk, sk } of this.#table.query<Key>({ partition })) {
      batch.push(this.#table.delete({ pk, sk }));
      if (batch.length < CONCURRENCY) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
    await this.#table.delete(conversationKey(workspaceId, applicationId, conversationId));
  }

  async #putOff(partition: string, turnIds: readonly string[], keptDays: number): Promise<void> {
    const set = { expiresAt: this.#keptUntil(keptDays) + turnMarginSeconds(keptDays) };
    await Promise.all(turnIds.map((turnId) => this.#table.update({ pk: partition, sk: `${TURNS}${turnId}` }, { set })));
  }

  async #currentConversation(partition: string): Promise<string | null> {
    const head = await this.#table.get<{ readonly conversationId: string; readonly expiresAt: number }>(
      headOf(partition),
    );
    return head === null || head.expiresAt <= this.#nowSeconds() ? null : head.conversationId;
  }

  #turnItem({ turnId, createdAt, ...content }: Turn, conversationId: string, keptDays: number): TurnItem {
    const keptUntil = this.#keptUntil(keptDays);
    return {
      turnId,
      conversationId,
      createdAt,
      content: gzipSync(JSON.stringify({ ...content, ...keptMessages(content) })),
      ...{ keptDays, keptUntil },
      expiresAt: keptUntil + turnMarginSeconds(keptDays),
    };
  }

  #conversationPart(
    { workspaceId, applicationId, caller, sessionId }: Session,
    { input, createdAt }: Turn,
    { id, isNew, keptDays }: { readonly id: string; readonly isNew: boolean; readonly keptDays: number },
  ): TransactItem {
    const key = conversationKey(workspaceId, applicationId, id);
    const kept = { updatedAt: createdAt, expiresAt: this.#keptUntil(keptDays) };
    if (!isNew) return this.#table.updatePart(key, { set: kept });
    const title = textOf(input.find(({ role }) => role === 'user') ?? { content: '' }).slice(0, MAX_TITLE_LENGTH);
    const fresh: Conversation = {
      workspaceId,
      applicationId,
      caller,
      sessionId,
      conversationId: id,
      title,
      createdAt,
      updatedAt: createdAt,
    };
    return this.#table.putPart({ ...fresh, ...kept, ...key });
  }

  #headPart(
    partition: string,
    conversationId: string,
    { isNew, keptDays }: { readonly isNew: boolean; readonly keptDays: number },
  ): TransactItem {
    const head = { ...headOf(partition), conversationId, expiresAt: this.#keptUntil(keptDays) };
    if (!isNew) return this.#table.putPart(head, equal('conversationId', conversationId));
    return this.#table.putPart(head, or(ABSENT, atMost('expiresAt', this.#nowSeconds())));
  }

  /** @returns what else holds the key; null when this request holds it now. */
  async #take(partition: string, { key, bodyHash, owner }: SessionKey): Promise<KeyItem | null> {
    const expiresAt = this.#nowSeconds() + LEASE_SECONDS;
    const { process } = this.#ports;
    const item = { ...keyOf(partition, key), bodyHash, owner, ...(process !== null && { process }), expiresAt };
    const outcome = await this.#table.put(item, this.#isFree(owner));
    return outcome.written ? null : (outcome.item as unknown as KeyItem);
  }

  #keyPart(partition: string, { key, bodyHash, owner }: SessionKey, turn: TurnItem): TransactItem {
    const expiresAt = this.#nowSeconds() + IDEMPOTENCY_KEPT_SECONDS;
    return this.#table.putPart({ ...keyOf(partition, key), bodyHash, owner, turn, expiresAt }, this.#isFree(owner));
  }

  /** Its own claim is free, too: the SDK repeats a put whose response was lost. */
  #isFree(owner: string): Condition {
    const { process } = this.#ports;
    const isFree = or(ABSENT, atMost('expiresAt', this.#nowSeconds()), heldBy(owner));
    return process === null ? isFree : or(isFree, heldByOtherThan(process));
  }

  #nowSeconds(): number {
    return epochSeconds(this.#ports.clock.now());
  }

  #keptUntil(keptDays = MAX_RETENTION_DAYS): number {
    return this.#nowSeconds() + keptDays * DAY_SECONDS;
  }

  #isOver(keptUntil: number | undefined, lastTurnAt: string): boolean {
    return (keptUntil ?? epochSeconds(Date.parse(lastTurnAt)) + CONVERSATION_KEPT_SECONDS) <= this.#nowSeconds();
  }
}

const heldBy = (owner: string): Condition => and(missing('turn'), equal('owner', owner));
const heldByOtherThan = (process: string): Condition =>
  and(missing('turn'), or(missing('process'), unequal('process', process)));
const headOf = (partition: string): Key => ({ pk: partition, sk: 'HEAD' });
const keyOf = (partition: string, key: string): Key => ({ pk: partition, sk: `KEY#${key}` });

function turnOf({ turnId, conversationId, createdAt, content, rating }: TurnItem): RecordedTurn {
  const {
    input,
    steps,
    answer,
    retrieved,
    files,
    finishReason,
    usage,
    previousTurnId,
    isLater,
    variables,
    variablesVersion,
    unendedRuns,
  } = JSON.parse(gunzipSync(content).toString('utf8')) as Omit<RecordedTurn, 'turnId' | 'createdAt'>;
  return {
    turnId,
    conversationId,
    createdAt,
    input,
    steps,
    answer,
    ...(retrieved && { retrieved }),
    ...(files && { files }),
    finishReason,
    usage,
    rating: rating ?? null,
    previousTurnId,
    ...(isLater && { isLater }),
    ...(variables && { variables }),
    ...(variablesVersion !== undefined && { variablesVersion }),
    ...(unendedRuns && { unendedRuns }),
  };
}

function conversationOf(item: Conversation): Conversation {
  const { workspaceId, applicationId, caller, sessionId, conversationId, title, createdAt, updatedAt } = item;
  return { workspaceId, applicationId, caller, sessionId, conversationId, title, createdAt, updatedAt };
}

/** Keeps images, files and tool results as far as they fit, and replaces the rest by a placeholder text. */
function keptMessages({ input, steps, answer }: KeptMessages): KeptMessages {
  const bytes = (messages: readonly ChatMessage[]) => Buffer.byteLength(JSON.stringify(messages));
  const isSmallEnough = (...messages: readonly (readonly ChatMessage[])[]) =>
    bytes([...messages.flat(), answer]) <= MAX_CONTENT_BYTES;
  if (isSmallEnough(input, steps)) return { input, steps, answer };
  const kept = bytes(input) <= MAX_CONTENT_BYTES / 2 ? input : input.map(withoutAttachments);
  if (isSmallEnough(kept, steps)) return { input: kept, steps, answer };
  const short = steps.map(
    (message): ChatMessage => (message.role === 'tool' ? { ...message, content: LEFT_OUT } : message),
  );
  if (isSmallEnough(kept, short)) return { input: kept, steps: short, answer };
  // A call never without its result, its reasoning and its signature: where even these are too large, all of them are left out.
  const { reasoning_content: _, reasoning_origin: __, ...said } = answer;
  return { input: kept, steps: [], answer: withoutOpaque(said) };
}

type KeptMessages = Pick<Turn, 'input' | 'steps' | 'answer'>;

const LEFT_OUT = '[The result is too large to be kept in the history.]';

function withoutAttachments(message: ChatMessage): ChatMessage {
  if (!Array.isArray(message.content)) return message;
  return { ...message, content: (message.content as ContentPart[]).map(keptPart) } as ChatMessage;
}

function keptPart(part: ContentPart): ContentPart {
  if (part.type === 'text' || part.type === 'refusal') return part;
  if (part.type === 'image_url' && !part.image_url.url.startsWith('data:')) return part;
  return { type: 'text', text: `[${part.type}: too large to be kept in the history]` };
}
