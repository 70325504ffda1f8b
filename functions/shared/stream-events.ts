import * as z from 'zod';

/** The events of streams, for emitters, documentation and OpenAPI. */

/** Of a run. */
export const runUsage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  krw: z.int(),
  sandbox_seconds: z.number(),
});

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
  predecessor_node_id: z.string().nullable().describe('The node whose edge was taken first; null at the start'),
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
const used = runUsage.optional().describe('Absent if nothing was used');

/** A passage, as a `knowledge_search` gives it out. */
const foundDocument = z.object({
  id: z.string().describe('Of the document'),
  title: z.string(),
  score: z.number(),
  snippet: z.string(),
  source: z.string().describe('Document, headings and page, for people'),
  content: z.string().describe('The same as `snippet`'),
  metadata: z.object({
    document_id: z.string(),
    document_name: z.string(),
    score: z.number(),
    source: z.string(),
  }),
});

/** Progress of models, tools and searches, in chats and inside nodes, without the members of the node. */
export const progressPayloads = {
  agent_thought: z
    .object({
      step: z.int().describe('Call of the model, from 1'),
      tools: z.array(z.string()).optional().describe('Names of the tools that the model calls then'),
      thought: z.string().optional(),
    })
    .describe('The model has shown thoughts, or calls tools.'),
  tool_call_started: z.object({ ...call, name: z.string() }).describe('The model starts to call a tool.'),
  tool_call_delta: z
    .object({ ...call, arguments_delta: z.string().optional() })
    .describe('A further part of the arguments, which are JSON.'),
  tool_call_finished: z
    .object({
      ...call,
      name: z.string(),
      status: z.enum(['succeeded', 'failed']),
      elapsed_ms: elapsed,
      arguments: z.string().optional().describe('JSON'),
      result: z.string().optional(),
      files: z.array(z.object(shownFile)).optional().describe('Files that the tool has written'),
      failure: failure.partial({ message: true }).optional().describe('If it has failed'),
    })
    .describe('A tool has answered.'),
  knowledge_retrieved: z
    .object({ query: z.string().optional(), documents: z.array(foundDocument).optional() })
    .describe('Knowledge bases have been searched.'),
  retry: z
    .object({
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
};
export type ProgressPayloads = { [Type in keyof typeof progressPayloads]: z.input<(typeof progressPayloads)[Type]> };

/** The same with the members of the node. */
function ofNode<Shape extends z.ZodRawShape>({ shape, description = '' }: z.ZodObject<Shape>) {
  return z.object({ ...place, ...shape }).describe(description);
}

/**
 * Payloads of the events of runs, by type: members of `event`. Members that visitors are not sent are optional.
 */
export const eventPayloads = {
  workflow_started: z.object({ inputs: values.optional(), ...omitted }).describe('The run starts.'),
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
    .describe('A node starts, or starts to wait for people.'),
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
    .describe('The passes of an iteration or a loop start.'),
  iteration_next: z
    .object({ ...place, pass: z.int().describe('Number of the pass, from 0') })
    .describe('A pass starts.'),
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
  agent_thought: ofNode(progressPayloads.agent_thought),
  tool_call_started: ofNode(progressPayloads.tool_call_started),
  tool_call_delta: ofNode(progressPayloads.tool_call_delta),
  tool_call_finished: ofNode(progressPayloads.tool_call_finished),
  knowledge_retrieved: ofNode(progressPayloads.knowledge_retrieved),
  variables_updated: z
    .object({ ...place, variables: values.optional().describe('New values by name'), ...omitted })
    .describe('Variables have new values.'),
  message_file: z.object({ ...place, ...shownFile }).describe('The answer has a file.'),
  retry: ofNode(progressPayloads.retry),
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
};

/** Members that every `event` has in addition to its payload. */
const common = {
  seq: z.int().describe('Number of the event in its stream, from 0, without gaps'),
  run_id: z.string().describe('Of the run; for visitors, and without a workflow, that of the completion'),
  session_id: z.string().nullable(),
  ts: z.int().describe('Milliseconds since 1970'),
};

export type StreamEvent = z.output<z.ZodObject<typeof common>> & { readonly type: string };

/** Schemas of `event`, by type. Payloads have no members but these. @param nameOf of the schema in OpenAPI */
export function eventsOf(
  payloads: Readonly<Record<string, z.ZodObject>>,
  nameOf: (type: string) => string,
): Readonly<Record<string, z.ZodObject>> {
  return Object.fromEntries(
    Object.entries(payloads).map(([type, { description = '', shape }]) => {
      return [
        type,
        z.strictObject({ type: z.literal(type), ...common, ...shape }).meta({ id: nameOf(type), description }),
      ];
    }),
  );
}

/** Any of the events. */
export function anyOf(events: Readonly<Record<string, z.ZodObject>>, id: string): z.ZodType<StreamEvent> {
  return z.discriminatedUnion('type', Object.values(events) as never).meta({ id }) as z.ZodType<StreamEvent>;
}

/** `tool_call_started` → `ToolCallStarted` */
export const inPascalCase = (type: string) =>
  type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The payload of `error` is no `event`: its members are those of `data`. */
const { error: _, ...payloadsInEvents } = eventPayloads;

export const runEvents = eventsOf(payloadsInEvents, (type) =>
  `${inPascalCase(type)}Event`.replace(/^(?!Workflow)/, 'Run'),
);
export const runEvent = anyOf(runEvents, 'RunEvent');
