import { randomBytes } from 'node:crypto';
import { DynamoBreakers } from '../../functions/adapters/channels/dynamo-breakers.ts';
import { DynamoChannels } from '../../functions/adapters/channels/dynamo-channels.ts';
import { DynamoConversationIds } from '../../functions/adapters/channels/dynamo-conversation-ids.ts';
import { DynamoDeadLetters } from '../../functions/adapters/channels/dynamo-dead-letters.ts';
import { DynamoLanes } from '../../functions/adapters/channels/dynamo-lanes.ts';
import { DynamoSentReplies } from '../../functions/adapters/channels/dynamo-sent-replies.ts';
import { DynamoRunningWork } from '../../functions/adapters/shared/dynamo-running-work.ts';
import { ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import { acceptWebhook } from '../../functions/channels/domain/accept-webhook.ts';
import { answerLane, type Question } from '../../functions/channels/domain/answer-lane.ts';
import { AnswerShares } from '../../functions/channels/domain/answer-shares.ts';
import type { Channel, ChannelType } from '../../functions/channels/domain/channel.ts';
import { DEFAULT_BREAKER } from '../../functions/channels/domain/delivery/breaker.ts';
import { deliverLane } from '../../functions/channels/domain/delivery/deliver-lane.ts';
import { DeliveryShares } from '../../functions/channels/domain/delivery/delivery-shares.ts';
import { laneMessage, laneRefOf } from '../../functions/channels/domain/delivery/lane-runs.ts';
import type { DeadLetter, LaneMessage } from '../../functions/channels/domain/delivery/messages.ts';
import { reconcileLanes } from '../../functions/channels/domain/delivery/reconcile-lanes.ts';
import { disableChannel, recordCredentials } from '../../functions/channels/domain/manage-channels.ts';
import { contentOf, type ReplyPart } from '../../functions/channels/domain/platforms/platform.ts';
import { DELIVERED, type SendOutcome } from '../../functions/channels/domain/platforms/send-outcome.ts';
import { Recent } from '../../functions/shared/recent.ts';
import { testClock } from './clock.ts';
import { type EmbeddedDynamo, TABLES } from './embedded-dynamo.ts';
import { instantBackoff } from './fakes.ts';
import { type Fault, faultyPorts } from './faulty-ports.ts';

/** How long a worker of these tests may live. */
export const LEASE_SECONDS = 300;

interface TimedMessage {
  readonly message: LaneMessage;
  readonly dueMs: number;
}

const uncounted = (error: unknown): never => {
  throw error;
};

/** A channel over the embedded DynamoDB, its queues in a list; the application and the platform are functions. */
export async function channelFlow(dynamo: EmbeddedDynamo, type: ChannelType = 'custom') {
  const clock = testClock();
  const suffix = randomBytes(8).toString('hex');
  const recent = new Recent<Channel>(clock);
  const channels = new DynamoChannels(dynamo.client, TABLES.channels, { recent, backoff: instantBackoff });
  const breakers = new DynamoBreakers(dynamo.client, TABLES.channels, recent);
  const lanes = new DynamoLanes(dynamo.client, TABLES.channels, { clock, backoff: instantBackoff });
  const deadLetters = new DynamoDeadLetters(dynamo.client, TABLES.channels, { lanes, clock });
  const at = new Date(clock.now()).toISOString();
  const channel: Channel = {
    ...{ workspaceId: `ws_${suffix}`, channelId: `chn_${suffix}`, type, name: 'Channel', applicationId: 'app' },
    ...{ secrets: {}, settings: { url: `https://${suffix}.example.com/hook` }, status: 'active', disabledReason: null },
    ...{ problem: null, version: 1, createdAt: at, updatedAt: at },
  };
  await channels.create(channel);

  const running = new DynamoRunningWork(dynamo.client, TABLES.channels, 'ANSWER', clock);
  const answerShares = new AnswerShares({ running, clock, answersAtOnce: 8, onUncounted: uncounted });

  let queued: TimedMessage[] = [];
  const queues = {
    async send(messages: readonly LaneMessage[], delaySeconds = 0) {
      queued.push(...messages.map((message) => ({ message, dueMs: clock.now() + delaySeconds * 1000 })));
    },
  };
  /** Parts that reached the platform, with any answer. */
  const sent: ReplyPart[] = [];
  const asked: Question[] = [];
  const died: DeadLetter[] = [];
  /** Codes of refused credentials that were reported. */
  const refused: string[] = [];
  const sentReplies = new DynamoSentReplies(dynamo.client, TABLES.channels, { clock, backoff: instantBackoff });
  const how = {
    send: async (_: ReplyPart): Promise<SendOutcome> => DELIVERED,
    answer: async ({ content }: Question): Promise<string> => `re: ${content}`,
  };
  const ports = {
    // The table has the channels of other tests too.
    channels: {
      find: (id: string) => channels.find(id),
      recent: (id: string) => channels.recent(id),
      async *allIds() {
        yield channel.channelId;
      },
    },
    ...{
      lanes,
      deadLetters,
      sent: sentReplies,
      breakers,
      reads: breakers,
      queues,
      clock,
      ids: ulidIds,
      random: () => 0,
      answerShares,
      shares: new DeliveryShares(3, { clock, pause: async () => undefined }),
    },
    breakerSettings: DEFAULT_BREAKER,
    secrets: { open: async () => ({ settings: channel.settings, secret: () => '', validSecrets: () => [] }) },
    sender: {
      send: async (_: unknown, part: ReplyPart) => {
        const outcome = await how.send(part);
        sent.push(part);
        return outcome;
      },
    },
    application: {
      answer: async (question: Question) => {
        asked.push(question);
        return how.answer(question);
      },
    },
    signs: { during: <T>(_: Channel, __: unknown, work: () => Promise<T>) => work() },
    attachments: { read: async () => ({ type: 'text' as const, text: '' }) },
    conversationIds: new DynamoConversationIds(dynamo.client, TABLES.channels, { clock, backoff: instantBackoff }),
    pause: async (ms: number) => clock.advance(ms / 1000),
    onCredentials: async (seen: Channel, refusal: { code: string; detail: string | null } | null) => {
      if (await recordCredentials(seen, refusal, { channels, clock })) refused.push(refusal!.code);
    },
    onBroken: async () => undefined,
    onSkipped: () => undefined,
    disable: (seen: Channel, reason: string) => disableChannel(seen, reason, { channels, clock }),
    onOpened: async () => undefined,
    onDead: async (letter: DeadLetter) => void died.push(letter),
    onUnsent: () => undefined,
  };

  /** The ports; those to stores, queues and other services meet the fault. */
  const faulted = (fault: Fault | null, at: number | string) => {
    const { lanes: own, breakers: circuits, reads, queues: sqs, sender, application, channels: found } = ports;
    const outside = { lanes: own, breakers: circuits, reads, queues: sqs, sender, application, channels: found };
    const { ports: faulty, calls } = faultyPorts(outside, fault, at);
    return { ports: { ...ports, ...faulty }, calls };
  };

  const run = async (message: LaneMessage, fault: Fault | null, at: number | string) => {
    const { ports: faulty, calls } = faulted(fault, at);
    const untilMs = clock.now() + LEASE_SECONDS * 1000;
    const { direction } = message;
    const working =
      direction === 'inbound'
        ? answerLane({ ...message, direction }, untilMs, faulty)
        : deliverLane({ ...message, direction }, untilMs, faulty);
    const verdict = await working.catch(() => 'retry' as const);
    return { verdict, calls };
  };
  let events = 0;
  return {
    ...{ clock, channel, ports, sent, asked, died, refused, how, deadLetters, channels, lanes, breakers },
    /** A webhook with a message. */
    async say(
      text: string,
      conversationId = 'c',
      fault: Fault | null = null,
      at: number | string = -1,
      eventId = `e${++events}`,
    ) {
      const { ports: faulty, calls } = faulted(fault, at);
      const message = {
        ...{ eventId, conversationId, sender: { id: 'p', name: null }, text, attachments: [] },
        replyTo: { conversation_id: conversationId },
        place: 'direct' as const,
      };
      const accepted = await acceptWebhook(channel, contentOf([message]), faulty).then(
        () => true,
        () => false,
      );
      return { accepted, calls };
    },
    run,
    faulted,
    /** Takes a message of the queues that is due. */
    take(direction?: LaneMessage['direction']): LaneMessage | null {
      const index = queued.findIndex(
        ({ message, dueMs }) => dueMs <= clock.now() && (direction === undefined || message.direction === direction),
      );
      return index < 0 ? null : queued.splice(index, 1)[0]!.message;
    },
    /** A message of the queues for the replies of a conversation. */
    laneMessage: (conversationId: string): LaneMessage =>
      laneMessage(channel, laneRefOf({ ...channel, direction: 'outbound', priority: 'normal', conversationId })),
    /** All queue messages are lost. */
    lose() {
      queued = [];
    },
    put(message: LaneMessage, delaySeconds: number) {
      queued.push({ message, dueMs: clock.now() + delaySeconds * 1000 });
    },
    /** Works off everything, moving the clock to the next message whenever none is due; lets the reconciler look after the rest. */
    async settle() {
      for (let round = 0; round < 3; round++) {
        for (let steps = 0; queued.length > 0 && steps < 5_000; steps++) {
          const next = queued.toSorted((a, b) => a.dueMs - b.dueMs)[0]!;
          if (next.dueMs > clock.now()) clock.advance((next.dueMs - clock.now()) / 1000);
          queued.splice(queued.indexOf(next), 1);
          const { verdict } = await run(next.message, null, -1);
          if (verdict === 'retry') queued.push({ message: next.message, dueMs: clock.now() + 60_000 });
        }
        if ((await this.left()).length === 0) return [];
        clock.advance(2 * 60 * 60);
        await reconcileLanes(ports);
      }
      return this.left();
    },
    /** Messages that are neither delivered nor dead. */
    async left() {
      const found: unknown[] = [];
      for (const direction of ['inbound', 'outbound'] as const)
        for await (const lane of lanes.list(channel.channelId, direction)) found.push(lane);
      return found;
    },
    delivered: () => sent.flatMap(({ texts }) => texts),
  };
}

export type ChannelFlow = Awaited<ReturnType<typeof channelFlow>>;
