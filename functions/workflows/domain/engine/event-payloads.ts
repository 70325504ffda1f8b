import type { Json, JsonObject } from '../graph/graph.ts';

export type EndedStatus = 'succeeded' | 'failed' | 'cancelled';

/** The members that say which node an event is about. */
export type Place = {
  node_id: string;
  node_type: string;
  title: string;
  execution_key: string;
  index: number;
  predecessor_node_id: string | null;
};

export type ShownUsage = {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  krw: number;
  sandbox_seconds: number;
};

type ShownFailure = { code: string; message: string };

/** A file of an answer, for clients. `size` in bytes. */
export type ShownFile = { url: string; name?: string; media_type?: string; size?: number | null };

/** The question of a node that waits for people. */
export type Wait = {
  message: Json;
  fields: Json[];
  actions: { id: string; title: string }[];
  expires_at: string;
};

/**
 * The payloads of the events that the engine makes itself, by type. Those of a running node's progress are made by its effect.
 * `shared/stream-events.ts` describes them for clients, and does not compile if one of these does not fit.
 */
export type EnginePayloads = {
  workflow_started: { inputs: JsonObject };
  workflow_finished: {
    status: EndedStatus;
    outputs: JsonObject;
    elapsed_ms: number;
    usage?: ShownUsage;
    failure?: ShownFailure & { node_id: string | null };
  };
  node_started: Place & { status: 'running' | 'waiting'; inputs?: JsonObject } & Partial<Wait>;
  node_finished: Place & {
    status: EndedStatus;
    elapsed_ms: number;
    attempts: number;
    usage?: ShownUsage;
    outputs?: JsonObject;
    failure?: ShownFailure;
  };
  iteration_started: Place & { length?: number };
  iteration_next: Place & { pass: number };
  iteration_completed: Place & { count: number; status: EndedStatus };
  parallel_branch_started: { branch_id: string; node_id: string; first_node_id: string };
  parallel_branch_finished: { branch_id: string; node_id: string; status: EndedStatus };
  variables_updated: Place & { variables: JsonObject };
  message_file: Place & ShownFile;
  retry: Place &
    ShownFailure & {
      scope: 'node';
      attempt: number;
      max_attempts: number;
      delay_ms: number;
    };
};

/** Shows clients an event. */
export type Emit = <Type extends keyof EnginePayloads>(type: Type, payload: EnginePayloads[Type]) => void;
