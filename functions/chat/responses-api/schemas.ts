import * as z from 'zod';
import { UUID } from '../../shared/uuid.ts';
import { citation } from '../completions/event-schemas.ts';
import { fileMembers, imageAddress, MAX_MESSAGES, MAX_TOOLS, optional, partError } from '../completions/schemas.ts';
import { RESPONSE_ID } from '../domain/response-ids.ts';

/** Requests and responses in the form of OpenAI's Responses API. Unknown members are ignored, null means absent. */

const inputText = z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() });
const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });
const inputImage = z.object({
  type: z.literal('input_image'),
  image_url: imageAddress,
  detail: optional(z.string()),
});
const inputFile = z.object({
  type: z.literal('input_file'),
  file_data: z.string('is needed, a data: URL or base64; files are not stored here, so that file_id names none'),
  filename: optional(z.string().max(500)),
});

const content = z.union(
  [z.string(), z.array(z.discriminatedUnion('type', [inputText, refusal, inputImage, inputFile])).min(1)],
  { error: (issue) => partError(issue as never) },
);

const message = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content,
});
const functionCall = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  namespace: optional(z.string()),
  arguments: z.string(),
});
const functionOutput = z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: content });
const customCall = z.object({
  type: z.literal('custom_tool_call'),
  call_id: z.string(),
  name: z.string(),
  namespace: optional(z.string()),
  input: z.string(),
});
const customOutput = z.object({ type: z.literal('custom_tool_call_output'), call_id: z.string(), output: content });
const reasoningText = z.object({ text: z.string() });
const reasoning = z.object({
  type: z.literal('reasoning'),
  summary: optional(z.array(reasoningText)),
  content: optional(z.array(reasoningText)),
  encrypted_content: optional(z.string()),
});

const ITEMS = {
  message,
  function_call: functionCall,
  function_call_output: functionOutput,
  custom_tool_call: customCall,
  custom_tool_call_output: customOutput,
  reasoning,
};
const TYPES = Object.keys(ITEMS);

/** Reports the fault of an item by its type. */
const itemError = ({ input, errors }: { readonly input?: unknown; readonly errors?: Issues }) => {
  const { type = 'message' } = Object(input) as { type?: unknown };
  const first = errors?.[TYPES.indexOf(String(type))]?.[0];
  if (first) return first.path.length === 0 ? first.message : `${first.path.join('.')}: ${first.message}`;
  return `${JSON.stringify(type)?.slice(0, 60)} is not a type of an item that can be taken; send ${TYPES.join(', ')}, whole`;
};
type Issues = readonly (readonly z.core.$ZodIssue[])[];

const item = z.union([message, functionCall, functionOutput, customCall, customOutput, reasoning], {
  error: (issue) => itemError(issue as never),
});

const functionTool = z.object({
  type: z.literal('function'),
  name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -'),
  description: optional(z.string()),
  parameters: optional(z.record(z.string(), z.unknown())),
  strict: optional(z.boolean()),
});
const customTool = z.looseObject({ type: z.literal('custom'), name: z.string() });

/** Tools that OpenAI runs, and any other type that no model here can call: they are left out. */
const CALLABLE = ['function', 'custom', 'namespace'];
const hostedTool = z
  .looseObject({ type: z.string().refine((type) => !CALLABLE.includes(type)) })
  .transform(({ type }) => ({ type: 'hosted' as const, hosted: type }));

/** Names the fault of a tool that models can call. */
const toolError = ({ errors }: { readonly errors?: Issues }) => {
  const first = errors?.[0]?.[0];
  if (first === undefined || first.code === 'invalid_union') return 'must be a tool with a type';
  return first.path.length === 0 ? first.message : `${first.path.join('.')}: ${first.message}`;
};
const anyTool = <Callable extends z.ZodType>(callable: Callable) =>
  z.union([callable, hostedTool], { error: (issue) => toolError(issue as never) });

const namespaceTool = z.object({
  type: z.literal('namespace'),
  name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -'),
  description: optional(z.string()),
  tools: z
    .array(anyTool(z.discriminatedUnion('type', [functionTool, customTool])), 'must be a list of functions')
    .max(MAX_TOOLS),
});

/** Null or absent: any other value would be ignored. */
const absent = (message: string) => z.null(message).optional();

const format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string(),
    schema: optional(z.record(z.string(), z.unknown())),
  }),
]);

