import { type Access, bucket, queue, table } from '../../shared/access.ts';
import { envelopeOf } from '../../shared/http/envelope.ts';
import { managed } from '../../shared/http/managed-route.ts';
import type { Route } from '../../shared/http/route.ts';
import { perMinute } from '../../shared/limits/base-limits.ts';
import { applicationParams } from '../schemas.ts';
import {
  conversationPage,
  conversationParams,
  conversationsQuery,
  feedback,
  feedbackBody,
  feedbackParams,
  messagePage,
  messagesQuery,
  removeConversationsQuery,
  removedConversations,
} from './schemas.ts';

/** Runs are erased, and those under way cancelled, with their conversations. */
export const eraseAccess: Access = [
  table('applications', 'GetItem', 'Query'),
  table('conversations', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  table('runs', 'BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  bucket('runs', 'GetObject', 'PutObject'),
  queue('runs', 'send'),
];
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
  access: [table('applications', 'GetItem', 'Query'), table('conversations', 'GetItem', 'Query')],
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
  access: [table('applications', 'GetItem'), table('conversations', 'GetItem', 'Query')],
} as const satisfies Route;

export const removeConversationRoute = {
  ...managed,
  id: 'chat.remove-conversation',
  method: 'DELETE',
  path: oneConversationPath,
  role: 'admin',
  doc: {
    summary: 'Remove a conversation',
    description:
      'Its session starts anew with the next request. The runs of workflows that answered in it are erased, those under way ' +
      'cancelled before.',
  },
  params: conversationParams,
  responses: { 204: { description: 'Removed' } },
  limits: { timeoutSeconds: 29, memoryMb: 512 },
  access: eraseAccess,
} as const satisfies Route;

export const removeConversationsRoute = {
  ...managed,
  id: 'chat.remove-conversations',
  method: 'DELETE',
  path: '/api/v1/conversations',
  role: 'admin',
  doc: {
    summary: 'Remove all conversations of a person',
    description:
      'By the session, the caller or both, in one application or all of them: what a person’s request for erasure asks for, with the ' +
      'runs of workflows that answered in them. ' +
      'The audit trail records how many were removed.',
  },
  query: removeConversationsQuery,
  rateLimits: [{ limit: perMinute('remove-conversations', 30), per: 'principal' }],
  responses: { 200: { description: 'How many were removed', schema: envelopeOf(removedConversations) } },
  limits: { timeoutSeconds: 29, memoryMb: 512 },
  access: [...eraseAccess, 'audit'],
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
  responses: { 200: { description: 'The rating', schema: envelopeOf(feedback) } },
  access: [table('applications', 'GetItem'), table('conversations', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const conversationRoutes: readonly Route[] = [
  listConversationsRoute,
  listMessagesRoute,
  removeConversationRoute,
  removeConversationsRoute,
  rateMessageRoute,
];
