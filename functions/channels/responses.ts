import type * as z from 'zod';
import type { Channel } from './domain/channel.ts';
import { addressOfCircuit, type BreakerSettings } from './domain/delivery/breaker.ts';
import type { DeadLetterFilter } from './domain/delivery/delivery-ports.ts';
import type { DeadLetter } from './domain/delivery/messages.ts';
import { faultText, type InboundHealth, NOTHING_SEEN } from './domain/inbound-health.ts';
import type { ChannelChange } from './domain/manage-channels.ts';
import type { BulkReplay } from './domain/manage-dead-letters.ts';
import { platforms } from './domain/platforms/platforms.ts';
import type { SendOutcome } from './domain/platforms/send-outcome.ts';
import type { PlatformStatus } from './domain/webhook-status.ts';
import type {
  channel,
  channelChange,
  deadLetter,
  deadLettersQuery,
  replayResult,
  testResult,
  webhookPage,
  webhookStatus,
} from './schemas.ts';

export function toTestResponse(outcome: SendOutcome): z.output<typeof testResult> {
  if (outcome.kind === 'delivered')
    return { delivered: true, code: null, detail: null, passing: false, retry_after: null };
  if (outcome.kind === 'gone')
    return { delivered: false, code: outcome.code, detail: null, passing: false, retry_after: null };
  const { code, detail, isPassing, retryAfterMs } = outcome;
  const retry_after = retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1000);
  return { delivered: false, code, detail, passing: isPassing, retry_after };
}

/** @param baseUrl the prefix of this service's paths. */
export function toChannelResponse(
  stored: Channel,
  baseUrl: string,
  nowMs: number,
  health: InboundHealth = NOTHING_SEEN,
): z.output<typeof channel> {
  const { channelId, type, name, applicationId, secrets, settings } = stored;
  const { status, disabledReason, problem, createdAt, updatedAt } = stored;
  const { required, optional } = platforms[type].secrets;
  const shown = [...required, ...optional].flatMap((secret) => {
    const known = secrets[secret];
    if (known === undefined) return [];
    const untilMs = known.previous?.validUntilMs ?? 0;
    return [[secret, { previous_valid_until: untilMs > nowMs ? new Date(untilMs).toISOString() : null }] as const];
  });
  return {
    id: channelId,
    type,
    name,
    application_id: applicationId,
    settings,
    status,
    secrets: Object.fromEntries(shown),
    disabled_reason: disabledReason,
    problem: toProblemResponse(problem),
    inbound: toInboundResponse(type, health),
    webhook_url: webhookUrl(stored, baseUrl),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function toInboundResponse(
  type: Channel['type'],
  { receivedAtMs, refused }: InboundHealth,
): z.output<typeof channel>['inbound'] {
  return {
    last_received_at: receivedAtMs === null ? null : new Date(receivedAtMs).toISOString(),
    last_refused: refused && {
      at: new Date(refused.atMs).toISOString(),
      reason: refused.reason,
      detail: faultText(refused.reason, platforms[type]),
    },
  };
}

function toProblemResponse(problem: Channel['problem']): z.output<typeof channel>['problem'] {
  if (problem === null) return null;
  const { code, detail, sinceMs } = problem;
  return { code, detail, since: new Date(sinceMs).toISOString() };
}

export function toWebhookResponse(stored: Channel, baseUrl: string): z.output<typeof webhookPage>['webhooks'][number] {
  const { channelId, type, name, status } = stored;
  return { channel_id: channelId, type, name, status, url: webhookUrl(stored, baseUrl) };
}

function webhookUrl({ type, channelId }: Pick<Channel, 'type' | 'channelId'>, baseUrl: string): string {
  return `${baseUrl}/api/v1/webhooks/handle/${type}?channel=${channelId}`;
}

export function toStatusResponse(
  statuses: readonly PlatformStatus[],
  settings: BreakerSettings,
): z.output<typeof webhookStatus> {
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    platforms: statuses.map(({ type, channels, broken, depth, circuits }) => ({
      type,
      channels,
      broken_channels: broken.map(({ channelId, name, problem }) => ({
        channel_id: channelId,
        name,
        problem: toProblemResponse(problem)!,
      })),
      queue_depth: depth,
      circuits: circuits.map(({ circuit, state, consecutiveErrors, openedAtMs, lastError }) => ({
        address: addressOfCircuit(circuit),
        state,
        consecutive_errors: consecutiveErrors,
        opened_at: openedAtMs === null ? null : at(openedAtMs),
        last_error: lastError && { code: lastError.code, at: at(lastError.atMs) },
      })),
    })),
    breaker: {
      error_threshold: settings.errorThreshold,
      error_window_seconds: settings.errorWindowSeconds,
      recovery_timeout_seconds: settings.recoveryTimeoutSeconds,
      probe_interval_seconds: settings.probeIntervalSeconds,
    },
  };
}

export function toChannelChange(body: z.output<typeof channelChange>): ChannelChange {
  const { application_id, secret_overlap_seconds, name, status, secrets, settings } = body;
  return {
    overlapSeconds: secret_overlap_seconds,
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(application_id !== undefined && { applicationId: application_id }),
    ...(secrets !== undefined && { secrets }),
    ...(settings !== undefined && { settings: given(settings) }),
  };
}

/** Without the members that are undefined, which a schema gives to absent ones. */
export function given<T extends object>(members: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** Without where it goes to, which holds reply tokens. */
export function toDeadLetterResponse(letter: DeadLetter): z.output<typeof deadLetter> {
  const { deadLetterId, channelId, type, direction, priority, conversationId, message, diedAt } = letter;
  const { reason, detail, attempts } = letter;
  const isInbound = 'message' in message;
  return {
    id: deadLetterId,
    channel_id: channelId,
    type,
    direction,
    priority,
    reason,
    detail,
    attempts,
    conversation_id: conversationId,
    text: isInbound ? message.message.text : [message.text, ...(message.more ?? [])].join('\n'),
    created_at: new Date(isInbound ? message.receivedAtMs : message.createdAtMs).toISOString(),
    died_at: diedAt,
  };
}

export function toDeadLetterFilter({
  channel_id,
  type,
  direction,
  reason,
  since,
  until,
}: Omit<z.output<typeof deadLettersQuery>, 'limit' | 'cursor'>): DeadLetterFilter {
  const iso = (time: string | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  return { channelId: channel_id, type, direction, reason, since: iso(since), until: iso(until) };
}

export function toReplayResponse({ replayed, skipped, hasMore }: BulkReplay): z.output<typeof replayResult> {
  return { replayed, skipped, has_more: hasMore };
}
