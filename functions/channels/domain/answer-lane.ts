import type { ContentPart } from '../../chat/domain/messages.ts';
import { type RetrySchedule, retryDelayMs } from '../../shared/leases/retry-schedule.ts';
import { runLeased } from '../../shared/leases/run-leased.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { AnswerShares, Shared } from './answer-shares.ts';
import { type Channel, isHeld } from './channel.ts';
import type { Channels } from './channel-ports.ts';
import type { Append, ChannelSecrets, LaneQueues, Lanes } from './delivery/delivery-ports.ts';
import { acquireLane, type Death, deadLetterOf, releaseFor } from './delivery/lane-runs.ts';
import type { DeadLetter, Lane, LaneMessage, QueuedInbound } from './delivery/messages.ts';
import { BROKEN_RETRY_MS, MAX_BROKEN_MS } from './delivery/retries.ts';
import { giveWayMs } from './give-way.ts';
import { type Attachment, type InboundMessage, MAX_ATTACHMENTS } from './inbound-message.ts';
import { noticeOf } from './notices.ts';
import type { ChannelAccess } from './platforms/platform.ts';
import { type Origin, originOf, repliesTo, sendFor } from './replies.ts';
import { withQuotes } from './text/quotes.ts';

/** A message as an application is asked. */
export interface Question {
  readonly workspaceId: string;
  readonly applicationId: string;
  readonly channelId: string;
  /** One history for each sender in each conversation. */
  readonly sessionId: string;
  /** Under which the answer is recorded: a message that is worked on again gets the same one. */
  readonly key: string;
  readonly content: string | readonly ContentPart[];
  /** Where later answers go. */
  readonly origin: Origin;
}

/** Why an application does not answer. */
export class AnswerFailed extends Error {
  override name = 'AnswerFailed';
  readonly code: string;
  readonly isPassing: boolean;

  constructor(code: string, isPassing: boolean, options?: ErrorOptions) {
    super(`The application does not answer: ${code}.`, options);
    this.code = code;
    this.isPassing = isPassing;
  }
}

export interface AnswerPorts {
  readonly lanes: Lanes;
  readonly queues: LaneQueues;
  readonly channels: Pick<Channels, 'find' | 'recent'>;
  readonly secrets: ChannelSecrets;
  /** @throws AnswerFailed; what `signal` was aborted with. */
  readonly application: { answer(question: Question, signal: AbortSignal): Promise<string> };
  readonly signs: {
    /** Shows the sender of a message that it is being answered, as long as that takes. */
    during<T>(channel: Channel, message: InboundMessage, work: () => Promise<T>): Promise<T>;
  };
  readonly answerShares: Pick<AnswerShares, 'within'>;
  readonly attachments: {
    /** An attachment as a part of the message; a text in its place where it cannot be read. */
    read(attachment: Attachment, channel: Channel, access: ChannelAccess): Promise<ContentPart>;
  };
  readonly ids: Ids;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly onDead: (letter: DeadLetter) => Promise<void>;
  readonly onUnsent: (channelId: string, error: unknown) => void;
}

type Inbound = Lane<'inbound'>;

/** After the first attempt. */
const MAX_RETRIES = 3;
const DELAYS: RetrySchedule = { firstMs: 5_000, factor: 3, maxMs: 60_000, jitter: 0.2 };
/** So much of a run is left when an application is asked. */
const ANSWER_RESERVE_MS = 60_000;

/** So long after a picture of an album the next one is waited for. */
const ALBUM_GAP_MS = 1_500;

/**
 * Answers the messages of a conversation in their order, for one delivery of its queue message, and queues the replies.
 * @param deadlineMs epoch time at which this worker ends for certain; its lease expires then.
 * @throws an error that another delivery may get over
 */
export function answerLane(message: LaneMessage & { direction: 'inbound' }, deadlineMs: number, ports: AnswerPorts) {
  const fence = ports.ids.next('run');
  let held: Inbound | null = null;
  return runLeased<Inbound, never>({
    acquire: () => acquireLane(message, fence, deadlineMs, ports),
    async run(lane) {
      held = lane;
      for (let current: Inbound | null = lane; current !== null; held = current) {
        if (ports.clock.now() > deadlineMs - ANSWER_RESERVE_MS) {
          await releaseFor(current, { untilMs: 0 }, ports);
          break;
        }
        const next: Inbound | null | 'waits' = await answerHead(current, deadlineMs, ports);
        current = next === 'waits' ? null : next;
      }
      return { kind: 'recorded' };
    },
    endingOf: () => null,
    end: async () => undefined,
    release: async () => held && ports.lanes.release(held),
  });
}

