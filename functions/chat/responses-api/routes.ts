import { table } from '../../shared/access.ts';
import { ANY_CREDENTIAL, type Route } from '../../shared/http/route.ts';
import { chatLimit } from '../../shared/limits/base-limits.ts';
import { bodyLimit, completionAccess, completionErrors, completionLimits } from '../completions/routes.ts';
import { eraseAccess } from '../conversations/routes.ts';
import {
  inputItemList,
  inputItemsQuery,
  removedResponse,
  response,
  responseBody,
  responseEvent,
  responseParams,
  storedResponseParams,
} from './schemas.ts';

export const createResponseRoute = {
  id: 'chat.create-response',
  method: 'POST',
  path: '/api/v1/chat/{application_id}/responses',
  aliases: ['/api/v1/chat/{application_id}/v1/responses'],
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  role: 'admin',
  errors: 'openai',
  doc: {
    summary: 'Chat with an application, in the form of OpenAI’s Responses API',
    description:
      'Texts, images, files, functions, structured output and streaming. A response is kept for 30 days unless store is ' +
      'false, and previous_response_id continues it. Server-side tools are those of the application. Not for ' +
      'public access tokens.',
  },
  stream: true,
  params: responseParams,
  body: responseBody,
  bodyLimit,
  rateLimits: [{ limit: chatLimit, per: 'caller' }],
  responses: {
    ...completionErrors,
    200: {
      description: 'The response; with stream: true as server-sent events',
      schema: response,
      events: responseEvent,
    },
    400: {
      description:
        'invalid_request; context_overflow: the conversation is beyond the context window; previous_response_not_found',
    },
  },
  limits: completionLimits,
  access: completionAccess,
} as const satisfies Route;

const stored = {
  path: '/api/v1/chat/{application_id}/responses/{response_id}',
  aliases: ['/api/v1/chat/{application_id}/v1/responses/{response_id}'],
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  errors: 'openai',
  params: storedResponseParams,
  limits: { timeoutSeconds: 20, memoryMb: 256 },
} as const;
const notFound = { description: 'not_found: no such application; response_not_found: the caller has no such response' };

export const getResponseRoute = {
  ...stored,
  id: 'chat.get-response',
  method: 'GET',
  doc: {
    summary: 'A response that is kept, in OpenAI’s form',
    description:
      'Its output, usage and citations; not the parameters of its request. Only for the caller that made it.',
  },
  responses: { 200: { description: 'The response', schema: response }, 404: notFound },
  access: [table('applications', 'GetItem'), table('conversations', 'GetItem')],
} as const satisfies Route;

export const listInputItemsRoute = {
  ...stored,
  id: 'chat.list-input-items',
  method: 'GET',
  path: `${stored.path}/input_items`,
  aliases: [`${stored.aliases[0]}/input_items`],
  query: inputItemsQuery,
  doc: {
    summary: 'The input of a response that is kept, in OpenAI’s form',
    description:
      'The items that its request added: messages, calls and their results; not instructions and system messages. Those ' +
      'of earlier responses are listed by their own ids.',
  },
  responses: { 200: { description: 'A page of items', schema: inputItemList }, 404: notFound },
  access: [table('applications', 'GetItem'), table('conversations', 'GetItem')],
} as const satisfies Route;

export const cancelResponseRoute = {
  ...stored,
  id: 'chat.cancel-response',
  method: 'POST',
  path: `${stored.path}/cancel`,
  aliases: [`${stored.aliases[0]}/cancel`],
  role: 'admin',
  doc: {
    summary: 'Cancel a response, in OpenAI’s form',
    description:
      'Always refused, as OpenAI refuses it for responses that are complete: responses are made while their request ' +
      'waits, and closing its connection ends one.',
  },
  responses: {
    400: { description: 'invalid_request: the response is complete' },
    404: notFound,
  },
  access: [table('applications', 'GetItem'), table('conversations', 'GetItem')],
} as const satisfies Route;

export const removeResponseRoute = {
  ...stored,
  id: 'chat.remove-response',
  method: 'DELETE',
  role: 'admin',
  doc: {
    summary: 'Remove a response, in OpenAI’s form',
    description:
      'Responses that continue it no longer know it, nor the responses before it. The run of a workflow that gave it is erased, as ' +
      'are the runs of the responses that continue it: their records have its texts.',
  },
  responses: { 200: { description: 'Removed', schema: removedResponse }, 404: notFound },
  limits: { timeoutSeconds: 29, memoryMb: 512 },
  access: eraseAccess,
} as const satisfies Route;

export const responsesApiRoutes: readonly Route[] = [
  createResponseRoute,
  getResponseRoute,
  listInputItemsRoute,
  cancelResponseRoute,
  removeResponseRoute,
];
