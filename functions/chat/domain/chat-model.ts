import type { KnowledgeHit } from '../../knowledge/domain/knowledge-search.ts';
import type { ApplicationId, ModelConfig } from './application.ts';
import type { ChatMessage } from './messages.ts';
import type { OpaqueMembers } from './opaque-members.ts';

/** A request to a model. Parameters have the names and forms of OpenAI's chat completions. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice | null;
  readonly responseFormat: ResponseFormat | null;
  /** Passages for the answer, which are among the messages too; absent where the application has no knowledge bases. */
  readonly knowledge?: {
    /** Empty where a workflow has searched. */
    readonly query: string;
    readonly hits: readonly KnowledgeHit[];
  };
  /** Parameters that only some providers know, passed on as they are. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** Parameters that are passed on as they are. */
export const PASSED_ON = [
  'parallel_tool_calls',
  'seed',
  'logprobs',
  'top_logprobs',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'reasoning_effort',
  'verbosity',
  'prediction',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'service_tier',
  'web_search_options',
] as const;

export type ToolDefinition =
  | {
      readonly type: 'function';
      readonly function: {
        readonly name: string;
        readonly description?: string | undefined;
        readonly parameters?: Readonly<Record<string, unknown>> | undefined;
        readonly strict?: boolean | null | undefined;
      };
    }
  | { readonly type: 'custom'; readonly custom: Readonly<Record<string, unknown>> & { readonly name: string } };

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | (Readonly<Record<string, unknown>> & {
      readonly type: string;
      readonly function?: { readonly name: string } | undefined;
    });

export type ResponseFormat = Readonly<Record<string, unknown>> & {
  readonly type: 'text' | 'json_object' | 'json_schema';
};

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** Counts of a provider, with any details it gives. */
export type Usage = Readonly<Record<string, unknown>> & {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};

/** A fragment of a tool call; fragments of one call have its index in common. */
export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
  readonly custom?: { readonly name?: string; readonly input?: string };
  readonly opaque?: OpaqueMembers;
}

/** Pictures and sources that a model gives in addition to its text, in the forms of OpenAI and OpenRouter. */
export interface Attachments {
  readonly images?: readonly { readonly type: 'image_url'; readonly image_url: { readonly url: string } }[];
  readonly annotations?: readonly Annotation[];
}

/** A source on the web. */
export interface Annotation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly url: string;
    readonly title: string;
    readonly start_index: number;
    readonly end_index: number;
  };
}

export type ModelPart =
  /** `logprobs` are those of the text, in the provider's form. */
  | { readonly kind: 'text'; readonly text: string; readonly logprobs?: object }
  | { readonly kind: 'refusal'; readonly text: string }
  /** `signature` is the provider's proof of this part and those since the last signature; `model` the identity of the model. */
  | { readonly kind: 'reasoning'; readonly text: string; readonly signature?: string; readonly model?: string }
  | { readonly kind: 'attachments'; readonly members: Attachments }
  /** Pieces of members of the message, as they arrive. */
  | { readonly kind: 'opaque'; readonly members: OpaqueMembers; readonly model?: string }
  | { readonly kind: 'tool_calls'; readonly calls: readonly ToolCallDelta[]; readonly model?: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'finish'; readonly reason: FinishReason };

/** The caller for whom a model is asked. */
export interface Asker extends ApplicationId {
  /** API key that the tokens are counted for; absent or null: none. */
  readonly keyId?: string | null;
  /** The piece of work that the answer belongs to, where it costs something; absent: it is not repeated. */
  readonly work?: AskedWork;
}

export interface AskedWork {
  /** The answer or run that the ledger names. */
  readonly reference: string;
  /** The same for a repetition after a crash, which is not paid for again; absent: there is none. */
  readonly key?: string;
  /** Public access token of the visitor who asks; null or absent: no visitor does. */
  readonly accessTokenId?: string | null;
}

export interface ChatModels {
  /**
   * The parts of a model's answer; its last ones are `finish` and, where the provider counts, `usage`. Ends the provider's
   * work when the signal is aborted, or the iteration is given up. @throws ModelFailed; what `signal` was aborted with.
   */
  stream(model: ModelConfig, asker: Asker, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Failures as streams name them. */
export type FailureCode =
  | 'rate_limit'
  /** A budget of tokens that the workspace set itself. */
  | 'budget_used_up'
  | 'insufficient_balance'
  /** Too many messages of one session at once. */
  | 'session_busy'
  | 'context_overflow'
  | 'tool_error'
  | 'timeout'
  | 'provider_error'
  | 'auth_error'
  /** The request itself, before anything is asked of a model. */
  | 'invalid_request';

/** Why a model did not answer, or broke off. The message is for clients: it holds no address and no secret. */
export class ModelFailed extends Error {
  override name = 'ModelFailed';
  readonly code: FailureCode;
  /** True when the same model may answer a moment later. */
  readonly isPassing: boolean;
  /** The provider's own advice. */
  readonly retryAfterSeconds: number | null;
  /** True when it has been asked several times already: asking again at once only multiplies the requests. */
  readonly wasRetried: boolean;
  readonly details: Readonly<Record<string, unknown>> | null;

  constructor(
    code: FailureCode,
    message: string,
    { isPassing = false, retryAfterSeconds = null, wasRetried = false, details = null, cause }: FailureOptions = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.isPassing = isPassing;
    this.retryAfterSeconds = retryAfterSeconds;
    this.wasRetried = wasRetried;
    this.details = details;
  }

  afterRetries(): ModelFailed {
    const { code, message, isPassing, retryAfterSeconds, details, cause } = this;
    return new ModelFailed(code, message, { isPassing, retryAfterSeconds, wasRetried: true, details, cause });
  }
}

interface FailureOptions extends ErrorOptions {
  readonly isPassing?: boolean;
  readonly retryAfterSeconds?: number | null;
  readonly wasRetried?: boolean;
  readonly details?: Readonly<Record<string, unknown>> | null;
}
