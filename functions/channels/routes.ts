import { type Access, queue, table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { retryable } from '../shared/http/implied-errors.ts';
import { managed as managedRoute } from '../shared/http/managed-route.ts';
import type { Route } from '../shared/http/route.ts';
import { perMinute } from '../shared/limits/base-limits.ts';
import {
  channel,
  channelBody,
  channelChange,
  channelPage,
  channelParams,
  channelsQuery,
  deadLetterPage,
  deadLetterParams,
  deadLettersQuery,
  replayBody,
  replayResult,
  testBody,
  testResult,
  webhookPage,
  webhookParams,
  webhookQuery,
  webhookStatus,
} from './schemas.ts';

/** A removal takes several calls. */
const managed = { ...managedRoute, limits: { timeoutSeconds: 25, memoryMb: 256 } } as const satisfies Partial<Route>;

/** Of one channel: a hundred messages a second. */
export const webhookLimit = perMinute('webhook', 6_000);

export const MAX_WEBHOOK_BYTES = 1024 * 1024;
export const WEBHOOK_BODY_ADVICE = 'webhooks of more than 1 MiB are not taken';

/** Settings that the webhook routes have in common. Their senders authenticate by signature only. */
const signed = {
  auth: ['signature'],
  path: '/api/v1/webhooks/handle/{channel_type}',
  errors: 'envelope',
  params: webhookParams,
  query: webhookQuery,
  limits: { timeoutSeconds: 20, memoryMb: 512 },
} as const satisfies Partial<Route>;

const signatureRefused = {
  description: 'The signature is missing or wrong, or its timestamp is more than 5 minutes away, past or future',
} as const;
const ambiguous = {
  description:
    'No ?channel=, and the signature is not that of the oldest channel of the type; or a body of another form',
} as const;
const notConfigured = { description: 'Unknown channel type, or no channel of the type is configured' } as const;

export const handleWebhookRoute = {
  ...signed,
  id: 'channels.handle-webhook',
  method: 'POST',
  doc: {
    summary: 'Receive a webhook of a messaging platform',
    description:
      'The body is the platform’s own. Its signature is verified over the raw bytes with the secret of the channel, its ' +
      'messages are stored, each event once, and queued; the application’s answer is delivered to the platform later. ' +
      'custom takes {conversation_id, text, language?, sender?: {id, name?}, attachments?: [{url, name?, content_type?}], ' +
      'quotes?: [{kind?: reply | forward | embed, author?, text}]}, signed as Standard Webhooks has it.',
  },
  bodyLimit: { maxBytes: MAX_WEBHOOK_BYTES, advice: WEBHOOK_BODY_ADVICE },
  rateLimits: [{ limit: webhookLimit, per: 'principal' }],
  responses: {
    200: { description: 'Accepted, or the answer to a handshake, in the form of the platform' },
    400: ambiguous,
    401: signatureRefused,
    404: notConfigured,
    503: retryable('As many messages of the conversation wait as can'),
  },
  access: [
    table('workflows', 'BatchGetItem', 'GetItem', 'Query'),
    table('channels', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    queue('runs', 'send'),
    queue('channel-inbound', 'send'),
    'secrets:open',
    'outbox:add',
  ],
} as const satisfies Route;

export const verifyWebhookRoute = {
  ...signed,
  id: 'channels.verify-webhook',
  method: 'GET',
  doc: {
    summary: 'Answer the handshake of a platform that verifies the address of its webhook',
    description:
      'whatsapp: echoes hub.challenge where hub.verify_token is that of the channel. Other platforms send none.',
  },
  responses: {
    200: { description: 'The challenge, as text' },
    400: ambiguous,
    401: { description: 'The verify token is missing or wrong' },
    404: { description: 'Unknown channel type, one without this handshake, or no channel of the type is configured' },
  },
  access: [table('channels', 'BatchGetItem', 'GetItem', 'Query'), 'secrets:open'],
} as const satisfies Route;

export const listChannelsRoute = {
  ...managed,
  id: 'channels.list-channels',
  method: 'GET',
  path: '/api/v1/channels',
  doc: { summary: 'The channels of the workspace', description: 'Newest first, in pages.' },
  query: channelsQuery,
  responses: { 200: { description: 'A page of channels', schema: envelopeOf(channelPage) } },
  access: [table('channels', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const createChannelRoute = {
  ...managed,
  id: 'channels.create-channel',
  method: 'POST',
  path: '/api/v1/channels',
  role: 'admin',
  doc: {
    summary: 'Connect an application to a messaging platform',
    description: 'Enter webhook_url of the response at the platform. Secrets are stored encrypted and never returned.',
  },
  body: channelBody,
  responses: { 201: { description: 'The channel', schema: envelopeOf(channel) } },
  access: [
    table('channels', 'BatchGetItem', 'GetItem', 'PutItem', 'Query'),
    table('applications', 'GetItem', 'Query'),
    'secrets:seal',
  ],
} as const satisfies Route;

export const getChannelRoute = {
  ...managed,
  id: 'channels.get-channel',
  method: 'GET',
  path: '/api/v1/channels/{id}',
  doc: { summary: 'One channel' },
  params: channelParams,
  responses: { 200: { description: 'The channel', schema: envelopeOf(channel) } },
  access: [table('channels', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const changeChannelRoute = {
  ...managed,
  id: 'channels.change-channel',
  method: 'PATCH',
  path: '/api/v1/channels/{id}',
  role: 'admin',
  doc: {
    summary: 'Change a channel, or rotate its secrets',
    description:
      'A replaced webhook secret stays valid for secret_overlap_seconds along with the new one, so that ' +
      'nothing is refused while the platform changes over; custom signs its replies with both.',
  },
  params: channelParams,
  body: channelChange,
  responses: {
    200: { description: 'The channel', schema: envelopeOf(channel) },
    409: { description: 'changed: the channel was changed at the same moment' },
  },
  // What waited for other credentials is queued again.
  access: [
    table('channels', 'BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('applications', 'BatchGetItem', 'GetItem', 'Query'),
    queue('channel-inbound', 'send'),
    queue('deliveries-high', 'send'),
    queue('deliveries-normal', 'send'),
    queue('deliveries-low', 'send'),
    'secrets:seal',
  ],
} as const satisfies Route;

const testsLimit = perMinute('channel-tests', 20);

export const testChannelRoute = {
  ...managed,
  id: 'channels.test-channel',
  method: 'POST',
  path: '/api/v1/channels/{id}/test',
  role: 'admin',
  doc: {
    summary: 'Send a test message',
    description:
      'At once and once, by the way that replies take, with the channel’s credentials. The answer has the platform’s own words. No message ' +
      'of the channel waits for it, and no circuit breaker counts it. 20 a minute.',
  },
  params: channelParams,
  body: testBody,
  rateLimits: [{ limit: testsLimit, per: 'principal' }],
  responses: { 200: { description: 'What the platform answered', schema: envelopeOf(testResult) } },
  access: [table('channels', 'BatchGetItem', 'GetItem', 'Query'), 'secrets:open'],
} as const satisfies Route;

export const removeChannelRoute = {
  ...managed,
  id: 'channels.remove-channel',
  method: 'DELETE',
  path: '/api/v1/channels/{id}',
  role: 'owner',
  doc: { summary: 'Remove a channel', description: 'Its webhook answers 404 from the next request on.' },
  params: channelParams,
  responses: {
    204: { description: 'Removed' },
    409: { description: 'changed: the channel was changed at the same moment' },
  },
  access: [table('channels', 'BatchGetItem', 'DeleteItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const listWebhooksRoute = {
  ...managed,
  id: 'channels.list-webhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  doc: { summary: 'The addresses that platforms send their webhooks to' },
  query: channelsQuery,
  responses: { 200: { description: 'A page of webhooks, one for each channel', schema: envelopeOf(webhookPage) } },
  access: [table('channels', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const getWebhookStatusRoute = {
  ...managed,
  id: 'channels.get-webhook-status',
  method: 'GET',
  path: '/api/v1/webhooks/status',
  doc: { summary: 'Queues and circuit breakers of the workspace’s channels, by platform' },
  responses: { 200: { description: 'One entry a platform', schema: envelopeOf(webhookStatus) } },
  access: [table('channels', 'BatchGetItem', 'GetItem', 'Query'), 'breakers'],
} as const satisfies Route;

export const listDeadLettersRoute = {
  ...managed,
  id: 'channels.list-dead-letters',
  method: 'GET',
  path: '/api/v1/dead-letters',
  role: 'admin',
  doc: {
    summary: 'Messages that could not be answered or delivered',
    description: 'Newest first, in pages, for 30 days; by channel, type, direction, reason and time.',
  },
  query: deadLettersQuery,
  responses: { 200: { description: 'A page of dead letters', schema: envelopeOf(deadLetterPage) } },
  access: [table('channels', 'GetItem', 'Query')],
} as const satisfies Route;

/** The access of what puts messages and replies back into their queues. */
export const requeueMessages: Access = [
  table('channels', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  queue('channel-inbound', 'send'),
  queue('deliveries-high', 'send'),
  queue('deliveries-normal', 'send'),
  queue('deliveries-low', 'send'),
];

export const replayDeadLetterRoute = {
  ...managed,
  id: 'channels.replay-dead-letter',
  method: 'POST',
  path: '/api/v1/dead-letters/{id}/replay',
  role: 'admin',
  doc: { summary: 'Put a dead letter back into its queue' },
  params: deadLetterParams,
  responses: {
    202: { description: 'It is queued again', schema: envelopeOf(replayResult) },
    409: { description: 'channel_removed, channel_disabled or conversation_full' },
  },
  access: requeueMessages,
} as const satisfies Route;

export const replayDeadLettersRoute = {
  ...managed,
  id: 'channels.replay-dead-letters',
  method: 'POST',
  path: '/api/v1/dead-letters/replay',
  role: 'admin',
  doc: {
    summary: 'Put many dead letters back into their queues',
    description: 'Those of the given ids, or all that fit a filter, with low priority. has_more: send it again.',
  },
  body: replayBody,
  responses: { 202: { description: 'How many are queued again', schema: envelopeOf(replayResult) } },
  access: requeueMessages,
} as const satisfies Route;

export const removeDeadLetterRoute = {
  ...managed,
  id: 'channels.remove-dead-letter',
  method: 'DELETE',
  path: '/api/v1/dead-letters/{id}',
  role: 'admin',
  doc: { summary: 'Remove a dead letter' },
  params: deadLetterParams,
  responses: { 204: { description: 'Removed' } },
  access: [table('channels', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem')],
} as const satisfies Route;

export const channelsRoutes: readonly Route[] = [
  handleWebhookRoute,
  verifyWebhookRoute,
  listChannelsRoute,
  createChannelRoute,
  getChannelRoute,
  changeChannelRoute,
  testChannelRoute,
  removeChannelRoute,
  listWebhooksRoute,
  getWebhookStatusRoute,
  listDeadLettersRoute,
  replayDeadLettersRoute,
  replayDeadLetterRoute,
  removeDeadLetterRoute,
];
