import { DEFAULT_HANDLE, type GraphNode, type JsonObject, type NodeType } from '../graph/graph.ts';
import { handlesOf } from '../graph/node-types.ts';
import type { Command, Failure } from './engine-events.ts';
import type { Activity } from './frame.ts';

const MAX_DELAY_MS = 300_000;

/** Why a run failed; the node is null where no single one is to blame. */
export type RunFailure = Failure & {
  readonly nodeId: string | null;
  readonly key: string | null;
  readonly title: string | null;
};

export function runFailure(failure: Failure, by: Activity | null): RunFailure {
  return { ...failure, nodeId: by?.node.id ?? null, key: by?.key ?? null, title: by && titleOf(by.node) };
}

/** The pause before the next attempt of a node; null where none is left. */
export function retryDelayMs({ node, attempt }: Activity): number | null {
  const { maxAttempts, delayMs, isFixed } = node.retry;
  if (attempt >= maxAttempts) return null;
  return Math.min(MAX_DELAY_MS, isFixed ? delayMs : delayMs * 2 ** (attempt - 1));
}

/** The author's name of a node. */
export function titleOf({ id, title }: GraphNode): string {
  return title === '' ? id : title;
}

/** The output that names the handle at which a node continues. */
const NAMING_OUTPUTS: Partial<Record<NodeType, string>> = {
  approval: 'decision',
  human_input: 'action',
  classifier: 'class_id',
};

/** The handle of a node's default output: the outputs of some name it. */
export function defaultHandle(node: GraphNode, outputs: JsonObject): string {
  const named = outputs[NAMING_OUTPUTS[node.type] ?? ''];
  const handles = handlesOf(node);
  return handles.find((handle) => handle === named) ?? handles[0] ?? DEFAULT_HANDLE;
}

/** Why a node fails that no person has decided on in time. */
export function expiry({ type }: GraphNode): Failure {
  return type === 'human_input'
    ? { code: 'form_expired', message: 'The form was not answered in time.' }
    : { code: 'approval_expired', message: 'Neither approved nor rejected in time.' };
}

/** The request of a node in its state to its surroundings; null for an iteration or a loop. */
export function commandOf({ key, node, attempt, state, untilMs, config, inputs }: Activity): Command | null {
  switch (state) {
    case 'running':
      return { type: 'run', key, node, attempt, config, inputs };
    case 'delayed':
      return { type: 'delay', key, attempt, untilMs };
    case 'waiting':
      return { type: 'await_decision', key, untilMs };
    case 'body':
      return null;
  }
}
