import { table } from '../../shared/access.ts';
import { ANY_CREDENTIAL, EVENT_BODY_LIMIT, type Route } from '../../shared/http/route.ts';
import { perMinute } from '../../shared/limits/base-limits.ts';
import { responseParams } from '../responses-api/schemas.ts';
import { embeddingList, embeddingsBody } from './schemas.ts';

/** Programs that index texts send many, and each request holds hundreds of them. */
const embeddingsLimit = perMinute('embeddings', 120);

export const createEmbeddingsRoute = {
  id: 'chat.create-embeddings',
  method: 'POST',
  path: '/api/v1/chat/{application_id}/embeddings',
  aliases: ['/api/v1/chat/{application_id}/v1/embeddings'],
  auth: ANY_CREDENTIAL,
  scope: 'chat',
  role: 'admin',
  errors: 'openai',
  doc: {
    summary: 'Vectors of texts, in the form of OpenAI’s embeddings',
    description:
      'By the embedding model of the application’s knowledge bases, the first one that has one. Vectors are of length 1. ' +
      'Not for public access tokens.',
  },
  params: responseParams,
  body: embeddingsBody,
  bodyLimit: EVENT_BODY_LIMIT,
  rateLimits: [{ limit: embeddingsLimit, per: 'caller' }],
  responses: {
    200: { description: 'A vector for each text', schema: embeddingList },
    404: { description: 'not_found; embedding_model_not_found: no knowledge base of the application has one' },
    502: { description: 'provider_error: the embedding model fails, or refuses the request' },
  },
  limits: { timeoutSeconds: 29, memoryMb: 512 },
  access: [
    table('applications', 'GetItem'),
    table('knowledge', 'BatchGetItem', 'GetItem', 'Query'),
    table('limits', 'GetItem', 'PutItem', 'UpdateItem'),
    table('usage', 'UpdateItem'),
    'secrets:open',
    'chat-models',
    'token-budgets',
  ],
} as const satisfies Route;

export const embeddingsApiRoutes: readonly Route[] = [createEmbeddingsRoute];
