import * as z from 'zod';
import { nameField } from '../../shared/http/name-field.ts';
import { pageQuery } from '../../shared/http/page-query.ts';
import { uuidField } from '../../shared/http/uuid-field.ts';
import { UUID } from '../../shared/uuid.ts';
import { DEFAULT_CONFIG, DEFAULT_MODEL, MAX_TOKENS_PARAMETERS } from '../domain/application.ts';
import { PASSED_ON } from '../domain/chat-model.ts';
import { shownTools, tools } from './tool-schemas.ts';

/** Requests and responses of the management of applications. */

const MAX_SYSTEM_PROMPT_LENGTH = 100_000;
const MAX_KNOWLEDGE_BASES = 10;
const MAX_FALLBACKS = 3;
const MAX_TIMEOUT_SECONDS = 240;

/** Members of a request that are the service's own. */
const RESERVED = ['model', 'messages', 'stream', 'stream_options', 'n', 'tools'];
const MAX_EXTRA_LENGTH = 10_000;

const omittable = z.enum([
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'tool_choice',
  'response_format',
  'stream_options',
  ...PASSED_ON,
]);
const maxTokensParameter = z.enum(MAX_TOKENS_PARAMETERS);
export type OmittableParameter = z.output<typeof omittable>;

const provider = z.enum(['bedrock', 'openai-compatible', 'embedded']);

const modelFields = {
  provider: provider.describe(
    'embedded: answers by quoting the documents at hand, without a network; openai-compatible: any server of that API; ' +
      'bedrock: Amazon Bedrock',
  ),
  name: nameField(200).default(DEFAULT_MODEL.name).describe('The provider’s name of the model'),
  base_url: z
    .url('must be an address such as https://api.example.com/v1')
    .max(2_000)
    .nullish()
    .describe(
      'Of an openai-compatible server, up to /v1: https on the public internet, or loopback on a local service',
    ),
  api_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1000 visible ASCII characters')
    .nullish()
    .describe('Stored encrypted and never returned. Absent: the stored key of the same provider and base_url stays'),
  timeout: z
    .number()
    .min(1)
    .max(MAX_TIMEOUT_SECONDS)
    .default(DEFAULT_MODEL.timeoutSeconds)
    .describe('Longest silence of the provider in seconds, before its first part and between two parts'),
  context_window: z.int().min(1_000).max(20_000_000).default(DEFAULT_MODEL.contextWindow).describe('Tokens'),
  extra_body: z
    .record(z.string(), z.unknown())
    .refine((body) => RESERVED.every((name) => !(name in body)), `must not hold ${RESERVED.join(', ')}`)
    .refine(
      (body) => JSON.stringify(body).length <= MAX_EXTRA_LENGTH,
      `must have at most ${MAX_EXTRA_LENGTH} characters as JSON`,
    )
    .default({})
    .describe(
      'The vendor’s own parameters, such as {"top_k": 40} or {"enable_thinking": false}: members of each request, over ' +
        'those of the same names; on Bedrock the model’s additional request fields',
    ),
  omit_parameters: z
    .array(omittable)
    .default([])
    .describe(
      'Parameters that the model refuses and are therefore never sent, even if a request sets them: ["temperature"] for models ' +
        'that know one temperature, ["stream_options"] for servers that do not count',
    ),
  max_tokens_parameter: maxTokensParameter
    .nullish()
    .describe(
      'The model’s name of the bound of an answer: max_completion_tokens for reasoning models of OpenAI and Azure, max_tokens for most ' +
        'others; by default max_completion_tokens at api.openai.com, else max_tokens',
    ),
  transcription_model: nameField(200)
    .nullish()
    .describe(
      'The model of an openai-compatible server that writes down voice messages of channels, at base_url/audio/transcriptions, such as ' +
        'gpt-4o-mini-transcribe',
    ),
};

type ModelFields = {
  provider: z.output<typeof provider>;
  base_url?: string | null | undefined;
  api_key?: unknown;
  extra_body?: object | undefined;
  transcription_model?: string | null | undefined;
};

const checkModel = (fields: ModelFields, context: z.RefinementCtx): void => {
  const { provider: by, base_url, api_key, extra_body, transcription_model } = fields;
  const add = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (by === 'openai-compatible' && !base_url) add('base_url', 'is needed by the provider openai-compatible');
  if (by !== 'openai-compatible' && base_url) add('base_url', `does not apply to the provider ${by}`);
  if (by !== 'openai-compatible' && transcription_model)
    add('transcription_model', `does not apply to the provider ${by}`);
  if (by === 'embedded' && extra_body && Object.keys(extra_body).length > 0)
    add('extra_body', 'does not apply to the provider embedded');
  if (by !== 'openai-compatible' && api_key) add('api_key', `does not apply to the provider ${by}`);
};

