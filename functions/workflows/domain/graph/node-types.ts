import { objectField } from './fields.ts';
import { ERROR_HANDLE, type GraphEdge, type GraphNode, type NodeType, type ValueType } from './graph.ts';
import { flowKinds } from './kinds/flow-kinds.ts';
import { modelKinds } from './kinds/model-kinds.ts';
import { workKinds } from './kinds/work-kinds.ts';
import type { NodeKinds } from './node-kind.ts';

export const NODE_KINDS: NodeKinds<NodeType> = { ...flowKinds, ...modelKinds, ...workKinds };

export const NODE_TYPES = Object.keys(NODE_KINDS) as readonly NodeType[];

/** Members of {{id.…}} inside the body of a node, where the node itself is still running. */
export function bodyOutputs(node: GraphNode): Readonly<Record<string, ValueType>> {
  if (node.type === 'iteration') return { item: 'any', index: 'number' };
  const variables = Object.keys(objectField(node.config, 'variables'));
  return { index: 'number', ...Object.fromEntries(variables.map((name) => [name, 'any' as const])) };
}

/** {{sys.…}} */
export const SYSTEM_VALUES: Readonly<Record<string, ValueType>> = {
  run_id: 'text',
  workflow_id: 'text',
  session_id: 'text',
  query: 'text',
  files: 'list',
  user_id: 'text',
  /** The session, by the name that other builders have for it. */
  conversation_id: 'text',
  /** 1 for the first message of a conversation. */
  dialogue_count: 'number',
  app_id: 'text',
  /** Of each form: the path of its link. */
  forms: 'object',
  workflow_run_id: 'text',
  /** Seconds since 1970 at which the run started. */
  timestamp: 'number',
};

export function handlesOf(node: GraphNode): readonly string[] {
  const handles = NODE_KINDS[node.type].handles(node);
  return node.onError === 'branch' ? [...handles, ERROR_HANDLE] : handles;
}

/** The handles at which a node may continue, given the edges that leave it. */
export function handlesWith(node: GraphNode, edges: readonly GraphEdge[]): readonly string[] {
  const { optionalHandle } = NODE_KINDS[node.type];
  const isUsed = edges.some(({ sourceHandle }) => sourceHandle === optionalHandle);
  return optionalHandle !== undefined && isUsed ? [...handlesOf(node), optionalHandle] : handlesOf(node);
}

/** Whether something can go wrong with it that its author may plan for. */
export function mayFail({ type }: Pick<GraphNode, 'type'>): boolean {
  return NODE_KINDS[type].nature !== 'control';
}
