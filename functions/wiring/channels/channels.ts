import { setTimeout } from 'node:timers/promises';
import { DynamoOutbox } from '../../adapters/accounts/dynamo-outbox.ts';
import { DynamoBreakers } from '../../adapters/channels/dynamo-breakers.ts';
import { DynamoChannels } from '../../adapters/channels/dynamo-channels.ts';
import { DynamoConversationIds } from '../../adapters/channels/dynamo-conversation-ids.ts';
import { DynamoDeadLetters } from '../../adapters/channels/dynamo-dead-letters.ts';
import { DynamoInboundHealths } from '../../adapters/channels/dynamo-inbound-healths.ts';
import { DynamoLanes } from '../../adapters/channels/dynamo-lanes.ts';
import { DynamoOpenThreads } from '../../adapters/channels/dynamo-open-threads.ts';
import { DynamoSentReplies } from '../../adapters/channels/dynamo-sent-replies.ts';
import { type LaneQueueId, laneQueues } from '../../adapters/channels/lane-queues.ts';
import { sealedChannelSecrets } from '../../adapters/channels/sealed-channel-secrets.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { DynamoRunningWork } from '../../adapters/shared/dynamo-running-work.ts';
import { ProcessRunningWork } from '../../adapters/shared/process-running-work.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { type MessageQueue, queueByUrl } from '../../adapters/sqs/queue-by-url.ts';
import type { SafeFetch } from '../../adapters/web/safe-fetch.ts';
import type { AcceptPorts } from '../../channels/domain/accept-webhook.ts';
import type { AddressedChannelsPorts } from '../../channels/domain/addressed-channels.ts';
import type { AnswerPorts } from '../../channels/domain/answer-lane.ts';
import { AnswerShares } from '../../channels/domain/answer-shares.ts';
import type { Channel } from '../../channels/domain/channel.ts';
import type { ChannelStatuses } from '../../channels/domain/channel-ports.ts';
import type { BreakerSettings } from '../../channels/domain/delivery/breaker.ts';
import type { DeliverPorts } from '../../channels/domain/delivery/deliver-lane.ts';
import type { LaneQueues, Sender } from '../../channels/domain/delivery/delivery-ports.ts';
import { DeliveryShares } from '../../channels/domain/delivery/delivery-shares.ts';
import type { DeadLetter, LaneMessage } from '../../channels/domain/delivery/messages.ts';
import type { ReconcilePorts } from '../../channels/domain/delivery/reconcile-lanes.ts';
import type { FailPorts } from '../../channels/domain/fail-lane.ts';
import { disableChannel, recordCredentials } from '../../channels/domain/manage-channels.ts';
import type { ReplayPorts } from '../../channels/domain/manage-dead-letters.ts';
import type { PlatformTokens, TokenVerifier } from '../../channels/domain/platforms/platform.ts';
import type { LaterReplyPorts } from '../../channels/domain/reply-later.ts';
import type { TestPorts } from '../../channels/domain/test-channel.ts';
import { toProblem } from '../../channels/http-errors.ts';
import { WebhookAuthenticator } from '../../channels/webhook-authenticator.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoize } from '../../shared/memoize.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { CHANNELS_BROKEN, CIRCUITS_OPENED, DEAD_LETTERS, OLDEST_CHANNEL_MESSAGE } from '../../shared/metric-names.ts';
import { Recent } from '../../shared/recent.ts';
import { queues } from '../../shared/resources.ts';
import { httpPorts } from '../shared/http.ts';
import { secretBox } from '../shared/secret-box.ts';

export const clock = systemClock;

export const http = { ...httpPorts, toProblem };

export const webhooks = memoize(() => {
  return new WebhookAuthenticator({
    channels: channels(),
    secrets: sealedChannelSecrets(secretBox()),
    tokens: tokenVerifier(),
    healths: inboundHealths(),
    onUnrecorded: (channelId, error) =>
      logger().warn('A webhook could not be recorded', { channelId, error: error as Error }),
    clock: systemClock,
  });
});

/** For what platforms send, which has no credential but its signature. */
export const signedHttp = { ...http, authenticators: { signature: webhooks } };

