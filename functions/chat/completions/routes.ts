import { type Access, table } from '../../shared/access.ts';
import { retryable } from '../../shared/http/implied-errors.ts';
import { ANY_CREDENTIAL, type Route } from '../../shared/http/route.ts';
import { chatLimit } from '../../shared/limits/base-limits.ts';
import type { RateLimit } from '../../shared/limits/rate-limit.ts';
import { answerByWorkflow, askModels } from '../answer-access.ts';
import {
  completion,
  completionBody,
  completionChunk,
  completionHeaders,
  completionParams,
  modelList,
  modelParams,
  oneModel,
  previewBody,
} from './schemas.ts';

/** Of a public token, for all its visitors together. */
export const publicChatLimit: RateLimit = { name: 'public-chat', burst: 300, refillMs: 200 };

/** Settings that the routes of an application's chat have in common. */
const chatted = {
  auth: ['path-token', ...ANY_CREDENTIAL],
  scope: 'chat',
  errors: 'openai',
} as const satisfies Partial<Route>;

/** Errors of requests for an answer, in any form. */
export const completionErrors = {
  402: {
    description:
      'insufficient_balance: the models have a price here, and the balance does not cover the answer; no model was asked',
  },
  429: {
    description:
      'rate_limited: 20 requests a minute, 5 at once; rate_limit: that of the model provider; budget_used_up: the day’s ' +
      'requests or tokens of a public access token, or of one of its visitors, or a budget of the workspace. rate_limit also: ' +
      'as many runs of the workspace’s workflows are under way as may be',
  },
  502: {
    description:
      'provider_error or auth_error: the model provider fails, or refuses the application’s key; tool_error: the tools of ' +
      'the application cannot be had',
  },
  504: { description: 'timeout: the model provider is silent for longer than the application allows' },
} as const satisfies Route['responses'];

const completionResponses = {
  200: {
    description: 'The answer; with stream: true as server-sent events',
    schema: completion,
    events: completionChunk,
  },
  400: { description: 'invalid_request, or context_overflow: the conversation is beyond the context window' },
  409: retryable(
    'idempotency_in_progress: a request with this Idempotency-Key is being answered; session_busy: ten messages of the session wait ' +
      'for their turn, or one has waited for a minute, at a workflow with conversation variables',
  ),
  ...completionErrors,
} as const satisfies Route['responses'];

const foreignPages = {
  403: { description: 'origin_not_allowed: the public access token is not for pages of this origin' },
} as const satisfies Route['responses'];

/** Images and files come as base64 in JSON. */
export const bodyLimit = {
  maxBytes: 20 * 1024 * 1024,
  advice:
    'A hosted service takes about 6 MB. Send larger images by their address in image_url, and documents by upload to a ' +
    'knowledge base of the application.',
} as const;

// Below the five minutes after which API Gateway closes a connection that is silent.
export const completionLimits = { timeoutSeconds: 290, memoryMb: 512 } as const;

export const completionAccess: Access = [
  ...askModels,
  ...answerByWorkflow,
  table('conversations', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  table('limits', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
];

export const completeChatRoute = {
  ...chatted,
  id: 'chat.complete-chat',
  method: 'POST',
  path: '/api/v1/chat/{application_id}/chat/completions',
  aliases: ['/api/v1/chat/{application_id}/v1/chat/completions'],
  role: 'admin',
  doc: {
    summary: 'Chat with an application, in the form of OpenAI’s chat completions',
    description:
      'Any client of that API works with {base}/api/v1/chat/{application_id} as its base address. The model, the system ' +
      'prompt and the limits are the application’s. With stream: true the answer comes as server-sent events, each a chunk, ' +
      'and ends with [DONE]; a failure after the first chunk is the event "error" with one of the codes rate_limit, ' +
      'context_overflow, tool_error, timeout, provider_error, auth_error. With X-Session-Id the history is kept for 30 days, ' +
      'and of a resent history only what follows the last answer counts. A public access token in the path needs no credential; ' +
      'of what its visitors send only text, files and stream count, and they get their session ids from the service: X-Session-Id: new, then the one of the response.',
  },
  stream: true,
  params: completionParams,
  headers: completionHeaders,
  body: completionBody,
  bodyLimit,
  rateLimits: [
    { limit: chatLimit, per: 'caller' },
    { limit: publicChatLimit, per: 'token' },
  ],
  responses: {
    ...completionResponses,
    ...foreignPages,
    200: {
      ...completionResponses[200],
      headers: {
        'x-session-id': 'With a public access token and a session: its id, which the visitor sends from then on',
      },
    },
    400: { description: `${completionResponses[400].description}; invalid_session: it was not issued for this token` },
  },
  limits: completionLimits,
  access: completionAccess,
} as const satisfies Route;

export const completePreviewRoute = {
  id: 'chat.complete-preview',
  method: 'POST',
  path: '/api/v1/chat/completions',
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  role: 'admin',
  errors: 'openai',
  doc: {
    summary: 'Enterprise preview: chat with the application, or workflow, that model names',
    description:
      'Not final. As POST /api/v1/chat/{application_id}/chat/completions, with the id of an application, or of a published ' +
      'workflow, in model, so that one base address serves a whole workspace.',
  },
  stream: true,
  headers: completionHeaders,
  body: previewBody,
  bodyLimit,
  rateLimits: [{ limit: chatLimit, per: 'caller' }],
  responses: {
    ...completionResponses,
    404: { description: 'not_found: the workspace has no application and no published workflow of this id' },
  },
  limits: completionLimits,
  access: completionAccess,
} as const satisfies Route;

export const listModelsRoute = {
  ...chatted,
  id: 'chat.list-models',
  method: 'GET',
  path: '/api/v1/chat/{application_id}/models',
  aliases: ['/api/v1/chat/{application_id}/v1/models'],
  doc: { summary: 'The models of an application, in OpenAI’s form' },
  params: completionParams,
  responses: { 200: { description: 'The model that answers', schema: modelList }, ...foreignPages },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('applications', 'GetItem')],
} as const satisfies Route;

export const getModelRoute = {
  ...chatted,
  id: 'chat.get-model',
  method: 'GET',
  path: '/api/v1/chat/{application_id}/models/{model}',
  aliases: ['/api/v1/chat/{application_id}/v1/models/{model}'],
  doc: { summary: 'One model of an application, in OpenAI’s form' },
  params: modelParams,
  responses: { 200: { description: 'The model', schema: oneModel }, ...foreignPages },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('applications', 'GetItem')],
} as const satisfies Route;

export const completionRoutes: readonly Route[] = [
  completeChatRoute,
  completePreviewRoute,
  listModelsRoute,
  getModelRoute,
];
