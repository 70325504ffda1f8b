import { Problem } from '../shared/http/problem.ts';
import { type ChannelRefusal, ChannelRefused } from './domain/channel-refused.ts';
import { LaneFull } from './domain/delivery/delivery-ports.ts';
import { type WebhookRefusal, WebhookRefused } from './domain/find-webhook-channel.ts';
import { MalformedWebhook } from './domain/platforms/platform.ts';
import { WEBHOOK_BODY_ADVICE } from './routes.ts';

const STATUS: Readonly<Record<ChannelRefusal | WebhookRefusal, number>> = {
  not_found: 404,
  dead_letter_not_found: 404,
  changed: 409,
  application_not_found: 422,
  wrong_secret: 422,
  wrong_setting: 422,
  channel_removed: 409,
  channel_disabled: 409,
  conversation_full: 409,
  unknown_type: 404,
  wrong_channel_id: 400,
  not_configured: 404,
  ambiguous: 400,
};

/** Errors of the channels' domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof ChannelRefused || error instanceof WebhookRefused)
    return new Problem(STATUS[error.refusal], error.refusal, error.message);
  if (error instanceof MalformedWebhook) return new Problem(400, 'invalid_request', error.message);
  if (error instanceof LaneFull)
    return new Problem(503, 'conversation_full', 'Too many messages wait in this conversation. Send it again later.', {
      headers: { 'retry-after': '10' },
    });
  return null;
}

export function webhookTooLarge(): Problem {
  return new Problem(413, 'request_too_large', `The body is too large: ${WEBHOOK_BODY_ADVICE}.`);
}

export function noHandshake(): Problem {
  return new Problem(404, 'no_handshake', 'Channels of this type have no handshake by GET. Send webhooks by POST.');
}
