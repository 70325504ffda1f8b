import { envelopeOf } from '../shared/http/envelope.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import type { RateLimit } from '../shared/limits/rate-limit.ts';
import {
  completion,
  completionBody,
  completionHeaders,
  completionParams,
  modelList,
  modelParams,
  oneModel,
} from './completion-schemas.ts';
import {
  conversationPage,
  conversationParams,
  conversationsQuery,
  feedback,
  feedbackBody,
  feedbackParams,
  messagePage,
  messagesQuery,
} from './conversation-schemas.ts';
import {
  accessTokenBody,
  accessTokenList,
  accessTokenParams,
  application,
  applicationBody,
  applicationChange,
  applicationPage,
  applicationParams,
  applicationsQuery,
  ifMatchHeader,
  newAccessToken,
} from './schemas.ts';

/** What the routes of management have in common. */
const managed = {
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  errors: 'envelope',
  limits: { timeoutSeconds: 20, memoryMb: 256 },
} as const satisfies Partial<Route>;

const readAccess = { tables: { applications: 'read' } } as const satisfies Route['access'];
const writeAccess = { tables: { applications: 'read-write' } } as const satisfies Route['access'];

const etagHeader = { etag: 'Version of the application, for If-Match' } as const;
const nameTaken = { description: 'name_taken: the workspace has an application of this name' } as const;
const ruleViolated = {
  description: 'A value is not among the allowed ones, or breaks a rule; the message names the field',
} as const;

export const listApplicationsRoute = {
  ...managed,
  id: 'chat.list-applications',
  method: 'GET',
  path: '/api/v1/applications',
  doc: { summary: 'The applications of the workspace', description: 'Newest first, in pages.' },
  query: applicationsQuery,
  responses: { 200: { description: 'A page of applications', schema: envelopeOf(applicationPage) } },
  access: readAccess,
} as const satisfies Route;

export const createApplicationRoute = {
  ...managed,
  id: 'chat.create-application',
  method: 'POST',
  path: '/api/v1/applications',
  role: 'admin',
  doc: {
    summary: 'Create an application',
    description:
      'Without a model it answers with the embedded one, which needs no network. Keys of model providers are stored ' +
      'encrypted and never returned.',
  },
  body: applicationBody,
  responses: {
    201: { description: 'The application', schema: envelopeOf(application), headers: etagHeader },
    409: nameTaken,
    422: ruleViolated,
  },
  access: { ...writeAccess, secrets: 'seal' },
} as const satisfies Route;

export const getApplicationRoute = {
  ...managed,
  id: 'chat.get-application',
  method: 'GET',
  path: '/api/v1/applications/{id}',
  doc: { summary: 'One application' },
  params: applicationParams,
  responses: { 200: { description: 'The application', schema: envelopeOf(application), headers: etagHeader } },
  access: readAccess,
} as const satisfies Route;

export const changeApplicationRoute = {
  ...managed,
  id: 'chat.change-application',
  method: 'PATCH',
  path: '/api/v1/applications/{id}',
  role: 'admin',
  doc: {
    summary: 'Change an application',
    description:
      'With If-Match or updated_at only as the client has read it. Calls that come at the same moment do not mix: one of ' +
      'them is a 409.',
  },
  params: applicationParams,
  headers: ifMatchHeader,
  body: applicationChange,
  responses: {
    200: { description: 'The application', schema: envelopeOf(application), headers: etagHeader },
    409: { description: 'name_taken, or changed: the application was changed since the client read it' },
    422: ruleViolated,
  },
  access: { ...writeAccess, secrets: 'seal' },
} as const satisfies Route;

export const removeApplicationRoute = {
  ...managed,
  id: 'chat.remove-application',
  method: 'DELETE',
  path: '/api/v1/applications/{id}',
  role: 'owner',
  doc: {
    summary: 'Remove an application with its access tokens',
    description: 'Its chat answers 404 from the next request on.',
  },
  params: applicationParams,
  responses: {
    204: { description: 'Removed' },
    409: { description: 'changed: the application was changed at the same moment' },
  },
  access: writeAccess,
} as const satisfies Route;

export const createAccessTokenRoute = {
  ...managed,
  id: 'chat.create-access-token',
  method: 'POST',
  path: '/api/v1/applications/{id}/access-tokens',
  role: 'admin',
  doc: {
    summary: 'Create a public access token',
    description:
      'It stands in the path of the chat in the place of the application’s id, where no other credential is needed. It can ' +
      'do nothing but chat with this application. At most 20 for each.',
  },
  params: applicationParams,
  body: accessTokenBody,
  responses: {
    201: { description: 'The token, shown this once', schema: envelopeOf(newAccessToken) },
    409: { description: 'too_many_tokens: revoke one first' },
  },
  access: writeAccess,
} as const satisfies Route;

export const listAccessTokensRoute = {
  ...managed,
  id: 'chat.list-access-tokens',
  method: 'GET',
  path: '/api/v1/applications/{id}/access-tokens',
  doc: { summary: 'The public access tokens of an application' },
  params: applicationParams,
  responses: { 200: { description: 'The tokens, oldest first', schema: envelopeOf(accessTokenList) } },
  access: readAccess,
} as const satisfies Route;

export const revokeAccessTokenRoute = {
  ...managed,
  id: 'chat.revoke-access-token',
  method: 'DELETE',
  path: '/api/v1/applications/{id}/access-tokens/{token_id}',
  role: 'admin',
  doc: { summary: 'Revoke a public access token', description: 'It is refused from the next request on.' },
  params: accessTokenParams,
  responses: { 204: { description: 'Revoked' } },
  access: writeAccess,
} as const satisfies Route;