const BY_PROVIDER = 'base_url and api_key belong to openai-compatible, which needs the first';

const fallback = z.strictObject(modelFields).superRefine(checkModel).describe(BY_PROVIDER);

const model = z
  .strictObject({
    ...modelFields,
    fallbacks: z
      .array(fallback)
      .max(MAX_FALLBACKS, `at most ${MAX_FALLBACKS}`)
      .default([])
      .describe('Asked in turn when the model before cannot answer'),
  })
  .superRefine(checkModel)
  .describe(BY_PROVIDER);

const streamStart = z.enum(['first_part', 'early']);

const mcp = z.strictObject({
  enabled: z.boolean().describe('true: keys with the scope chat see it as a tool of POST /mcp, and may ask it'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,48}$/, 'must be 1 to 48 letters, digits, _ and -')
    .nullish()
    .describe('The tool’s name after ask_; by default made from the application’s name'),
  description: z
    .string()
    .max(1_000)
    .nullish()
    .describe('For the model that chooses among tools; by default the application’s description'),
});

const config = z.strictObject({
  model: model.optional().describe('Replaced as a whole'),
  system_prompt: z.string().max(MAX_SYSTEM_PROMPT_LENGTH).nullish(),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullish()
    .describe(`Where a request names none; ${DEFAULT_CONFIG.temperature} by default, null leaves it to the model`),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish().describe('Upper bound of what requests may ask for'),
  history_tokens: z
    .int()
    .min(0)
    .max(20_000_000)
    .optional()
    .describe('Tokens of a session’s history that go to the model; older turns are left out'),
  knowledge_bases: z
    .array(uuidField('Id of a knowledge base of the workspace'))
    .max(MAX_KNOWLEDGE_BASES, `at most ${MAX_KNOWLEDGE_BASES}`)
    .optional()
    .describe('The best passages for each question go to the model, which cites them'),
  tools: tools.optional(),
  stream_start: streamStart
    .optional()
    .describe(
      'first_part: a stream starts with the first part of the answer, and failures before it have their own status; ' +
        'early: at once, with a comment every 15 seconds, for proxies that close connections which stay silent',
    ),
  workflow_id: z
    .string()
    .regex(UUID, 'must be the UUID of a workflow')
    .transform((id) => id.toLowerCase())
    .nullish()
    .describe('Of an application of type workflow, or channel: its published graph answers. Others are refused: 422'),
  mcp: mcp.optional().describe('Shares the application as a tool of the MCP endpoint. Replaced as a whole'),
});

export const applicationBody = z.strictObject({
  name: nameField(100).describe('Unique in the workspace'),
  type: z.enum(['chat', 'workflow', 'channel']),
  description: z.string().max(1_000).default(''),
  config: config.default({}),
});

export const applicationChange = z
  .strictObject({
    name: nameField(100).optional(),
    description: z.string().max(1_000).optional(),
    config: config.optional().describe('Members that are given replace the stored ones'),
    updated_at: z.iso
      .datetime()
      .optional()
      .describe('updated_at as the client has read it: 409 when the application has been changed since'),
  })
  .meta({ minProperties: 1 });

export const ifMatchHeader = z.object({
  'if-match': z
    .string()
    .regex(/^(\*|(W\/)?"v\d{1,15}")$/, 'must be the ETag of the application, as GET answers it')
    .optional()
    .describe('ETag as the client has read it: 409 when the application has been changed since'),
});

export const applicationsQuery = pageQuery('applications', 'next_cursor', UUID);

const shownModel = z.object({
  provider,
  name: z.string(),
  base_url: z.string().nullable(),
  has_api_key: z.boolean().describe('The key itself is never returned'),
  timeout: z.number(),
  context_window: z.int(),
  extra_body: z.record(z.string(), z.unknown()),
  omit_parameters: z.array(omittable),
  max_tokens_parameter: maxTokensParameter.nullable(),
  transcription_model: z.string().nullable(),
});

export const application = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.enum(['chat', 'workflow', 'channel']),
    description: z.string(),
    config: z.object({
      model: shownModel.extend({ fallbacks: z.array(shownModel) }),
      system_prompt: z.string().nullable(),
      temperature: z.number().nullable(),
      top_p: z.number().nullable(),
      max_tokens: z.int().nullable(),
      history_tokens: z.int(),
      knowledge_bases: z.array(z.uuid()),
      tools: shownTools,
      stream_start: streamStart,
      workflow_id: z.string().nullable(),
      mcp: z.object({ enabled: z.boolean(), name: z.string().nullable(), description: z.string().nullable() }),
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Application' });

export const applicationPage = z.object({
  applications: z.array(application).describe('Newest first'),
  next_cursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});
