import * as z from 'zod';
import type { StreamEventType } from './domain/engine/engine-events.ts';
import type { EnginePayloads } from './domain/engine/event-payloads.ts';
import { usage } from './schemas.ts';

const values = z.record(z.string(), z.unknown());
const failure = z.object({
  code: z.string().describe('As in `failure` of a run'),
  message: z.string().describe('For the author of the workflow'),
});
const shownFile = {
  url: z.string().describe('An address, or a data: URL'),
  name: z.string().optional(),
  media_type: z.string().optional(),
  size: z.int().nullable().optional().describe('In bytes; null if it is not known'),
};

/** The node that an event is about. */
const place = {
  node_id: z.string(),
  node_type: z.string(),
  title: z.string(),
  execution_key: z.string().describe('Unique in the run: the id of the node, behind the passes around it'),
  index: z.int().describe('Number of the execution in the run, from 0'),
  predecessor_node_id: z.string().nullable().describe('The node whose edge was taken first; null at the beginning'),
};
export const NODE_MEMBERS: readonly string[] = Object.keys(place);
const omitted = {
  values_omitted: z
    .literal(true)
    .optional()
    .describe('Inputs, outputs or variables have more than 250,000 characters: the run has them'),
};
const ended = z.enum(['succeeded', 'failed', 'cancelled']);
const elapsed = z.int().describe('Milliseconds');
const call = { call_id: z.string().describe('The same in all events of a call') };
const used = usage.optional().describe('Absent if nothing was used');

type Schemas = Readonly<Record<StreamEventType, z.ZodObject>>;

/** Schemas that take what the engine makes; others do not compile. */
function fitting<S extends Schemas>(
  schemas: S & { [Type in keyof EnginePayloads]: EnginePayloads[Type] extends z.input<S[Type]> ? unknown : never },
): S {
  return schemas;
}

/**
 * Payloads of the events of runs, by type: members of `event`. Members that visitors are not sent are optional.
 */
