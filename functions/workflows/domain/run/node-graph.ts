import { listField } from '../graph/fields.ts';
import {
  DEFAULT_HANDLE,
  type Graph,
  type GraphEdge,
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
  NO_RETRY,
  RESERVED_IDS,
} from '../graph/graph.ts';
import { escaped, referencesIn } from '../graph/references.ts';
import { RunRefused } from './run-refused.ts';

/**
 * A graph that runs one node alone, with its body where it has one: what it refers to in other nodes is given, or empty.
 * @param outputs of other nodes, by their ids; of an iteration or loop around the node, what its body sees of it
 * @throws RunRefused 'no_such_node'
 */
export function nodeGraph(graph: Graph, nodeId: string, outputs: Readonly<Record<string, JsonObject>>): Graph {
  const target = graph.nodes.find(({ id }) => id === nodeId);
  const start = graph.nodes.find(({ type }) => type === 'start');
  if (!target || !start || target.type === 'start')
    throw new RunRefused(
      'no_such_node',
      `The draft has no node ${JSON.stringify(nodeId)} that can be run alone. Its nodes are ${graph.nodes
        .filter(({ type }) => type !== 'start')
        .map(({ id }) => id)
        .join(', ')}.`,
    );
  const body = descendants(graph, nodeId);
  const own = new Set([nodeId, ...body.map(({ id }) => id)]);
  const given = referencedOutside([target, ...body], own, start.id).map(([id, names]) =>
    nodeWithOutputs(graph.nodes.find((node) => node.id === id) ?? null, id, names, outputs[id] ?? {}),
  );
  // Its author waits for it: it takes no place of the workflow’s runs.
  const { maxRuns: _, ...settings } = graph.settings;
  const line = [start.id, ...given.map(({ id }) => id), nodeId];
  const edges = line
    .slice(1)
    .map(
      (id, index): GraphEdge => ({ id: `to-${id}`, source: line[index]!, target: id, sourceHandle: DEFAULT_HANDLE }),
    );
  return {
    ...graph,
    settings,
    nodes: [optional(start), ...given, { ...target, parentId: null }, ...body],
    edges: [
      ...edges,
      ...graph.edges.filter(({ source, target: to }) => source !== nodeId && own.has(source) && own.has(to)),
    ],
  };
}

function descendants(graph: Graph, owner: string): readonly GraphNode[] {
  return graph.nodes
    .filter(({ parentId }) => parentId === owner)
    .flatMap((node) => [node, ...descendants(graph, node.id)]);
}

/** Outputs of other nodes that some refer to, by the ids of those. */
function referencedOutside(
  nodes: readonly GraphNode[],
  own: ReadonlySet<string>,
  startId: string,
): readonly (readonly [string, ReadonlySet<string>])[] {
  const found = new Map<string, Set<string>>();
  for (const { config, inputs } of nodes)
    for (const { sources } of referencesIn([config, inputs] as unknown as Json))
      for (const { node, path } of sources) {
        if (own.has(node) || node === startId || RESERVED_IDS.includes(node)) continue;
        const names = found.get(node) ?? new Set();
        found.set(node, path[0] === undefined ? names : names.add(path[0]));
      }
  return [...found];
}

/** A node that takes the place of another and has the given outputs. */
export function nodeWithOutputs(
  node: GraphNode | null,
  id: string,
  names: ReadonlySet<string>,
  outputs: JsonObject,
): GraphNode {
  const values = Object.fromEntries([...names].map((name) => [name, null]));
  return {
    ...{ id, type: 'variable_assign', parentId: null, title: node?.title ?? id, inputs: {} },
    config: { values: { ...values, ...(literal(outputs) as JsonObject) } },
    ...{ onError: 'fail', defaultOutput: null, retry: NO_RETRY, position: null },
  };
}

/** A value in which nothing is a reference. */
function literal(value: Json): Json {
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return value.map((each: Json) => literal(each));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literal(each)]));
  return value;
}

/** Only the fields that the node uses need values. */
function optional(start: GraphNode): GraphNode {
  const fields = listField(start.config, 'fields')
    .filter(isObject)
    .map((field) => ({ ...field, required: false }));
  return { ...start, config: { ...start.config, fields } };
}