export function channels(): DynamoChannels {
  return new DynamoChannels(dynamoClient(), channelsTable(), { recent: recentChannels(), backoff: jitteredBackoff });
}

export const inboundHealths = memoize(() => {
  return new DynamoInboundHealths(dynamoClient(), channelsTable(), systemClock);
});

export function breakers(): DynamoBreakers {
  return new DynamoBreakers(dynamoClient(), channelsTable(), recentChannels());
}

const recentChannels = memoize(() => new Recent<Channel>(systemClock));

export function lanes(): DynamoLanes {
  return new DynamoLanes(dynamoClient(), channelsTable(), STORE_PORTS);
}

export function deadLetters(): DynamoDeadLetters {
  return new DynamoDeadLetters(dynamoClient(), channelsTable(), { lanes: lanes(), clock: systemClock });
}

/** The queue of an id; a function asks for those only that it may use. */
const queueOf = (() => {
  const known = new Map<LaneQueueId, MessageQueue<LaneMessage>>();
  return (id: LaneQueueId) => {
    const setting = queues[id].environment;
    const queue = known.get(id) ?? queueByUrl<LaneMessage>(environment(setting)[setting]);
    known.set(id, queue);
    return queue;
  };
})();

export function queue(id: LaneQueueId): MessageQueue<LaneMessage> {
  return queueOf(id);
}

export function allQueues(): LaneQueues {
  return laneQueues(queueOf);
}

export function statuses(): ChannelStatuses {
  const [stored, circuits] = [lanes(), breakers()];
  return { depth: (channelId) => stored.depth(channelId), breakers: (names) => circuits.findAll(names) };
}

export function breakerSettings(): BreakerSettings {
  const settings = environment(
    'BREAKER_ERROR_THRESHOLD',
    'BREAKER_ERROR_WINDOW_SECONDS',
    'BREAKER_RECOVERY_TIMEOUT_SECONDS',
    'BREAKER_PROBE_INTERVAL_SECONDS',
  );
  return {
    errorThreshold: settings.BREAKER_ERROR_THRESHOLD,
    errorWindowSeconds: settings.BREAKER_ERROR_WINDOW_SECONDS,
    recoveryTimeoutSeconds: settings.BREAKER_RECOVERY_TIMEOUT_SECONDS,
    probeIntervalSeconds: settings.BREAKER_PROBE_INTERVAL_SECONDS,
  };
}

export function acceptPorts(): AcceptPorts {
  return {
    lanes: lanes(),
    conversationIds: new DynamoConversationIds(dynamoClient(), channelsTable(), STORE_PORTS),
    sent: sentReplies(),
    queues: allQueues(),
    ids: ulidIds,
    clock: systemClock,
    onSkipped: (channelId, reasons) => logger().warn('Messages of a webhook are not answered', { channelId, reasons }),
    onDead,
    onBroken: onCredentials,
    onUnsent,
  };
}

export function addressedChannelsPorts(): AddressedChannelsPorts {
  return { channels: channels(), secrets: sealedChannelSecrets(secretBox()), tokens: tokenVerifier() };
}

export function openThreads(): DynamoOpenThreads {
  return new DynamoOpenThreads(dynamoClient(), channelsTable(), systemClock);
}

function sentReplies(): DynamoSentReplies {
  return new DynamoSentReplies(dynamoClient(), channelsTable(), STORE_PORTS);
}

const STORE_PORTS = { clock: systemClock, backoff: jitteredBackoff };

/** Covers the fraction of a second that a queue's whole-second delay leaves. */
const pause = (ms: number): Promise<void> => setTimeout(ms);

export function laterReplyPorts(): LaterReplyPorts {
  return { channels: channels(), lanes: lanes(), queues: allQueues(), ids: ulidIds, clock: systemClock, onUnsent };
}

export function replayPorts(): ReplayPorts {
  return { deadLetters: deadLetters(), channels: channels(), queues: allQueues(), onUnsent };
}

