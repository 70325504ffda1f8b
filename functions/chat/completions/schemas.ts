import * as z from 'zod';
import { UUID } from '../../shared/uuid.ts';
import { accessTokens } from '../domain/access-tokens.ts';
import { type OpaqueMembers, opaqueMembersOf } from '../domain/opaque-members.ts';
import { citations, completionEvent } from './event-schemas.ts';

/** Requests and responses in the form of OpenAI's chat completions. Unknown members are ignored, null means absent. */

export const MAX_MESSAGES = 2_000;
export const MAX_TOOLS = 128;
const MAX_REMOTE_TEXT = 8_192;
/** Seconds. */
export const DEFAULT_STREAM_WAIT = 60;
const MAX_STREAM_WAIT = 300;

/** Null, as an absent member. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });

export const imageAddress = z
  .string()
  .refine(
    (url) =>
      /^data:image\/(png|jpe?g|gif|webp);base64,/i.test(url) ||
      (/^https?:\/\//i.test(url) && url.length <= MAX_REMOTE_TEXT),
    'must be an https address, or data:image/png;base64,… of a PNG, JPEG, GIF or WebP image',
  );

const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({
    url: imageAddress,
    detail: optional(z.enum(['auto', 'low', 'high'])),
  }),
});

const audioPart = z.object({
  type: z.literal('input_audio'),
  input_audio: z.object({ data: z.base64('must be base64'), format: z.enum(['wav', 'mp3']) }),
});

const filePart = z.object({
  type: z.literal('file'),
  file: z.object({
    file_data: z.string('is needed, a data: URL or base64; files are not stored here, so that file_id names none'),
    filename: optional(z.string().max(500)),
  }),
});

/** Names the fault and its part, if parts were sent. */
export const partError = ({
  input,
  errors,
}: {
  readonly input?: unknown;
  readonly errors?: readonly (readonly z.core.$ZodIssue[])[];
}) => {
  const first = Array.isArray(input) ? errors?.at(-1)?.[0] : undefined;
  return first ? `${first.path.join('.')}: ${first.message}` : 'must be a string, or a list of parts';
};

const text = z.union([z.string(), z.array(textPart).min(1)], { error: (issue) => partError(issue as never) });
const userContent = z.union(
  [z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart, audioPart, filePart])).min(1)],
  { error: (issue) => partError(issue as never) },
);

const toolCall = z
  .looseObject({
    id: z.string(),
    type: z.enum(['function', 'custom']).default('function'),
    function: optional(z.object({ name: z.string(), arguments: z.string() })),
    custom: optional(z.object({ name: z.string(), input: z.string() })),
  })
  .transform(({ id, type, function: called, custom, ...rest }) => ({
    id,
    type,
    function: called,
    custom,
    ...opaqueOf(rest),
  }));

/** A member for those that are the provider's own, such as `extra_content`; all others are left out. */
function opaqueOf(rest: Readonly<Record<string, unknown>>): { opaque?: OpaqueMembers } {
  const opaque = opaqueMembersOf(rest);
  return opaque === null ? {} : { opaque };
}

const name = optional(z.string());

const assistantMessage = z
  .looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart])), z.null()]).optional(),
    refusal: z.string().nullish(),
    reasoning_content: optional(z.string()).describe('As an answer gave it: thinking models that call tools need it'),
    name,
    tool_calls: optional(z.array(toolCall)),
  })
  .describe('Members of an answer such as extra_content and reasoning_details go back to the provider that gave them')
  .transform(({ role, content, refusal, reasoning_content, name: called, tool_calls, ...rest }) => ({
    role,
    content,
    refusal,
    reasoning_content,
    name: called,
    tool_calls,
    ...opaqueOf(rest),
  }));

export const chatMessage = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.enum(['system', 'developer']), content: text, name }),
    z.object({ role: z.literal('user'), content: userContent, name }),
    assistantMessage,
    z.object({ role: z.literal('tool'), content: text, tool_call_id: z.string() }),
  ],
  {
    error: ({ code }) => (code === 'invalid_union' ? 'must be system, developer, user, assistant or tool' : undefined),
  },
);

const functionTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -'),
    description: optional(z.string()),
    parameters: optional(z.record(z.string(), z.unknown())),
    strict: optional(z.boolean()),
  }),
});
const customTool = z.object({ type: z.literal('custom'), custom: z.looseObject({ name: z.string() }) });

const stop = z
  .union([z.string().min(1), z.array(z.string().min(1)).max(4, 'at most 4')])
  .nullish()
  .transform((value) => (value === null || value === undefined ? [] : [value].flat()));

const tokens = optional(z.int().min(1).max(10_000_000));
const penalty = optional(z.number().min(-2).max(2));

export const completionBody = z.object({
  model: optional(z.string()).describe('Echoed back as the application’s model, which answers for any value here'),
  messages: z
    .array(chatMessage)
    .min(1, 'must hold at least one message')
    .max(MAX_MESSAGES, `at most ${MAX_MESSAGES} messages`),
  stream: optional(z.boolean()),
  stream_options: optional(z.object({ include_usage: optional(z.boolean()) })),
  temperature: optional(z.number().min(0).max(2)).describe('0 to 2; by default the application’s'),
  top_p: optional(z.number().min(0).max(1)),
  max_tokens: tokens,
  max_completion_tokens: tokens.describe('Wins over max_tokens'),
  stop,
  n: optional(z.int().min(1).max(1, 'must be 1: one choice is made for each request')),
  tools: optional(z.array(z.discriminatedUnion('type', [functionTool, customTool])).max(MAX_TOOLS)),
  tool_choice: optional(
    z.union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.string(), function: optional(z.object({ name: z.string() })) }),
    ]),
  ),
  parallel_tool_calls: optional(z.boolean()),
  response_format: optional(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string(), schema: optional(z.record(z.string(), z.unknown())) }),
      }),
    ]),
  ),
  seed: optional(z.int()),
  logprobs: optional(z.boolean()),
  top_logprobs: optional(z.int().min(0).max(20)),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  logit_bias: optional(z.record(z.string(), z.number().min(-100).max(100))),
  reasoning_effort: optional(z.string().max(20)),
  verbosity: optional(z.string().max(20)),
  modalities: optional(z.array(z.literal('text', 'must be "text": answers are texts'))),
  prediction: optional(z.looseObject({ type: z.string() })),
  user: optional(z.string()),
  safety_identifier: optional(z.string()),
  prompt_cache_key: optional(z.string()),
  service_tier: optional(z.string()),
  web_search_options: optional(z.looseObject({})),
  metadata: optional(z.record(z.string(), z.unknown())),
  start_node_inputs: optional(z.record(z.string(), z.unknown())).describe(
    'Workflow applications: values of the start node’s fields',
  ),
});

/** Of the preview: the application is in the body. */
export const previewBody = completionBody.extend({
  model: z
    .string('must be the id of an application or a workflow')
    .regex(UUID, 'must be the id of an application or a workflow, a UUID')
    .toLowerCase()
    .describe('Id of an application or a workflow'),
});

export const completionParams = z.object({
  application_id: z
    .string()
    .refine(
      (id) => UUID.test(id) || accessTokens.matches(id),
      'must be the UUID of an application, or a public access token',
    )
    .meta({ pattern: `${UUID.source}|${accessTokens.pattern}` })
    .transform((id) => (UUID.test(id) ? id.toLowerCase() : id))
    .describe('Id of the application, or a public access token'),
});