const conversationAccess = {
  tables: { applications: 'read', conversations: 'read' },
} as const satisfies Route['access'];
const conversationsPath = '/api/v1/applications/{id}/conversations';
const oneConversationPath = `${conversationsPath}/{conversation_id}` as const;

export const listConversationsRoute = {
  ...managed,
  id: 'chat.list-conversations',
  method: 'GET',
  path: conversationsPath,
  role: 'admin',
  doc: {
    summary: 'The conversations of an application',
    description: 'Newest first, in pages: those of requests with X-Session-Id, until 30 days after their last turn.',
  },
  params: applicationParams,
  query: conversationsQuery,
  responses: { 200: { description: 'A page of conversations', schema: envelopeOf(conversationPage) } },
  access: conversationAccess,
} as const satisfies Route;

export const listMessagesRoute = {
  ...managed,
  id: 'chat.list-messages',
  method: 'GET',
  path: `${oneConversationPath}/messages`,
  role: 'admin',
  doc: { summary: 'The messages of a conversation', description: 'Oldest first, in pages of whole turns.' },
  params: conversationParams,
  query: messagesQuery,
  responses: { 200: { description: 'A page of messages', schema: envelopeOf(messagePage) } },
  access: conversationAccess,
} as const satisfies Route;

export const removeConversationRoute = {
  ...managed,
  id: 'chat.remove-conversation',
  method: 'DELETE',
  path: oneConversationPath,
  role: 'admin',
  doc: { summary: 'Remove a conversation', description: 'Its session begins anew with the next request.' },
  params: conversationParams,
  responses: { 204: { description: 'Removed' } },
  access: { tables: { applications: 'read', conversations: 'read-write' } },
} as const satisfies Route;

export const rateMessageRoute = {
  ...managed,
  id: 'chat.rate-message',
  method: 'PUT',
  path: `${oneConversationPath}/messages/{message_id}/feedback`,
  role: 'admin',
  doc: { summary: 'Rate an answer: thumbs up or down' },
  params: feedbackParams,
  body: feedbackBody,
  responses: { 200: { description: 'The rating', schema: envelopeOf(feedback) }, 422: ruleViolated },
  access: { tables: { applications: 'read', conversations: 'read-write' } },
} as const satisfies Route;

/** 20 requests a minute, and 5 at once. */
export const chatLimit: RateLimit = { name: 'chat', burst: 5, refillMs: 3_000 };
/** Of a public token, for all its visitors together. */
export const publicChatLimit: RateLimit = { name: 'public-chat', burst: 300, refillMs: 200 };

/** What the routes of an application's chat have in common. */
const chatted = {
  auth: ['path-token', ...ANY_CREDENTIAL],
  scope: 'chat',
  errors: 'openai',
} as const satisfies Partial<Route>;

export const completeChatRoute = {
  ...chatted,
  id: 'chat.complete-chat',
  method: 'POST',
  path: '/api/v1/chat/{application_id}/chat/completions',
  role: 'admin',
  doc: {
    summary: 'Chat with an application, in the form of OpenAI’s chat completions',
    description:
      'Any client of that API works with {base}/api/v1/chat/{application_id} as its base address. The model, the system ' +
      'prompt and the limits are the application’s. With stream: true the answer comes as server-sent events, each a chunk, ' +
      'and ends with [DONE]; a failure after the first chunk is the event "error" with one of the codes rate_limit, ' +
      'context_overflow, tool_error, timeout, provider_error, auth_error. With X-Session-Id the history is kept for 30 days, ' +
      'and of a resent history only what follows the last answer counts. A public access token in the path needs no credential.',
  },
  stream: true,
  params: completionParams,
  headers: completionHeaders,
  body: completionBody,
  rateLimits: [
    { limit: chatLimit, per: 'caller' },
    { limit: publicChatLimit, per: 'token' },
  ],
  responses: {
    200: { description: 'The answer; with stream: true as server-sent events', schema: completion },
    400: { description: 'invalid_request, or context_overflow: the conversation is beyond the context window' },
    422: ruleViolated,
    429: { description: 'rate_limited: 20 requests a minute, 5 at once; rate_limit: that of the model provider' },
    502: { description: 'provider_error or auth_error: the model provider fails, or refuses the application’s key' },
    504: { description: 'timeout: the model provider is silent for longer than the application allows' },
  },
  // Below the five minutes after which API Gateway closes a connection that is silent.
  limits: { timeoutSeconds: 290, memoryMb: 512 },
  access: {
    tables: { applications: 'read', conversations: 'read-write', limits: 'read-write' },
    secrets: 'open',
    chatModels: true,
  },
} as const satisfies Route;

export const listModelsRoute = {
  ...chatted,
  id: 'chat.list-models',
  method: 'GET',
  path: '/api/v1/chat/{application_id}/models',
  doc: { summary: 'The models of an application, in OpenAI’s form' },
  params: completionParams,
  responses: { 200: { description: 'The model that answers', schema: modelList } },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: readAccess,
} as const satisfies Route;

export const getModelRoute = {
  ...chatted,
  id: 'chat.get-model',
  method: 'GET',
  path: '/api/v1/chat/{application_id}/models/{model}',
  doc: { summary: 'One model of an application, in OpenAI’s form' },
  params: modelParams,
  responses: { 200: { description: 'The model', schema: oneModel } },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: readAccess,
} as const satisfies Route;

export const chatRoutes: readonly Route[] = [
  listApplicationsRoute,
  createApplicationRoute,
  getApplicationRoute,
  changeApplicationRoute,
  removeApplicationRoute,
  createAccessTokenRoute,
  listAccessTokensRoute,
  revokeAccessTokenRoute,
  completeChatRoute,
  listModelsRoute,
  getModelRoute,
  listConversationsRoute,
  listMessagesRoute,
  removeConversationRoute,
  rateMessageRoute,
];