export function answerPorts(): AnswerPorts {
  const answers = memoizeAsync(applicationAnswers);
  const loaded = memoizeAsync(async () => {
    const [{ webAttachments }, { webSigns }, web] = await Promise.all([
      import('../../adapters/channels/web-attachments.ts'),
      import('../../adapters/channels/web-signs.ts'),
      platformWeb(),
    ]);
    const tokens = platformTokens(web);
    return {
      signs: webSigns({ web, tokens, secrets: sealedChannelSecrets(secretBox()), clock: systemClock }),
      attachments: webAttachments({
        web,
        tokens,
        transcribe: async (...voice) => (await import('./voice-messages.ts')).wordsOfVoice(...voice),
        onUnread: (channelId, error) =>
          logger().warn('An attachment could not be read', { channelId, error: error as Error }),
      }),
    };
  });
  return {
    lanes: lanes(),
    queues: allQueues(),
    channels: channels(),
    secrets: sealedChannelSecrets(secretBox()),
    application: {
      answer: async (...question) => (await answers()).answer(...question),
    },
    answerShares: answerShares(),
    attachments: { read: async (...attachment) => (await loaded()).attachments.read(...attachment) },
    signs: { during: async (...answer) => (await loaded()).signs.during(...answer) },
    ids: ulidIds,
    clock: systemClock,
    pause,
    random: Math.random,
    onDead,
    onUnsent,
  };
}

/** Answers of chat applications; what they need is loaded with the first message. */
export async function applicationAnswers(): Promise<AnswerPorts['application']> {
  const [{ answerOfApplication }, { completePorts }] = await Promise.all([
    import('../../channels/application-answers.ts'),
    import('../chat/complete.ts'),
  ]);
  const ports = completePorts();
  const answer: AnswerPorts['application']['answer'] = (question, signal) =>
    answerOfApplication(question, signal, ports);
  return { answer };
}

const answerShares = memoize(() => {
  return new AnswerShares({
    // Of one process they end with it: the answers of a killed one leave their share to its successor at once.
    running: servesMany()
      ? new ProcessRunningWork()
      : new DynamoRunningWork(dynamoClient(), channelsTable(), 'ANSWER', systemClock),
    clock: systemClock,
    answersAtOnce: environment('ANSWERS_AT_ONCE').ANSWERS_AT_ONCE,
    onUncounted: (error) => logger().warn('A slow answer could not be counted', { error: error as Error }),
  });
});

/** Of a process that serves all workspaces: fewer than it delivers at the same time. */
const DELIVERIES_OF_WORKSPACE = 8;

function webSender(): Sender {
  const sender = memoizeAsync(async () => {
    const [{ WebSender }, web] = await Promise.all([import('../../adapters/channels/web-sender.ts'), platformWeb()]);
    return new WebSender({ web, tokens: platformTokens(web), clock: systemClock });
  });
  return { send: async (...part) => (await sender()).send(...part) };
}

export function testPorts(): TestPorts {
  return {
    channels: channels(),
    secrets: sealedChannelSecrets(secretBox()),
    sender: webSender(),
    ids: ulidIds,
    clock: systemClock,
  };
}

export function deliverPorts(): DeliverPorts {
  const stored = channels();
  const circuits = breakers();
  return {
    lanes: lanes(),
    deadLetters: deadLetters(),
    reads: circuits,
    breakers: circuits,
    breakerSettings: breakerSettings(),
    secrets: sealedChannelSecrets(secretBox()),
    sender: webSender(),
    sent: sentReplies(),
    // A function on AWS works on one batch, and its queues are fair.
    shares: new DeliveryShares(servesMany() ? DELIVERIES_OF_WORKSPACE : Number.POSITIVE_INFINITY, {
      clock: systemClock,
      pause,
    }),
    queues: allQueues(),
    ids: ulidIds,
    clock: systemClock,
    pause,
    random: Math.random,
    async disable(channel, reason) {
      logger().warn('A channel was disabled: its receiver wants no more messages', { channelId: channel.channelId });
      await disableChannel(channel, reason, { channels: stored, clock: systemClock });
    },
    onCredentials,
    async onOpened({ circuit, lastError }) {
      logger().warn('A circuit has opened: deliveries to the platform stop', { circuit, lastError });
      await countMetric(CIRCUITS_OPENED);
    },
    onDead,
  };
}

