import { createHash } from 'node:crypto';
import type { SealedSecret } from '../../shared/ports/secret-box.ts';
import type { ToolConfig } from './tools/tool-config.ts';

/** The means by which an application answers. */
export type ApplicationType = 'chat' | 'workflow' | 'channel';

/** Whether a workflow answers; in a channel only where one is set. */
export function answersByWorkflow({ type, config }: Pick<Application, 'type' | 'config'>): boolean {
  return type === 'workflow' || (type === 'channel' && config.workflowId !== null);
}

export type ProviderName = 'embedded' | 'openai-compatible' | 'bedrock';

/** OpenAI's newer models know the new name only, and most other servers the old one. */
export const MAX_TOKENS_PARAMETERS = ['max_tokens', 'max_completion_tokens'] as const;
export type MaxTokensParameter = (typeof MAX_TOKENS_PARAMETERS)[number];

export interface ModelConfig {
  readonly provider: ProviderName;
  /** The provider's name of the model. */
  readonly name: string;
  /** Of an OpenAI-compatible server, without a slash at its end; null elsewhere. */
  readonly baseUrl: string | null;
  readonly apiKey: SealedSecret | null;
  /** Longest silence of the provider, before its first part and between two parts. */
  readonly timeoutSeconds: number;
  /** Tokens that the model takes in. */
  readonly contextWindow: number;
  /** The vendor's own parameters of each request, over those of the same names that a request has. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** The model's own name of the parameter that bounds an answer; null: the usual one of its server. */
  readonly maxTokensParameter: MaxTokensParameter | null;
  /** The model of the same server that writes down what voice messages say; null: none does. */
  readonly transcriptionModel: string | null;
  /** Names of parameters that the model does not take, in OpenAI's form. */
  readonly omittedParameters: readonly string[];
}

export type StreamStart = 'first_part' | 'early';

export interface ApplicationConfig {
  readonly model: ModelConfig;
  /** Models that are asked in turn when the first one cannot answer. */
  readonly fallbacks: readonly ModelConfig[];
  readonly systemPrompt: string | null;
  /** Used where a request names none; null leaves it to the model. */
  readonly temperature: number | null;
  readonly topP: number | null;
  /** Upper bound of what a request may ask for. */
  readonly maxTokens: number | null;
  /** Tokens of a session's history that go to the model with each request. */
  readonly historyTokens: number;
  /** Bases that the answers of the model are to come from; one that is removed gives nothing. */
  readonly knowledgeBases: readonly string[];
  /** Run on our side when the model calls them. */
  readonly tools: readonly ToolConfig[];
  /** When a stream's status goes out: with the first part of the answer, so that earlier failures have their own status, or at once. */
  readonly streamStart: StreamStart;
  /** Of a workflow application: whose published graph answers. */
  readonly workflowId: string | null;
  readonly mcp: McpSharing;
}

/** Whether an application is a tool of the workspace's MCP endpoint, and how it is shown there. */
export interface McpSharing {
  readonly enabled: boolean;
  /** The tool's name after `ask_`; null: made from the application's. */
  readonly name: string | null;
  /** For the model that chooses among tools; null: the application's. */
  readonly description: string | null;
}

export interface ApplicationId {
  readonly workspaceId: string;
  readonly applicationId: string;
}

export interface Application extends ApplicationId {
  /** Unique in its workspace. */
  readonly name: string;
  readonly type: ApplicationType;
  readonly description: string;
  readonly config: ApplicationConfig;
  /** Grows with every change. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The first model, and those behind it. */
export function modelsOf({ model, fallbacks }: Pick<ApplicationConfig, 'model' | 'fallbacks'>): readonly ModelConfig[] {
  return [model, ...fallbacks];
}

/** Tells models apart: of two with one identity, each takes what the other has given. */
export function modelIdentity({ provider, baseUrl, name }: Pick<ModelConfig, 'provider' | 'baseUrl' | 'name'>): string {
  return [provider, baseUrl ?? '', name].join(' ');
}

/** An identity as clients see it: the address of a server is none of their business. */
export function modelDigest(identity: string): string {
  return createHash('sha256').update(identity).digest('base64url');
}

/** The one server of OpenAI's API that knows all of it. */
export function isOpenAi({ baseUrl }: Pick<ModelConfig, 'baseUrl'>): boolean {
  return URL.parse(baseUrl ?? '')?.hostname === 'api.openai.com';
}

export const DEFAULT_MODEL: ModelConfig = {
  provider: 'embedded',
  name: 'embedded',
  baseUrl: null,
  apiKey: null,
  timeoutSeconds: 60,
  contextWindow: 128_000,
  extraBody: {},
  maxTokensParameter: null,
  transcriptionModel: null,
  omittedParameters: [],
};

export const DEFAULT_CONFIG: ApplicationConfig = {
  model: DEFAULT_MODEL,
  fallbacks: [],
  systemPrompt: null,
  temperature: 0.7,
  topP: null,
  maxTokens: null,
  historyTokens: 8_000,
  knowledgeBases: [],
  tools: [],
  streamStart: 'first_part',
  workflowId: null,
  mcp: { enabled: false, name: null, description: null },
};
