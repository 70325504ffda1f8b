import * as z from 'zod';
import {
  anyOf,
  eventPayloads,
  eventsOf,
  inPascalCase,
  progressPayloads,
  runEvent,
} from '../../shared/stream-events.ts';

export const citation = z
  .object({
    id: z.string().describe('Of the document'),
    title: z.string(),
    page: z.int().nullable(),
    heading: z.array(z.string()),
    score: z.number(),
    snippet: z.string().optional().describe('Not for visitors with a public access token'),
    source: z.string().describe('Document, headings and page, for people'),
  })
  .meta({ id: 'Citation' });

export const citations = z
  .array(citation)
  .optional()
  .describe('Passages that the model was given, [1] first; only of applications with knowledge bases');

/** Payloads of the events of chats without a workflow. */
const chatPayloads = {
  ...progressPayloads,
  knowledge_retrieved: z
    .object({ query: z.string(), documents: z.array(citation) })
    .describe('Knowledge bases have been searched.'),
  message_end: z
    .object({ ...eventPayloads.message_end.shape, citations })
    .describe('The stream ends without a failure.'),
};
export type ChatPayloads = { [Type in keyof typeof chatPayloads]: z.input<(typeof chatPayloads)[Type]> };

const chatEvent = anyOf(
  eventsOf(chatPayloads, (type) => `Chat${inPascalCase(type)}Event`),
  'ChatEvent',
);

/** `event` of a chunk: of a run where a workflow answers. */
export const completionEvent = z.union([chatEvent, runEvent]);
