import * as z from 'zod';
import { pageQuery } from '../../shared/http/page-query.ts';
import { UUID } from '../../shared/uuid.ts';
import { fileMembers } from '../completions/schemas.ts';
import { applicationParams } from '../schemas.ts';

/** Requests and responses about conversations, for those who run an application. */

const CONVERSATION_ID = /^conv_[0-9A-HJKMNP-TV-Z]{26}$/;
const TURN_ID = /^chatcmpl-[0-9A-HJKMNP-TV-Z]{26}$/;

export const conversationParams = applicationParams.extend({
  conversation_id: z.string().regex(CONVERSATION_ID, 'must be the id of a conversation'),
});
export const feedbackParams = conversationParams.extend({
  message_id: z.string().regex(TURN_ID, 'must be the id of an answer, which is that of its completion'),
});
export const feedbackBody = z.strictObject({
  rating: z.enum(['up', 'down']).nullable().describe('Null takes an earlier rating back'),
});

const person = z.string().min(1, 'must not be empty').max(255, 'must have at most 255 characters').optional();
export const removeConversationsQuery = z
  .strictObject({
    session_id: person.describe(
      'X-Session-Id of their requests, or the sender of a channel, as conversations are listed with it',
    ),
    caller_id: person.describe('Id of the user, the key, the public access token or the channel that they came by'),
    application_id: z
      .string()
      .regex(UUID, 'must be the id of an application, a UUID')
      .toLowerCase()
      .optional()
      .describe('Absent: every application of the workspace. An application that was removed must be named'),
  })
  .refine(({ session_id, caller_id }) => session_id !== undefined || caller_id !== undefined, {
    error: 'session_id or caller_id is needed: whose conversations are to be removed?',
    path: ['session_id'],
  });

export const removedConversations = z.object({
  removed: z.int().nonnegative(),
  complete: z.boolean().describe('False: there was no time for all of them. Send the call again'),
});

export const conversationsQuery = pageQuery('conversations', 'next_cursor', CONVERSATION_ID);
export const messagesQuery = pageQuery('turns', 'next_cursor', TURN_ID);

const cursor = z.string().nullable().describe('Cursor of the next page; null: this is the last one');
const rating = z.enum(['up', 'down']).nullable();

const conversation = z
  .object({
    id: z.string(),
    session_id: z
      .string()
      .describe('X-Session-Id of its requests; of a visitor only its first part, which gives no access'),
    caller: z.object({ kind: z.enum(['user', 'key', 'public-token', 'channel']), id: z.string() }),
    title: z.string().describe('The start of its first message'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Conversation' });

export const conversationPage = z.object({
  conversations: z.array(conversation).describe('Newest first'),
  next_cursor: cursor,
});

const message = z
  .object({
    id: z.string().describe('Of an answer: the id of its completion'),
    role: z.enum(['user', 'assistant', 'tool']),
    content: z.unknown().describe('A text, or parts; null with tool calls'),
    tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
    tool_call_id: z.string().optional(),
    ...fileMembers,
    rating: rating.describe('Of an answer'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ConversationMessage' });

export const messagePage = z.object({
  messages: z.array(message).describe('Oldest first; a page holds whole turns'),
  next_cursor: cursor,
});

export const feedback = z.object({ message_id: z.string(), rating });
