import type { SaidError } from './said-errors.ts';

/** Why a provider did not answer; `broken`: another attempt may help. docs/chat-models.md shows the code of each. */
export type Fault =
  | 'money'
  | 'context'
  | 'filter'
  | 'limit'
  | 'credentials'
  | 'time'
  | 'request'
  | 'address'
  | 'broken';

interface Signs {
  readonly fault: Fault;
  /** Whole codes, types and statuses of providers. */
  readonly codes?: RegExp;
  /** Words of messages, for providers whose codes say nothing. */
  readonly messages?: RegExp;
}

/** In the order of their weight: an account without money also has a limit, and a conversation that is too long is also a bad request. */
const SIGNS: readonly Signs[] = [
  {
    fault: 'context',
    // OpenAI, Groq, Cerebras; GitHub Models; llama.cpp; Zhipu
    codes: /^(context_length_exceeded|tokens_limit_reached|exceed_context_size_error|1261)$/,
    // Groq and OpenAI, whose limit of a minute one request exceeds
    messages: /request too large/i,
  },
  {
    fault: 'money',
    // OpenAI; DeepSeek; Moonshot; Anthropic; Qwen; Zhipu; MiniMax; SiliconFlow
    codes:
      /insufficient_(quota|balance|funds|credits?)|exceeded_current_quota|billing|credit_balance|payment_required|^(arrearage|1113|minimax_1008|30001)$/,
    messages: /insufficient (account )?(balance|credit|quota)|credit balance is too low|requires more credits/i,
  },
  {
    fault: 'filter',
    // OpenAI and Azure; Azure's inner error; Qwen; Zhipu; MiniMax, of the question and of the answer
    codes:
      /^(content_filter|content_policy_violation|responsibleaipolicyviolation|data_?inspection_?failed|1301|minimax_102[67])$/,
    // OpenRouter
    messages: /input was flagged|requires moderation/i,
  },
  {
    fault: 'limit',
    // OpenAI and Groq; Qwen and Bedrock; Gemini; Zhipu; MiniMax
    codes: /rate_?limit|too_?many_?requests|throttl|^(resource_exhausted|130[2345]|minimax_10(02|39))$/,
  },
  {
    fault: 'credentials',
    // OpenAI; Anthropic; Gemini; Bedrock; Qwen; MiniMax
    codes:
      /^(invalid_?api_?key|authentication_error|permission_(error|denied)|unauthenticated|api_key_invalid|accessdenied(exception)?|unrecognizedclientexception|minimax_(1004|2049))$/,
    messages: /api key not valid/i,
  },
  {
    fault: 'time',
    codes: /time_?d?_?out|deadline|^minimax_1001$/,
  },
  {
    fault: 'context',
    messages: new RegExp(
      [
        ...[
          'context[ _-](length|window|size|limit)',
          'maximum (number of )?tokens',
          'too many tokens',
          'available context',
        ],
        // Anthropic; Bedrock; Groq and Cerebras
        ...['prompt is too long', 'input is too long', 'reduce the length of the messages'],
        // Qwen; xAI; Moonshot; SiliconFlow; Hugging Face TGI; LM Studio
        ...['range of input length', 'maximum prompt length', 'exceeded model token limit', 'less than max_seq_len'],
        ...['inputs` (tokens|must have less)', 'context the overflows', 'maximum context'],
      ].join('|'),
      'i',
    ),
  },
];

/** By status, where the words say no more. 498: Groq has no capacity; 522, 524: Cloudflare had no answer. */
const STATUSES: Readonly<Record<number, Fault>> = {
  ...{ 400: 'request', 413: 'request', 422: 'request' },
  ...{ 401: 'credentials', 403: 'credentials', 402: 'money' },
  ...{ 429: 'limit', 498: 'limit' },
  ...{ 408: 'time', 504: 'time', 522: 'time', 524: 'time' },
};

/** @param status null: an error in the place of an answer, without one. */
export function faultOf(status: number | null, { codes, message }: SaidError): Fault {
  const words = message.slice(0, 2_000);
  const signs = SIGNS.find(
    (each) => codes.some((code) => each.codes?.test(code)) || (each.messages?.test(words) ?? false),
  );
  if (signs) return signs.fault;
  if (status === null) return 'broken';
  return STATUSES[status] ?? (status < 500 ? 'address' : 'broken');
}
