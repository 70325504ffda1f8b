import type { ProgressPayloads } from '../../../shared/stream-events.ts';
import type { GraphNode, Json, JsonObject } from '../graph/graph.ts';

/** Why a node, and a run with it, failed. The message is for the author of the workflow. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Resources used by nodes. */
export interface Cost {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly krw: number;
  readonly sandboxSeconds: number;
}

export const NO_COST: Cost = { promptTokens: 0, completionTokens: 0, krw: 0, sandboxSeconds: 0 };

export function added(a: Cost, b: Cost): Cost {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    krw: a.krw + b.krw,
    sandboxSeconds: a.sandboxSeconds + b.sandboxSeconds,
  };
}

/** One message of the conversation before a run, as far as its agents may know it. */
export interface HistoryMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Values of a run under {{sys.…}}, and further ones for its agents. */
export interface RunContext {
  readonly sys: JsonObject;
  readonly history: readonly HistoryMessage[];
  /** Conversation variables as the run before left them. */
  readonly conversation?: JsonObject;
}

/** 'submitted': a form. */
export type DecisionKind = 'approved' | 'rejected' | 'submitted';

/** The events of a run, in the order of recording: the same events always lead to the same state. */
export type EngineEvent =
  | { readonly type: 'begun'; readonly atMs: number; readonly inputs: JsonObject; readonly context: RunContext }
  | {
      readonly type: 'done';
      readonly atMs: number;
      readonly key: string;
      readonly attempt: number;
      readonly outputs: JsonObject;
      /** Of a classifier: the class. */
      readonly handle?: string;
      readonly cost?: Cost;
    }
  | {
      readonly type: 'failed';
      readonly atMs: number;
      readonly key: string;
      readonly attempt: number;
      readonly failure: Failure;
      /** True when another attempt may do better. */
      readonly isPassing: boolean;
      readonly cost?: Cost;
    }
  /** The delay before an attempt is over. */
  | { readonly type: 'delay_over'; readonly atMs: number; readonly key: string; readonly attempt: number }
  | {
      readonly type: 'decided';
      readonly atMs: number;
      readonly key: string;
      readonly decision: DecisionKind;
      /** Of a form. */
      readonly values?: JsonObject;
      /** Of a form with actions: the chosen one. */
      readonly action?: string;
      readonly by: string;
      readonly comment: string;
    }
  /** The people whom a waiting node names have been notified. */
  | { readonly type: 'notified'; readonly atMs: number; readonly key: string }
  /** No decision came in time. */
  | { readonly type: 'approval_expired'; readonly atMs: number; readonly key: string }
  | { readonly type: 'cancelled'; readonly atMs: number; readonly by: string }
  /** Another function continues it. The idle time in between does not count for the run. */
  | { readonly type: 'resumed'; readonly atMs: number }
  /** No function could continue it. */
  | { readonly type: 'given_up'; readonly atMs: number; readonly failure: Failure }
  /** The time of the run is over. */
  | { readonly type: 'timed_out'; readonly atMs: number };

/** Events inside a running node; they change no recorded state. */
export type ProgressEvent =
  | { readonly type: 'text'; readonly key: string; readonly text: string }
  | {
      readonly type: 'progress';
      readonly key: string;
      readonly event: keyof ProgressPayloads;
      readonly payload: object;
    };

/** Actions for the engine's caller. */
export type Command =
  | {
      readonly type: 'run';
      readonly key: string;
      readonly node: GraphNode;
      /** 1 for the first one. */
      readonly attempt: number;
      /** The node's configuration and inputs, with references replaced. */
      readonly config: JsonObject;
      readonly inputs: JsonObject;
    }
  | { readonly type: 'delay'; readonly key: string; readonly attempt: number; readonly untilMs: number }
  | { readonly type: 'await_decision'; readonly key: string; readonly untilMs: number }
  /** The effect under the key is no longer needed. */
  | { readonly type: 'abort'; readonly key: string }
  | { readonly type: 'end' };

/** The events of streams, in the order of chat's own; `error` and `message_end` are those of the stream as a whole. */
export const STREAM_EVENT_TYPES = [
  ...(['workflow_started', 'workflow_finished', 'node_started', 'node_finished'] as const),
  ...(['iteration_started', 'iteration_next', 'iteration_completed'] as const),
  ...(['parallel_branch_started', 'parallel_branch_finished', 'agent_thought'] as const),
  ...(['tool_call_started', 'tool_call_delta', 'tool_call_finished', 'knowledge_retrieved'] as const),
  ...(['variables_updated', 'message_file', 'retry', 'message_end', 'error'] as const),
];
export type StreamEventType = (typeof STREAM_EVENT_TYPES)[number];

/** Output for clients: events, and the text of answers. */
export type Output =
  | { readonly kind: 'event'; readonly type: StreamEventType; readonly payload: JsonObject }
  | { readonly kind: 'text'; readonly text: string };

export type RunStatus = 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';

export interface Step {
  readonly commands: readonly Command[];
  readonly outputs: readonly Output[];
}

/** An approval or a form that a run waits for. */
export interface PendingDecision {
  readonly key: string;
  /** Its configuration has values in the places of references. */
  readonly node: GraphNode;
  readonly message: Json;
  readonly untilMs: number;
  /** Whether the people whom its node names are still to be notified. */
  readonly needsNotice: boolean;
}
