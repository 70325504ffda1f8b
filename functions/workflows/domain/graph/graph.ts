/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export type NodeType =
  | 'start'
  | 'agent'
  | 'condition'
  | 'classifier'
  | 'knowledge_search'
  | 'http_request'
  | 'tool'
  | 'code'
  | 'extract'
  | 'template'
  | 'variable_assign'
  | 'assigner'
  | 'list_operator'
  | 'document_extractor'
  | 'parameter_extractor'
  | 'break'
  | 'sub_workflow'
  | 'iteration'
  | 'loop'
  | 'answer'
  | 'approval'
  | 'human_input';

/** The consequence of a node's failure: the run fails, the node's default output is used, or its handle "error" is taken. */
export type OnError = 'fail' | 'default' | 'branch';

export interface RetryPolicy {
  /** The first attempt included. */
  readonly maxAttempts: number;
  /** Before the second attempt; doubled before each further one, unless it is fixed. */
  readonly delayMs: number;
  readonly isFixed?: true;
}

export interface GraphNode {
  /** Unique in the graph. References name it: {{id.output}}. */
  readonly id: string;
  readonly type: NodeType;
  /** The iteration or loop whose body it belongs to; null at the top. */
  readonly parentId: string | null;
  readonly title: string;
  /** Values by name: what a template or a program works on, and what an answer hands out. May hold references. */
  readonly inputs: JsonObject;
  readonly config: JsonObject;
  readonly onError: OnError;
  /** With onError 'default'. */
  readonly defaultOutput: JsonObject | null;
  readonly retry: RetryPolicy;
  /** Where an editor draws it. */
  readonly position: { readonly x: number; readonly y: number } | null;
}

export interface GraphEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Of the source; DEFAULT_HANDLE where it names none. */
  readonly sourceHandle: string;
}

/** The way in which a graph writes and compares values: as our own graphs do, or as those of Dify. */
export const TEXT_STYLES = ['native', 'dify'] as const;
export type TextStyle = (typeof TEXT_STYLES)[number];

export interface GraphSettings {
  /** Nodes that one run may execute, those of iterations and loops each time. */
  readonly maxSteps: number;
  /** From the start to the end of a run; waiting for approvals does not count. */
  readonly timeoutSeconds: number;
  /** Nodes with effects that run at the same time. */
  readonly concurrency: number;
  /** Runs of the workflow in progress at once; absent: any number. */
  readonly maxRuns?: number;
  /** Maximum cost of a run, and maximum tokens; absent: unlimited. */
  readonly maxKrw?: number;
  readonly maxTokens?: number;
  /** How values are written among text and compared; absent: "native". */
  readonly textStyle?: TextStyle;
}

/** A value that lives as long as a conversation: {{conversation.name}}. An assigner changes it. */
export interface ConversationVariable {
  readonly name: string;
  readonly type: ValueType;
  /** Value of a new conversation. */
  readonly initial: Json;
  readonly description: string;
}

/** A constant of the workflow: {{env.name}}. */
export type EnvironmentVariable =
  | { readonly name: string; readonly type: Exclude<ValueType, 'file'>; readonly value: Json }
  /** Decrypted only for the node that uses it. `sealed` is null before a value is set. */
  | { readonly name: string; readonly type: 'secret'; readonly sealed: string | null };

export interface Graph {
  readonly version: 1;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly settings: GraphSettings;
  readonly conversation?: readonly ConversationVariable[];
  readonly environment?: readonly EnvironmentVariable[];
}

export const DEFAULT_HANDLE = 'out';
/** Taken when a node with onError 'branch' fails. */
export const ERROR_HANDLE = 'error';

export const DEFAULT_SETTINGS: GraphSettings = { maxSteps: 2_000, timeoutSeconds: 600, concurrency: 5 };
export const NO_RETRY: RetryPolicy = { maxAttempts: 1, delayMs: 0 };

export const MAX_NODES = 200;
export const MAX_EDGES = 800;
export const MAX_STEPS = 20_000;
export const MAX_TIMEOUT_SECONDS = 3_600;
export const MAX_CONCURRENCY = 20;
export const MAX_RUNS = 50;
export const MAX_ATTEMPTS = 11;
export const MAX_RETRY_DELAY_MS = 60_000;
/** Bodies of iterations and loops within each other. */
export const MAX_DEPTH = 3;

/** Names other than ids of nodes that references may start with. */
export const SYSTEM = 'sys';
export const CONVERSATION = 'conversation';
export const ENVIRONMENT = 'env';
export const RESERVED_IDS: readonly string[] = [SYSTEM, CONVERSATION, ENVIRONMENT];

export const VALUE_TYPES = ['text', 'number', 'boolean', 'list', 'object', 'any', 'file'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** @param from the type of a value. @param to the type that is expected. */
export function fits(from: ValueType, to: ValueType): boolean {
  // Everything can be written as a text; a file is an object with an address.
  if (from === 'file' || to === 'file') return from === 'any' || to !== 'list';
  return from === to || from === 'any' || to === 'any' || to === 'text';
}

export function typeOf(value: Json): ValueType | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'string' ? 'text' : (type as 'number' | 'boolean' | 'object');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