export const responseBody = z.object({
  model: optional(z.string()).describe('Echoed back as the application’s model, which answers for any value here'),
  input: z.union([z.string(), z.array(item).min(1).max(MAX_MESSAGES, `at most ${MAX_MESSAGES} items`)], {
    error: (issue) => (Array.isArray(issue.input) ? partError(issue as never) : 'must be a text, or a list of items'),
  }),
  instructions: optional(z.string()).describe('Of this response alone, behind the application’s prompt'),
  previous_response_id: optional(
    z.string().regex(RESPONSE_ID, 'must be the id of a response of this application'),
  ).describe('The response that this one continues: its conversation is kept for 30 days'),
  store: optional(z.boolean()).describe('false: the response is not kept, and none can continue it'),
  stream: optional(z.boolean()),
  temperature: optional(z.number().min(0).max(2)),
  top_p: optional(z.number().min(0).max(1)),
  max_output_tokens: optional(z.int().min(1).max(10_000_000)),
  tools: optional(
    z.array(anyTool(z.discriminatedUnion('type', [functionTool, customTool, namespaceTool]))).max(MAX_TOOLS),
  ).describe(
    'function, custom, and namespace of them. OpenAI’s own tools, such as web_search, are left out: the header X-Tools-Left-Out ' +
      'and metadata.tools_left_out name them. Tools that run here belong in the application’s configuration',
  ),
  tool_choice: optional(
    z.union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.string(), name: optional(z.string()), namespace: optional(z.string()) }),
    ]),
  ),
  parallel_tool_calls: optional(z.boolean()),
  text: optional(z.object({ format: optional(format), verbosity: optional(z.string().max(20)) })),
  reasoning: optional(z.object({ effort: optional(z.string().max(20)), summary: optional(z.string().max(20)) })),
  background: optional(z.literal(false, 'must be false: responses are made while their request waits')),
  conversation: absent(
    'is not supported: continue a response by previous_response_id, or send the conversation as input',
  ),
  prompt: absent('is not supported: prompts belong in the application’s configuration'),
  max_tool_calls: absent('is not supported: tools of the application are called in at most ten rounds'),
  truncation: optional(
    z.literal('disabled', 'must be "disabled": an input beyond the context window is refused; send less of it'),
  ),
  user: optional(z.string()),
  safety_identifier: optional(z.string()),
  prompt_cache_key: optional(z.string()),
  service_tier: optional(z.string()),
  metadata: optional(z.record(z.string(), z.string())),
});
export type ResponseBody = z.output<typeof responseBody>;

export const responseParams = z.object({
  application_id: z
    .string()
    .regex(UUID, 'must be the UUID of an application')
    .toLowerCase()
    .describe('Id of the application'),
});

export const storedResponseParams = responseParams.extend({
  response_id: z.string().regex(RESPONSE_ID, 'must be the id of a response').describe('Id of the response'),
});

export const inputItemsQuery = z.object({
  order: z.enum(['asc', 'desc']).default('desc').describe('desc: the last item first'),
  after: z.string().max(200).optional().describe('Id of the last item of the page before'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Items of a page'),
});

export const inputItemList = z
  .object({
    object: z.literal('list'),
    data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ResponseInputItems' });

export const removedResponse = z.object({
  id: z.string(),
  object: z.literal('response'),
  deleted: z.literal(true),
});

const status = z.enum(['in_progress', 'completed', 'incomplete']);
const outputItem = z.looseObject({
  id: z.string(),
  type: z.enum(['message', 'reasoning', 'function_call', 'custom_tool_call']),
  status: status.optional(),
});

export const response = z
  .looseObject({
    id: z.string().regex(RESPONSE_ID),
    object: z.literal('response'),
    created_at: z.int().describe('Unix seconds'),
    status,
    model: z.string(),
    output: z.array(outputItem),
    error: z.null(),
    incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
    previous_response_id: z.string().nullable(),
    usage: z
      .looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() })
      .nullable()
      .describe('Null until the response is complete'),
    ...fileMembers,
    citations: z
      .array(citation)
      .optional()
      .describe('Passages that the model was given, [1] first; only of applications with knowledge bases'),
  })
  .meta({ id: 'Response' });

/** One event of a stream, which ends with response.completed or response.incomplete. */
export const responseEvent = z
  .looseObject({ type: z.string(), sequence_number: z.int() })
  .meta({ id: 'ResponseEvent' });
