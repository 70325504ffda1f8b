import type { ProgressPayloads } from '../../../shared/stream-events.ts';
import type { Cost, Failure, RunContext } from '../engine/engine-events.ts';
import type { EnvironmentVariable, GraphNode, JsonObject } from '../graph/graph.ts';
import type { RunId, RunTrigger } from './run.ts';

/** A text that is not to be stored, and the one that is stored in its place. */
export interface HiddenText {
  readonly text: string;
  readonly shown: string;
}

/** One attempt of a node to be performed. */
export interface NodeCall {
  readonly run: RunId & { readonly workflowId: string; readonly trigger: RunTrigger };
  readonly node: GraphNode;
  /** Unique in the run. */
  readonly key: string;
  readonly attempt: number;
  readonly config: JsonObject;
  readonly inputs: JsonObject;
  readonly context: RunContext;
  /** Of the graph: what nodes refer to as secrets is put in just before they are performed. */
  readonly environment?: readonly EnvironmentVariable[];
  /** Forms of secrets, for those who store outputs outside of the run. */
  readonly hidden?: readonly HiddenText[];
}

/** Shows clients how a node gets on. */
export type ShowProgress = <Type extends keyof ProgressPayloads>(event: Type, payload: ProgressPayloads[Type]) => void;

/** How a node is heard while it runs. */
export interface NodeSurroundings {
  /** Aborted when the node's result is no longer awaited. */
  readonly signal: AbortSignal;
  readonly text: (text: string) => void;
  readonly progress: ShowProgress;
  /** Epoch time at which the function ends for certain. */
  readonly deadlineMs: number;
}

export interface NodeResult {
  readonly outputs: JsonObject;
  readonly handle?: string;
  readonly cost?: Partial<Cost>;
}

/** Performs the nodes that reach beyond the engine. */
export interface NodeEffects {
  /**
   * Performs one attempt of a node. It may be asked for again after a crash: what has an effect then has it once, by a
   * key made from the run and the node. @throws NodeFailed; what `signal` was aborted with.
   */
  perform(call: NodeCall, surroundings: NodeSurroundings): Promise<NodeResult>;
}

/** Why a node failed; the message is for the author of the workflow. */
export class NodeFailed extends Error {
  override name = 'NodeFailed';
  readonly failure: Failure;
  /** True when another attempt may do better. */
  readonly isPassing: boolean;
  readonly cost: Partial<Cost> | undefined;

  constructor(
    code: string,
    message: string,
    { isPassing = false, cost, cause }: { isPassing?: boolean; cost?: Partial<Cost>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.failure = { code, message };
    this.isPassing = isPassing;
    this.cost = cost;
  }
}

/** Why a node is aborted that its run has no use for any more: it was cancelled, or the run has ended. */
export class NodeAbandoned extends Error {
  override name = 'NodeAbandoned';
}

/** The key of a run's effect: the same for every attempt and function. */
export function effectKey({ run, key }: Pick<NodeCall, 'run' | 'key'>): string {
  return `${run.runId}:${key}`;
}