export const completionHeaders = z.object({
  'x-session-id': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 ASCII characters')
    .optional()
    .describe(
      'Keeps one history for all requests of this caller that send it. With a public access token: "new", then the ' +
        'X-Session-Id of the response, which only this visitor knows',
    ),
  'x-stream-events': z
    .enum(['named', 'data', 'none'])
    .optional()
    .describe(
      'Events in addition to the answer’s chunks: with an event line, without, or none; none by default in chat applications',
    ),
  'x-stream-wait': z.coerce
    .number()
    .pipe(z.int().min(0).max(MAX_STREAM_WAIT))
    .optional()
    .describe(
      `Seconds that the stream of a workflow stays open for its answer after an approval or a form, at most ${MAX_STREAM_WAIT}; ` +
        `by default ${DEFAULT_STREAM_WAIT}, with 0 it ends with the notice`,
    ),
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .describe(
      'With a session: a request that is sent again gets the answer that was recorded; 409 while the first is being answered',
    ),
  'x-stainless-lang': z.string().optional().meta({ deprecated: true }).describe('Sent by OpenAI’s clients'),
  'x-stainless-package-version': z.string().optional().meta({ deprecated: true }).describe('Sent by OpenAI’s clients'),
});

const usage = z.looseObject({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  total_tokens: z.int().nonnegative(),
});
const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);
const head = {
  id: z.string().startsWith('chatcmpl-'),
  created: z.int().describe('Unix seconds'),
  model: z.string(),
};

const shownToolCall = z.looseObject({
  id: z.string(),
  type: z.enum(['function', 'custom']),
  function: z.object({ name: z.string(), arguments: z.string() }).optional(),
  custom: z.object({ name: z.string(), input: z.string() }).optional(),
});

const image = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.url() }) });
const answerFile = z.object({
  name: z.string(),
  media_type: z.string(),
  size: z.int().nonnegative().nullable(),
  url: z.url(),
});

const annotation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({ url: z.url(), title: z.string(), start_index: z.int(), end_index: z.int() }),
});

/** Pictures and sources of the model, and files that programs of tools and workflows wrote, in a message or a delta. */
export const fileMembers = {
  images: z.array(image).optional().describe('Pictures of the model, and those among files, as content parts'),
  annotations: z.array(annotation).optional().describe('Sources on the web that the model names'),
  files: z.array(answerFile).optional().describe('What programs wrote for this answer; each url is valid for an hour'),
};

export const completion = z
  .object({
    ...head,
    object: z.literal('chat.completion'),
    choices: z
      .array(
        z.object({
          index: z.literal(0),
          message: z.looseObject({
            role: z.literal('assistant'),
            content: z.string().nullable(),
            refusal: z.string().nullable(),
            reasoning_content: z.string().optional(),
            ...fileMembers,
            tool_calls: z.array(shownToolCall).optional(),
          }),
          logprobs: z.looseObject({}).nullable(),
          finish_reason: finishReason,
        }),
      )
      .length(1),
    usage,
    citations,
  })
  .meta({ id: 'ChatCompletion' });

/** One event of a stream, but for its end, which is the text [DONE]. */
export const completionChunk = z
  .object({
    ...head,
    object: z.literal('chat.completion.chunk'),
    choices: z
      .array(
        z.object({
          index: z.literal(0),
          delta: z.looseObject({
            role: z.literal('assistant').optional(),
            content: z.string().nullable().optional(),
            refusal: z.string().nullable().optional(),
            reasoning_content: z.string().optional(),
            ...fileMembers,
            tool_calls: z.array(z.looseObject({ index: z.int() })).optional(),
          }),
          logprobs: z.looseObject({}).nullable(),
          finish_reason: finishReason.nullable(),
        }),
      )
      .max(1),
    usage: usage.nullable().optional().describe('With stream_options.include_usage: null until the last chunk'),
    citations: citations.describe('On the last chunk, as in whole answers'),
    event: completionEvent.optional().describe('With X-Stream-Events: events in addition to the answer'),
  })
  .meta({ id: 'ChatCompletionChunk' });

const model = z
  .object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
  .meta({ id: 'Model' });
export const modelList = z.object({ object: z.literal('list'), data: z.array(model) });
export const oneModel = model;
/** API Gateway passes path parameters on as they were sent, and names of models have slashes. */
export const modelParams = completionParams.extend({
  model: z.string().transform((sent) => {
    try {
      return decodeURIComponent(sent);
    } catch {
      return sent;
    }
  }),
});
