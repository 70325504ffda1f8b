import { expect } from 'vitest';
import type { Script } from '../../helpers/scripted-provider.ts';
import { describeInAllWays, type Row } from '../../helpers/upstream-rows.ts';

/** Errors of providers in the forms that their documentation and public reports show, and the code of the service for each. */

const STATUS = {
  context_overflow: 400,
  invalid_request: 400,
  rate_limit: 429,
  auth_error: 502,
  timeout: 504,
  provider_error: 502,
};
type Form = readonly [name: string, status: number, body: unknown, code: keyof typeof STATUS, says?: string];

const TOO_LONG = 'This model’s maximum context length is 8192 tokens';
const FORMS: readonly Form[] = [
  // Too long
  ['OpenAI, too long', 400, { error: { code: 'context_length_exceeded', message: TOO_LONG } }, 'context_overflow'],
  [
    'Anthropic, too long',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    'context_overflow',
  ],
  [
    'Gemini, too long, in a list',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    'context_overflow',
  ],
  [
    'Bedrock, too long',
    400,
    { __type: 'ValidationException', message: 'Input is too long for requested model.' },
    'context_overflow',
  ],
  [
    'Groq, too long',
    400,
    {
      error: {
        message: 'Please reduce the length of the messages or completion.',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
    'context_overflow',
  ],
  [
    'Groq, more than a minute’s tokens at once',
    413,
    {
      error: {
        message: 'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 7213',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    'context_overflow',
  ],
  [
    'Qwen, too long',
    400,
    { code: 'InvalidParameter', message: 'Range of input length should be [1, 30720]', request_id: '1' },
    'context_overflow',
  ],
  [
    'MiniMax, too long',
    200,
    { base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } },
    'context_overflow',
  ],
  ['Zhipu, too long', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }, 'context_overflow'],
  [
    'Moonshot, too long',
    400,
    { error: { type: 'invalid_request_error', message: 'Your request exceeded model token limit: 8192' } },
    'context_overflow',
  ],
  [
    'xAI, too long',
    400,
    {
      code: 'Client specified an invalid argument',
      error: 'This model’s maximum prompt length is 131072 but the request contains 537812 tokens.',
    },
    'context_overflow',
  ],
  [
    'SiliconFlow, too long',
    400,
    { code: 20015, message: 'length of prompt_tokens (5000) must be less than max_seq_len (4096).', data: null },
    'context_overflow',
  ],
  [
    'GitHub Models, too long',
    413,
    {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
      },
    },
    'context_overflow',
  ],
  [
    'llama.cpp, too long',
    500,
    {
      error: {
        code: 500,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      },
    },
    'context_overflow',
  ],
  [
    'vLLM, too long',
    400,
    { object: 'error', message: TOO_LONG, type: 'BadRequestError', param: null, code: 400 },
    'context_overflow',
  ],
  [
    'Hugging Face, too long',
    422,
    {
      error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
      error_type: 'validation',
    },
    'context_overflow',
  ],
  [
    'OpenRouter, too long at the provider behind it',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: JSON.stringify({ error: { message: TOO_LONG } }), provider_name: 'x' },
      },
    },
    'context_overflow',
  ],
  // Money
  [
    'DeepSeek, no money',
    402,
    { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
    'provider_error',
    'no quota or credit left',
  ],
  [
    'Anthropic, no money',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
    },
    'provider_error',
    'no quota or credit left',
  ],
  [
    'Qwen, no money',
    400,
    { code: 'Arrearage', message: 'Access denied, please check your account.' },
    'provider_error',
    'no quota or credit left',
  ],
  [
    'Zhipu, no money',
    429,
    { error: { code: '1113', message: 'Your account is in arrears' } },
    'provider_error',
    'no quota or credit left',
  ],
  [
    'MiniMax, no money',
    200,
    { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
    'provider_error',
    'no quota or credit left',
  ],
  [
    'OpenRouter, no money',
    402,
    { error: { code: 402, message: 'This request requires more credits, or fewer max_tokens.' } },
    'provider_error',
    'no quota or credit left',
  ],
  [
    'SiliconFlow, no money',
    403,
    { code: 30001, message: 'Sorry, your account balance is insufficient', data: null },
    'provider_error',
    'no quota or credit left',
  ],
  // Limits
  [
    'Gemini, limit, in a list',
    429,
    [
      {
        error: {
          code: 429,
          message: 'Quota exceeded',
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '33s' }],
        },
      },
    ],
    'rate_limit',
  ],
  ['Qwen, limit', 429, { code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded' }, 'rate_limit'],
  [
    'Bedrock, limit of tokens',
    400,
    { __type: 'ThrottlingException', message: 'Too many tokens, please wait before trying again.' },
    'rate_limit',
  ],
  [
    'Bedrock, limit of requests',
    400,
    { __type: 'com.amazon.coral.service#ThrottlingException', message: 'Rate exceeded' },
    'rate_limit',
  ],
  ['MiniMax, limit', 200, { base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'rate_limit'],
  ['Zhipu, limit', 429, { error: { code: '1302', message: 'High concurrency usage of this API' } }, 'rate_limit'],
  ['Groq, no capacity', 498, { error: { message: 'Flex tier capacity exceeded', type: 'x' } }, 'rate_limit'],
  ['FastAPI, limit', 429, { detail: 'Too many requests' }, 'rate_limit'],
  // Keys
  [
    'Gemini, key',
    400,
    [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }],
    'auth_error',
  ],
  ['Qwen, key', 401, { code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, 'auth_error'],
  ['MiniMax, key', 200, { base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'auth_error'],
  ['Bedrock, key', 403, { message: 'The security token included in the request is invalid.' }, 'auth_error'],
  ['FastAPI, key', 401, { detail: 'Not authenticated' }, 'auth_error'],
  // Filters
  [
    'Azure, filter',
    400,
    {
      error: {
        message: 'The response was filtered',
        code: 'content_filter',
        status: 400,
        innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { hate: { filtered: true } } },
      },
    },
    'invalid_request',
    'content filter refuses',
  ],
  [
    'Qwen, filter',
    400,
    { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.' },
    'invalid_request',
    'content filter refuses',
  ],
  [
    'Zhipu, filter',
    400,
    { error: { code: '1301', message: 'Sensitive content' } },
    'invalid_request',
    'content filter refuses',
  ],
  [
    'MiniMax, filter',
    200,
    { base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } },
    'invalid_request',
    'content filter refuses',
  ],
  [
    'OpenRouter, filter',
    403,
    {
      error: {
        code: 403,
        message: 'x requires moderation on y. Your input was flagged for "z".',
        metadata: { reasons: ['z'] },
      },
    },
    'invalid_request',
    'content filter refuses',
  ],
  // Requests, addresses and outages
  [
    'FastAPI, request',
    422,
    { detail: [{ loc: ['body', 'messages'], msg: 'field required', type: 'value_error.missing' }] },
    'invalid_request',
    'field required',
  ],
  [
    'Mistral, request',
    422,
    {
      object: 'error',
      message: { detail: [{ msg: 'Extra inputs are not permitted' }] },
      type: 'invalid_request_message_order',
    },
    'invalid_request',
  ],
  [
    'Gemini, request, in a list',
    400,
    [{ error: { code: 400, message: 'Function call is missing a thought_signature', status: 'INVALID_ARGUMENT' } }],
    'invalid_request',
    'thought_signature',
  ],
  [
    'Ollama, model',
    404,
    { error: { message: 'model "x" not found, try pulling it first', type: 'api_error' } },
    'provider_error',
    'check the model’s name',
  ],
  ['MiniMax, timeout', 200, { base_resp: { status_code: 1001, status_msg: 'request timeout' } }, 'timeout'],
  [
    'Bedrock, timeout',
    400,
    { __type: 'ModelTimeoutException', message: 'The request took too long to process.' },
    'timeout',
  ],
  ['Cloudflare, timeout', 524, '<html>524</html>', 'timeout'],
  [
    'Anthropic, overload',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'provider_error',
    'status 529',
  ],
  [
    'SiliconFlow, error with the status 200',
    200,
    { code: 20012, message: 'Model does not exist.', data: null },
    'provider_error',
    'Model does not exist',
  ],
];

const answers =
  (status: number, body: unknown): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '30' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const rows: readonly Row[] = FORMS.map(([name, status, body, code, says = '']) => ({
  name: `${name}: ${code}`,
  upstream: [answers(status, body)],
  outcome: { status: STATUS[code], failure: { code, message: expect.stringContaining(says) } },
}));
/** The same bodies in a stream, where there is no status. */
const inStreams: readonly Row[] = FORMS.filter(([, status]) => status === 200 || status === 400).map(
  ([name, , body, code]) => ({
    name: `${name}, in a stream: ${code}`,
    upstream: [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
      },
    ],
    outcome: { failure: { code } },
  }),
);

describeInAllWays([
  ['error responses', rows],
  ['errors as events', inStreams],
]);