export const eventPayloads = fitting({
  workflow_started: z.object({ inputs: values.optional(), ...omitted }).describe('The run begins.'),
  workflow_finished: z
    .object({
      status: ended,
      outputs: values.optional().describe('What its answer nodes hand out by name'),
      elapsed_ms: elapsed.describe('Milliseconds, without waiting for people'),
      usage: used,
      failure: failure.extend({ node_id: z.string().nullable() }).optional(),
      ...omitted,
    })
    .describe('The run has ended.'),
  node_started: z
    .object({
      ...place,
      status: z.enum(['running', 'waiting']).describe('waiting: for people'),
      inputs: values.optional().describe('What the node works with, references replaced'),
      message: z.unknown().optional().describe('Of a node that waits: what the person is asked'),
      fields: z.array(z.unknown()).optional().describe('Of a node that waits: the fields of its form'),
      actions: z
        .array(z.object({ id: z.string(), title: z.string() }))
        .optional()
        .describe('Of a node that waits: the buttons'),
      expires_at: z.iso.datetime().optional().describe('Of a node that waits: the end of its time'),
      url: z.string().optional().describe('Of a node that waits: the link of its form; in streams of runs alone'),
      ...omitted,
    })
    .describe('A node begins, or begins to wait for people.'),
  node_finished: z
    .object({
      ...place,
      status: ended,
      elapsed_ms: elapsed,
      attempts: z.int().describe('The first one included'),
      usage: used,
      outputs: values.optional().describe('If it has succeeded'),
      failure: failure.optional().describe('If it has failed'),
      ...omitted,
    })
    .describe('A node has ended.'),
  iteration_started: z
    .object({ ...place, length: z.int().optional().describe('Of an iteration: entries of the list') })
    .describe('The passes of an iteration or a loop begin.'),
  iteration_next: z
    .object({ ...place, pass: z.int().describe('Number of the pass, from 0') })
    .describe('A pass begins.'),
  iteration_completed: z
    .object({ ...place, count: z.int().describe('Passes that have ended'), status: ended })
    .describe('All passes have ended.'),
  parallel_branch_started: z
    .object({
      branch_id: z.string().describe('The same at its end'),
      node_id: z.string().describe('The node that it leaves'),
      first_node_id: z.string(),
    })
    .describe('One of several edges that leave one handle is taken.'),
  parallel_branch_finished: z
    .object({ branch_id: z.string(), node_id: z.string(), status: ended })
    .describe('The nodes of the branch have ended.'),
  agent_thought: z
    .object({
      ...place,
      step: z.int().describe('Call of the model, from 1'),
      tools: z.array(z.string()).optional().describe('Names of the tools that the model calls then'),
      thought: z.string().optional(),
    })
    .describe('The model has shown thoughts, or calls tools.'),
  tool_call_started: z.object({ ...place, ...call, name: z.string() }).describe('The model begins to call a tool.'),
  tool_call_delta: z
    .object({ ...place, ...call, arguments_delta: z.string().optional() })
    .describe('A further part of the arguments, which are JSON.'),
  tool_call_finished: z
    .object({
      ...place,
      ...call,
      name: z.string(),
      status: z.enum(['succeeded', 'failed']),
      elapsed_ms: elapsed,
      arguments: z.string().optional().describe('JSON'),
      result: z.string().optional(),
      files: z.array(z.object(shownFile)).optional().describe('Files that the tool has written'),
      failure: failure.optional().describe('If it has failed'),
    })
    .describe('A tool has answered.'),
  knowledge_retrieved: z
    .object({ ...place, query: z.string().optional(), documents: z.array(values).optional() })
    .describe('Knowledge bases have been searched.'),
  variables_updated: z
    .object({ ...place, variables: values.optional().describe('New values by name'), ...omitted })
    .describe('Variables have new values.'),
  message_file: z.object({ ...place, ...shownFile }).describe('The answer has a file.'),
  retry: z
    .object({
      ...place,
      scope: z
        .enum(['node', 'model', 'fallback'])
        .describe('Again the node, its model, or the next model of the application'),
      code: z.string(),
      message: z.string().optional(),
      attempt: z.int().describe('Number of the next attempt'),
      max_attempts: z.int(),
      delay_ms: z.int().describe('Milliseconds before it'),
    })
    .describe('Something has failed, and is repeated.'),
  message_end: z
    .object({
      usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }).nullable(),
      finish_reason: z.string(),
    })
    .describe('The stream ends without a failure.'),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      error: z.object({ message: z.string(), type: z.string(), param: z.null(), code: z.string() }),
    })
    .describe('The stream ends with a failure. The members are those of `data` itself: there is no `event` in it.'),
});

/** Members that every `event` has in addition to its payload. */
const common = {
  seq: z.int().describe('Number of the event in its stream, from 0, without gaps'),
  run_id: z.string().describe('Of the run; for visitors, that of the completion'),
  session_id: z.string().nullable(),
  ts: z.int().describe('Milliseconds since 1970'),
};

/** `workflow_started` → `WorkflowStartedEvent` */
const nameOf = (type: string) =>
  `${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`.replace(
    /^(?!Workflow)/,
    'Run',
  );

const { error: errorPayload, ...otherPayloads } = eventPayloads;

/** `event` of a frame, by type. Payloads have no members but these. */
export const eventSchemas: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
  Object.entries(otherPayloads).map(([type, { description = '', shape }]) => {
    return [
      type,
      z.strictObject({ type: z.literal(type), ...common, ...shape }).meta({ id: nameOf(type), description }),
    ];
  }),
);

const runEvent = z.discriminatedUnion('type', Object.values(eventSchemas) as never).meta({ id: 'RunEvent' });

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
export const runStreamData = z.union([runChunk, errorPayload.meta({ id: 'WorkflowRunStreamError' })]);