async function answerHead(lane: Inbound, deadlineMs: number, ports: AnswerPorts): Promise<Inbound | null | 'waits'> {
  const { channels } = ports;
  const nowMs = ports.clock.now();
  const head = headOf(lane);
  const channel = channels.recent(lane.channelId) ?? (await channels.find(lane.channelId));
  if (channel === null || channel.status === 'disabled') {
    const reason = channel === null ? 'channel_removed' : 'channel_disabled';
    return bury(lane, head.count, { reason, detail: null, attempts: lane.attempts }, null, ports);
  }
  const { queued, count } = head;
  const { problem } = channel;
  if (problem !== null && isHeld(channel)) {
    // No answer is made, and paid for, that cannot be delivered.
    if (nowMs - queued.receivedAtMs > MAX_BROKEN_MS)
      return bury(lane, count, { reason: problem.code, detail: problem.detail, attempts: lane.attempts }, null, ports);
    await releaseFor(lane, { untilMs: nowMs + BROKEN_RETRY_MS }, ports);
    return 'waits';
  }
  const albumUntilMs = albumEndMs(lane, head);
  if (albumUntilMs !== null && albumUntilMs > nowMs) {
    await releaseFor(lane, { untilMs: albumUntilMs }, ports);
    return 'waits';
  }
  try {
    const shared = await answerTo(head, channel, deadlineMs, ports);
    if (shared.kind === 'full') {
      await releaseFor(lane, { untilMs: ports.clock.now() + giveWayMs(shared.isSlow, ports.random) }, ports);
      return 'waits';
    }
    const text = shared.answer;
    const said = text.trim() === '' ? noticeOf('empty', queued.message, channel) : text;
    const replies = repliesTo(queued, channel, said, 'normal', ports);
    const next = await ports.lanes.answerHead(lane, replies, count);
    await sendFor(replies, ports);
    return next;
  } catch (error) {
    if (!(error instanceof AnswerFailed)) throw error;
    const attempts = lane.attempts + 1;
    if (error.isPassing && attempts <= MAX_RETRIES) {
      const untilMs = ports.clock.now() + Math.ceil(retryDelayMs(DELAYS, attempts, ports.random));
      await releaseFor(lane, { untilMs, attempts, failingSinceMs: lane.failingSinceMs ?? ports.clock.now() }, ports);
      return 'waits';
    }
    const notice = repliesTo(queued, channel, noticeOf('failed', queued.message, channel), 'high', ports);
    return bury(lane, count, { reason: error.code, detail: null, attempts }, notice, ports);
  }
}

/** The messages to answer at once: one message, or an album that arrived as several. */
interface Head {
  readonly queued: QueuedInbound;
  readonly messages: readonly InboundMessage[];
  readonly count: number;
}

function headOf({ messages }: Inbound): Head {
  const first = messages[0]!;
  const { album, sender } = first.message;
  if (album === undefined) return { queued: first, messages: [first.message], count: 1 };
  const end = messages.findIndex(({ message }) => message.album?.id !== album.id || message.sender.id !== sender.id);
  const together = messages.slice(0, end === -1 ? messages.length : end).map(({ message }) => message);
  const { album: _, ...message } = first.message;
  const text = together
    .map((each) => each.text)
    .filter((each) => each !== '')
    .join('\n');
  const attachments = together.flatMap((each) => each.attachments).slice(0, MAX_ATTACHMENTS);
  return {
    queued: { ...first, message: { ...message, text, attachments } },
    messages: together,
    count: together.length,
  };
}

/** When an album that is not complete, as far as is known, is taken as it is; null for anything else. */
function albumEndMs({ messages }: Inbound, { count }: Head): number | null {
  const { album } = messages[0]!.message;
  if (album === undefined || count < messages.length || count === album.total) return null;
  return messages[count - 1]!.receivedAtMs + ALBUM_GAP_MS;
}

async function answerTo(
  { queued: { messageId, message }, messages }: Head,
  channel: Channel,
  deadlineMs: number,
  ports: AnswerPorts,
): Promise<Shared<string>> {
  const { workspaceId, applicationId, channelId } = channel;
  // The lease must not run out while the answer is on its way.
  const signal = AbortSignal.timeout(Math.max(0, deadlineMs - ports.clock.now() - 10_000));
  try {
    return await ports.answerShares.within({ workspaceId, messageId }, async () => {
      const question: Question = {
        workspaceId,
        applicationId,
        channelId,
        sessionId: `${message.conversationId}|${isShared(channel, message) ? '*' : message.sender.id}`,
        key: messageId,
        content: await contentOf(messages, channel, ports),
        origin: originOf(message),
      };
      return ports.signs.during(channel, message, () => ports.application.answer(question, signal));
    });
  } catch (error) {
    if (signal.aborted) throw new AnswerFailed('timeout', true, { cause: error });
    throw error;
  }
}

/** Whether all of a group share one history. */
function isShared({ settings }: Channel, { place }: InboundMessage): boolean {
  return settings.group_history === 'conversation' && (place === 'addressed' || place === 'overheard');
}

/** Each text stays before the attachments that it came with. */
async function contentOf(
  messages: readonly InboundMessage[],
  channel: Channel,
  ports: AnswerPorts,
): Promise<Question['content']> {
  const [first] = messages;
  if (messages.length === 1 && first!.attachments.length === 0) return withQuotes(first!);
  const access = await ports.secrets.open(channel, ports.clock.now());
  let room = MAX_ATTACHMENTS;
  const parts = messages.map(async (message, index) => {
    // Every picture of an album replies to the same message.
    const text = index === 0 ? withQuotes(message) : message.text;
    const taken = message.attachments.slice(0, room);
    room -= taken.length;
    const read = await Promise.all(taken.map((each) => ports.attachments.read(each, channel, access)));
    return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...read];
  });
  return (await Promise.all(parts)).flat();
}

async function bury(
  lane: Inbound,
  count: number,
  death: Death,
  notice: Append | null,
  ports: AnswerPorts,
): Promise<Inbound | null> {
  const letter = deadLetterOf({ ...lane, messages: [headOf(lane).queued] }, death, ports);
  const next = await ports.lanes.buryHead(lane, letter, { notice, count });
  await ports.onDead(letter);
  if (notice !== null) await sendFor(notice, ports);
  return next;
}
