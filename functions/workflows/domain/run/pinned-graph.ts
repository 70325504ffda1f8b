import type { Graph, GraphNode, JsonObject } from '../graph/graph.ts';
import { nodeWithOutputs } from './node-graph.ts';
import { RunRefused } from './run-refused.ts';

/**
 * A graph in which some nodes give out what they are given, instead of being performed.
 * @param pinned outputs by the ids of nodes. @throws RunRefused 'no_such_node'
 */
export function pinnedGraph(graph: Graph, pinned: Readonly<Record<string, JsonObject>>): Graph {
  const ids = Object.keys(pinned);
  if (ids.length === 0) return graph;
  for (const id of ids) requirePinnable(graph, id);
  const isInside = ({ parentId }: GraphNode): boolean => {
    const parent = graph.nodes.find(({ id }) => id === parentId);
    return parent !== undefined && (ids.includes(parent.id) || isInside(parent));
  };
  const gone = new Set(graph.nodes.filter(isInside).map(({ id }) => id));
  return {
    ...graph,
    nodes: graph.nodes
      .filter(({ id }) => !gone.has(id))
      .map((node) => (ids.includes(node.id) ? nodeWithOutputs(node, node.id, new Set(), pinned[node.id] ?? {}) : node)),
    edges: graph.edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target)),
  };
}

function requirePinnable(graph: Graph, id: string): void {
  const node = graph.nodes.find((each) => each.id === id);
  const handles = graph.edges.filter(({ source }) => source === id).map(({ sourceHandle }) => sourceHandle);
  const isSingle = handles.every((handle) => handle === 'out' || handle === 'error');
  if (node && node.parentId === null && isSingle && !['start', 'answer'].includes(node.type)) return;
  throw new RunRefused(
    'no_such_node',
    `pinned.${id}: only nodes of the graph that are in no body, and lead on at one handle, can be pinned.`,
  );
}
