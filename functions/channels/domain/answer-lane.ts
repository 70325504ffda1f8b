import type { ContentPart } from '../../chat/domain/messages.ts';
import { type RetrySchedule, retryDelayMs } from '../../shared/leases/retry-schedule.ts';
import { runLeased } from '../../shared/leases/run-leased.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { laneOwner } from './accept-webhook.ts';
import type { Channel } from './channel.ts';
import type { Channels } from './channel-ports.ts';
import type { Append, ChannelSecrets, LaneQueues, Lanes } from './delivery/delivery-ports.ts';
import { acquireLane, deadLetterOf, laneMessage, laneRefOf, releaseFor } from './delivery/lane-runs.ts';
import type { DeadLetter, Lane, LaneMessage, Priority, QueuedInbound } from './delivery/messages.ts';
import type { Attachment, InboundMessage } from './inbound-message.ts';
import type { ChannelAccess } from './platforms/platform.ts';
import { platforms } from './platforms/platforms.ts';
import type { SlowAnswers } from './slow-answers.ts';
import { splitText } from './text/split.ts';

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
  readonly slowAnswers: Pick<SlowAnswers, 'areTooMany' | 'whileCounted'>;
  readonly attachments: {
    /** An attachment as a part of the message; a text in its place where it cannot be read. */
    read(attachment: Attachment, channel: Channel, access: ChannelAccess): Promise<ContentPart>;
  };
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onDead: (letter: DeadLetter) => Promise<void>;
  readonly onUnsent: (channelId: string, error: unknown) => void;
}

type Inbound = Lane<'inbound'>;

/** After the first attempt. */
const MAX_RETRIES = 3;
const DELAYS: RetrySchedule = { firstMs: 5_000, factor: 3, maxMs: 60_000, jitter: 0.2 };
/** For so long, and up to twice, the messages of a workspace wait that has as many slow answers as it may have. */
const GIVES_WAY_MS = 5_000;
/** So much of a run is left when an application is asked. */
const ANSWER_RESERVE_MS = 60_000;

const SORRY = 'Sorry, I could not answer this message. Please try again later.';

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
  const channel = channels.recent(lane.channelId) ?? (await channels.find(lane.channelId));
  if (channel === null || channel.status === 'disabled') {
    const reason = channel === null ? 'channel_removed' : 'channel_disabled';
    return bury(lane, { reason, attempts: lane.attempts }, null, ports);
  }
  const queued = lane.messages[0]!;
  if (await ports.slowAnswers.areTooMany(channel.workspaceId)) {
    const untilMs = ports.clock.now() + Math.ceil(GIVES_WAY_MS * (1 + ports.random()));
    await releaseFor(lane, { untilMs }, ports);
    return 'waits';
  }
  try {
    const text = await answerTo(queued, channel, deadlineMs, ports);
    const replies = repliesTo(queued, channel, text, 'normal', ports);
    if (replies.messages.length === 0) return await ports.lanes.removeHead(lane);
    const next = await ports.lanes.answerHead(lane, replies);
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
    const notice = repliesTo(queued, channel, SORRY, 'high', ports);
    return bury(lane, { reason: error.code, attempts }, notice, ports);
  }
}

async function answerTo(
  { messageId, message }: QueuedInbound,
  channel: Channel,
  deadlineMs: number,
  ports: AnswerPorts,
): Promise<string> {
  const { workspaceId, applicationId, channelId } = channel;
  // The lease must not run out while the answer is on its way.
  const signal = AbortSignal.timeout(Math.max(0, deadlineMs - ports.clock.now() - 10_000));
  const question: Question = {
    ...{ workspaceId, applicationId, channelId },
    sessionId: `${message.conversationId}|${message.sender.id}`,
    key: messageId,
    content: await contentOf(message, channel, ports),
  };
  try {
    return await ports.slowAnswers.whileCounted({ workspaceId, messageId, untilMs: deadlineMs }, () =>
      ports.application.answer(question, signal),
    );
  } catch (error) {
    if (signal.aborted) throw new AnswerFailed('timeout', true, { cause: error });
    throw error;
  }
}

async function contentOf(message: InboundMessage, channel: Channel, ports: AnswerPorts): Promise<Question['content']> {
  if (message.attachments.length === 0) return message.text;
  const access = await ports.secrets.open(channel, ports.clock.now());
  const parts = await Promise.all(message.attachments.map((each) => ports.attachments.read(each, channel, access)));
  return [...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]), ...parts];
}

/** A reply in the form of the platform, in parts of the length that it takes. */
function repliesTo(
  { messageId, message: { conversationId, replyTo: target } }: QueuedInbound,
  channel: Channel,
  markdown: string,
  priority: Priority,
  { clock }: Pick<AnswerPorts, 'clock'>,
): Append {
  const platform = platforms[channel.type];
  const parts = splitText(platform.format(markdown), platform.maxReplyLength);
  return {
    lane: { channelId: channel.channelId, direction: 'outbound', priority, conversationId },
    owner: laneOwner(channel),
    messages: parts.map((text, index) => ({
      messageId: `${messageId}-${priority === 'high' ? 'e' : ''}${String(index + 1).padStart(3, '0')}`,
      ...{ createdAtMs: clock.now(), text, target, isFirst: index === 0 },
    })),
  };
}

async function bury(
  lane: Inbound,
  why: Pick<DeadLetter, 'reason' | 'attempts'>,
  notice: Append | null,
  ports: AnswerPorts,
): Promise<Inbound | null> {
  const letter = deadLetterOf(lane, why, ports);
  const next = await ports.lanes.buryHead(lane, letter, notice);
  await ports.onDead(letter);
  if (notice !== null) await sendFor(notice, ports);
  return next;
}

/** The replies are stored: where this fails, the reconciler does it. */
async function sendFor({ lane, owner }: Append, { queues, onUnsent }: AnswerPorts): Promise<void> {
  await queues.send([laneMessage(owner, laneRefOf(lane))]).catch((error: unknown) => onUnsent(lane.channelId, error));
}
