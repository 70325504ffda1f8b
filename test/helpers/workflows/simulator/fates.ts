import { createHash } from 'node:crypto';
import { operateList } from '../../../../functions/workflows/domain/effects/operate-list.ts';
import type { GraphNode, Json, JsonObject } from '../../../../functions/workflows/domain/graph/graph.ts';

export interface Attempt {
  readonly key: string;
  readonly attempt: number;
  readonly node: GraphNode;
  readonly config: JsonObject;
  readonly inputs: JsonObject;
}

type Fate =
  | { readonly isFailure: true; readonly isPassing: boolean }
  | { readonly isFailure: false; readonly handle: string; readonly outputs: JsonObject };

/** The result of an effect: the same for the same attempt on the same inputs. */
export function fate(seed: number, { key, attempt, node, config, inputs }: Attempt): Fate {
  if (node.type === 'list_operator') return ofList(config);
  const digest = createHash('md5')
    .update(JSON.stringify([seed, key, attempt, inputs]))
    .digest();
  const failsUpTo = (seed & 3) === 0 ? 90 : (seed & 3) === 1 ? 30 : 5;
  if (digest[0]! < failsUpTo) return { isFailure: true, isPassing: digest[1]! < 128 };
  const handle = node.type === 'classifier' ? 'xyz'[digest[2]! % 3]! : 'out';
  return { isFailure: false, handle, outputs: outputsOf(node, digest[3]! % 10) };
}

/** The one effect that the simulator does not make up. */
function ofList(config: JsonObject): Fate {
  try {
    return { isFailure: false, handle: 'out', outputs: operateList({ config }).outputs };
  } catch {
    return { isFailure: true, isPassing: false };
  }
}

function outputsOf({ type }: GraphNode, v: number): JsonObject {
  switch (type) {
    case 'agent':
      return { text: `said ${v}`, finish_reason: 'stop' };
    case 'document_extractor':
      return { text: `read ${v}`, pages: [`read ${v}`] };
    case 'parameter_extractor':
      return { v, is_success: 1, reason: '' };
    case 'tool':
      return { result: { v, unit: 'kg' }, text: `${v} kg` };
    case 'sub_workflow':
      return { answer: `inner ${v}`, outputs: { v }, run_id: `run of ${v}` };
    default:
      return { v };
  }
}

/** Outputs as others see them: members of what a tool or a sub-workflow has returned go by their own names. */
export function seenOutputs({ type }: GraphNode, outputs: JsonObject): JsonObject {
  if (type === 'tool')
    return { ...(outputs.result as JsonObject), json: [outputs.result as Json], files: [], ...outputs };
  if (type === 'sub_workflow') return { ...(outputs.outputs as JsonObject), ...outputs };
  return outputs;
}

const digestOf = (seed: number, key: string) => createHash('md5').update(`${seed} ${key}`).digest();

export const decisionOf = (seed: number, key: string): 'approved' | 'rejected' | 'expired' =>
  (['approved', 'approved', 'rejected', 'expired'] as const)[digestOf(seed, key)[0]! % 4]!;

/** The values that a person has filled in. */
export const formOf = (seed: number, key: string): JsonObject => ({ v: digestOf(seed, key)[1]! % 10 });
