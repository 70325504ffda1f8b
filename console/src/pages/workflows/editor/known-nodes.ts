import {
  ERROR_HANDLE,
  type JsonObject,
  type GraphNode as ModelNode,
  NO_RETRY,
  type NodeType,
  type ValueType,
} from '../../../../../functions/workflows/domain/graph/graph.ts';
import {
  bodyOutputs,
  handlesOf as handlesOfModel,
  mayFail,
  NODE_KINDS,
  SYSTEM_VALUES,
} from '../../../../../functions/workflows/domain/graph/node-types.ts';
import { bodyEntries, type Graph, type GraphNode } from '../graph.ts';

/** Fields, handles and outputs of node types, as the service defines them. */

export type { NodeType };
export { mayFail, NODE_KINDS };

export const isKnownType = (type: string): type is NodeType => Object.hasOwn(NODE_KINDS, type);

export function modelOf({ id, type, parent_id, data }: GraphNode): ModelNode {
  return {
    id,
    type: type as NodeType,
    parentId: parent_id ?? null,
    title: data?.title ?? id,
    inputs: (data?.inputs ?? {}) as JsonObject,
    config: (data?.config ?? {}) as JsonObject,
    onError: data?.on_error ?? 'fail',
    defaultOutput: null,
    retry: NO_RETRY,
    position: null,
  };
}

/** The handles at which a node may continue, the optional one included. */
export function handlesOf(node: GraphNode): readonly string[] {
  if (!isKnownType(node.type)) return [];
  const { optionalHandle } = NODE_KINDS[node.type];
  const handles = handlesOfModel(modelOf(node)).filter((handle) => handle !== '' && handle !== 'undefined');
  return [...new Set(optionalHandle === undefined ? handles : [...handles, optionalHandle])];
}

/** A value that a node may refer to. */
export interface Variable {
  /** As it is written: {{node.output}} */
  readonly reference: string;
  readonly name: string;
  readonly type: ValueType;
}

export interface VariableGroup {
  readonly title: string;
  readonly variables: readonly Variable[];
}

/** The values that are there when a node runs: of the nodes before it, of the bodies that it is in, of the run. */
export function variablesAt(graph: Graph, id: string): readonly VariableGroup[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const groups: VariableGroup[] = [];
  const group = (node: GraphNode, outputs: Readonly<Record<string, ValueType>>) => {
    const variables = Object.entries(outputs).map(([name, type]) => variable(node.id, name, type));
    if (variables.length > 0) groups.push({ title: node.data?.title || node.id, variables });
  };
  const own = byId.get(id);
  if (own && isKnownType(own.type) && NODE_KINDS[own.type].nature === 'body') {
    group(own, bodyOutputs(modelOf(own)));
    // Its result is made of what its body gives out.
    for (const node of graph.nodes) if (node.parent_id === id) group(node, outputsOf(node));
  }
  for (let node = own; node; node = byId.get(node.parent_id ?? '')) {
    for (const before of ancestors(graph, node.id)) {
      const found = byId.get(before);
      if (found) group(found, outputsOf(found));
    }
    const owner = byId.get(node.parent_id ?? '');
    if (owner && isKnownType(owner.type)) group(owner, bodyOutputs(modelOf(owner)));
  }
  const declared = (owner: string, names: readonly { readonly name: string; readonly type: string }[] | undefined) =>
    (names ?? []).map(({ name, type }) => variable(owner, name, type === 'secret' ? 'text' : (type as ValueType)));
  const conversation = declared('conversation', graph.conversation_variables);
  const environment = declared('env', graph.environment_variables);
  const system = Object.entries(SYSTEM_VALUES).map(([name, type]) => variable('sys', name, type));
  return [
    ...groups,
    ...(conversation.length > 0 ? [{ title: 'conversation', variables: conversation }] : []),
    ...(environment.length > 0 ? [{ title: 'env', variables: environment }] : []),
    { title: 'sys', variables: system },
  ];
}

const variable = (owner: string, name: string, type: ValueType): Variable => ({
  reference: `{{${owner}.${name}}}`,
  name: `${owner}.${name}`,
  type,
});

function outputsOf(node: GraphNode): Readonly<Record<string, ValueType>> {
  if (!isKnownType(node.type)) return {};
  const outputs = NODE_KINDS[node.type].outputs(modelOf(node));
  const mayGoOn = (node.data?.on_error ?? 'fail') !== 'fail';
  return mayGoOn ? { ...outputs, [ERROR_HANDLE]: 'object' } : outputs;
}

/** Nodes before another one, nearest first. */
function ancestors({ edges }: Graph, id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    for (const { source, target } of edges)
      if (target === next && source !== id && !found.has(source)) {
        found.add(source);
        queue.push(source);
      }
  return found;
}

/** Pairs of an iteration or loop and the nodes with which its body starts. */
export function bodies(graph: Graph): readonly { readonly owner: string; readonly entry: string }[] {
  return graph.nodes
    .filter(({ type }) => isKnownType(type) && NODE_KINDS[type].nature === 'body')
    .flatMap(({ id: owner }) => bodyEntries(graph, owner).map(({ id: entry }) => ({ owner, entry })));
}
