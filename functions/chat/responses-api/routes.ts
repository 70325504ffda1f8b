import { ANY_CREDENTIAL, type Route } from '../../shared/http/route.ts';
import { chatLimit } from '../../shared/limits/base-limits.ts';
import { bodyLimit, completionAccess, completionErrors, completionLimits } from '../completions/routes.ts';
import { response, responseBody, responseEvent, responseParams } from './schemas.ts';

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
      'false, and previous_response_id goes on from it. Tools that run on our side are those of the application. Not for ' +
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

export const responsesApiRoutes: readonly Route[] = [createResponseRoute];
