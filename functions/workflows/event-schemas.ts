import * as z from 'zod';
import { eventPayloads, runEvent } from '../shared/stream-events.ts';
import type { StreamEventType } from './domain/engine/engine-events.ts';
import type { EnginePayloads } from './domain/engine/event-payloads.ts';

type Schemas = Readonly<Record<StreamEventType, z.ZodObject>>;

/** Schemas that take what the engine makes; others do not compile. */
function fitting<S extends Schemas>(
  schemas: S & { [Type in keyof EnginePayloads]: EnginePayloads[Type] extends z.input<S[Type]> ? unknown : never },
): S {
  return schemas;
}

const { error } = fitting(eventPayloads);

const runChunk = z
  .object({
    id: z.string().describe('Of the run'),
    created: z.int(),
    model: z.string().describe('Id of the workflow'),
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: z.object({ role: z.literal('assistant').optional(), content: z.string().optional() }),
        logprobs: z.null(),
        finish_reason: z.string().nullable(),
      }),
    ),
    event: runEvent.optional().describe('Absent of a piece of the answer'),
  })
  .meta({ id: 'WorkflowRunChunk' });

/** `data` of one event of the stream of a run, but for its end, which is the text [DONE]. */
export const runStreamData = z.union([runChunk, error.meta({ id: 'WorkflowRunStreamError' })]);