/** Records a refusal; the first one is counted, and reported to its owners. */
async function onCredentials(channel: Channel, refusal: Parameters<typeof recordCredentials>[1]): Promise<void> {
  const { channelId, workspaceId, type } = channel;
  if (!(await recordCredentials(channel, refusal, { channels: channels(), clock: systemClock }))) return;
  const reason = refusal?.code ?? '';
  logger().warn('A platform refuses the channel: its replies wait', { channelId, workspaceId, type, reason });
  await Promise.all([countMetric(CHANNELS_BROKEN), notifyOwners(channel, reason)]);
}

/** An e-mail, once until the platform takes the channel's credentials again. */
async function notifyOwners({ workspaceId, channelId, name, type }: Channel, code: string): Promise<void> {
  const createdAt = new Date(systemClock.now()).toISOString();
  const notice = {
    ...({ noticeId: ulidIds.next('ntc'), kind: 'channel_broken', workspaceId, channelId, channelName: name } as const),
    platform: type,
    code,
    createdAt,
  };
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  await new DynamoOutbox(dynamoClient(), ACCOUNTS_TABLE).add(notice).catch((error: unknown) => {
    logger().warn('The e-mail about a broken channel could not be queued', { channelId, error: error as Error });
  });
}

export function failPorts(): FailPorts {
  return { lanes: lanes(), ids: ulidIds, clock: systemClock, onDead };
}

export function reconcilePorts(): ReconcilePorts {
  return {
    channels: channels(),
    breakers: breakers(),
    breakerSettings: breakerSettings(),
    deadLetters: deadLetters(),
    lanes: lanes(),
    queues: allQueues(),
    clock: systemClock,
  };
}

/** Records the age of the oldest message that is neither answered nor delivered. */
export const countOldest = (seconds: number): Promise<void> => countMetric(OLDEST_CHANNEL_MESSAGE, seconds);

async function onDead({ deadLetterId, channelId, direction, reason, attempts }: DeadLetter): Promise<void> {
  logger().warn('A message was given up', { deadLetterId, channelId, direction, reason, attempts });
  await countMetric(DEAD_LETTERS);
}

function onUnsent(channelId: string, error: unknown): void {
  logger().error('A conversation could not be queued; the reconciler will do it', { channelId, error: error as Error });
}

/** Loaded with the first call of a platform. */
async function platformWeb(): Promise<SafeFetch> {
  const { SafeFetch } = await import('../../adapters/web/safe-fetch.ts');
  return new SafeFetch({ field: 'The address of the platform', allowLoopback: isLocal() });
}

/** Loaded with the first webhook of Teams. */
function tokenVerifier(): TokenVerifier {
  const loaded = memoizeAsync(async () => {
    const [{ TeamsTokenVerifier }, web] = await Promise.all([
      import('../../adapters/channels/teams-tokens.ts'),
      platformWeb(),
    ]);
    return new TeamsTokenVerifier({ web, clock: systemClock });
  });
  return { isValid: async (...token) => (await loaded()).isValid(...token) };
}

/** Loaded with the first reply to Teams. */
function platformTokens(web: SafeFetch): PlatformTokens {
  const loaded = memoizeAsync(async () => {
    const { TeamsTokens } = await import('../../adapters/channels/teams-tokens.ts');
    return new TeamsTokens({ web, clock: systemClock });
  });
  let issued: PlatformTokens | null = null;
  return {
    async teams(...channel) {
      issued = await loaded();
      return issued.teams(...channel);
    },
    forget: (...channel) => issued?.forget(...channel),
  };
}

/** Whether this process works on many messages at a time. */
const servesMany = () => environment('MANY_AT_A_TIME').MANY_AT_A_TIME;

function isLocal(): boolean {
  return environment('TRIPOD_LOCAL').TRIPOD_LOCAL;
}

function channelsTable(): string {
  return environment('CHANNELS_TABLE').CHANNELS_TABLE;
}
