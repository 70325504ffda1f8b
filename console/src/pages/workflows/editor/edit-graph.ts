import { DEFAULT_HANDLE } from '../../../../../functions/workflows/domain/graph/graph.ts';
import { type Graph, type GraphEdge, type GraphNode, handleOf } from '../graph.ts';
import { handlesOf } from './known-nodes.ts';

/** Changes of a graph, each of which gives a new one. */

export type Connection = Pick<GraphEdge, 'source' | 'target'> & { readonly sourceHandle?: string | null };

/** Identifies an edge by what it connects: ids of edges are optional. */
export const keyOf = (edge: Connection): string => JSON.stringify([edge.source, handleOf(edge), edge.target]);

/** Removes nodes with their bodies and edges. */
export function withoutNodes(graph: Graph, ids: ReadonlySet<string>): Graph {
  const gone = new Set(ids);
  for (let before = -1; before !== gone.size; ) {
    before = gone.size;
    for (const { id, parent_id } of graph.nodes) if (parent_id && gone.has(parent_id)) gone.add(id);
  }
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !gone.has(id)),
    edges: graph.edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target)),
  };
}

export function withoutEdges(graph: Graph, keys: ReadonlySet<string>): Graph {
  return { ...graph, edges: graph.edges.filter((edge) => !keys.has(keyOf(edge))) };
}

/** Adds an edge, unless it is there already or leads back to its own node. */
export function connected(graph: Graph, { source, target, sourceHandle }: Connection): Graph {
  const edge = { source, target, ...(sourceHandle && sourceHandle !== DEFAULT_HANDLE && { sourceHandle }) };
  const isKnown = graph.edges.some((each) => keyOf(each) === keyOf(edge));
  return source === target || isKnown ? graph : { ...graph, edges: [...graph.edges, edge] };
}

/** Replaces a node; edges follow its handles: the one of a renamed handle is renamed, those of removed handles go. */
export function withNode(graph: Graph, node: GraphNode): Graph {
  const former = graph.nodes.find(({ id }) => id === node.id);
  const [before, after] = [former ? handlesOf(former) : [], handlesOf(node)];
  const changed = before.flatMap((handle, index) => (handle === after[index] ? [] : [index]));
  const isRenamed = before.length === after.length && changed.length === 1;
  const renamed = isRenamed ? [before[changed[0]!], after[changed[0]!]] : [];
  const edges = graph.edges.flatMap((edge): GraphEdge[] => {
    const handle = handleOf(edge);
    if (edge.source !== node.id || after.includes(handle) || !before.includes(handle)) return [edge];
    return handle === renamed[0] ? [{ ...edge, sourceHandle: renamed[1]! }] : [];
  });
  return { ...graph, nodes: graph.nodes.map((each) => (each.id === node.id ? node : each)), edges };
}

/** Adds a node after `from`: at its first free exit, or else between it and what its first exit leads to. */
export function withNewNode(graph: Graph, node: GraphNode, from: GraphNode | undefined): Graph {
  const added = { ...graph, nodes: [...graph.nodes, below(node, graph.nodes)] };
  if (from === undefined || node.type === 'start' || (from.parent_id ?? null) !== (node.parent_id ?? null))
    return added;
  const used = graph.edges.filter(({ source }) => source === from.id);
  const free = handlesOf(from).find((handle) => !used.some((edge) => handleOf(edge) === handle));
  if (free !== undefined) return connected(added, { source: from.id, target: node.id, sourceHandle: free });
  const [first] = used;
  const [next] = handlesOf(node);
  if (first === undefined || next === undefined) return added;
  const nodes = [...graph.nodes.map((each) => movedRight(each, node)), node];
  const cut = withoutEdges({ ...graph, nodes }, new Set([keyOf(first)]));
  const into = connected(cut, { ...first, target: node.id });
  return connected(into, { source: node.id, target: first.target, sourceHandle: next });
}

/** From a node to the next one in its row or column, in pixels of the canvas. */
export const BESIDE = 260;
const BELOW = 130;

/** The node, below those in whose place it would be. */
function below(node: GraphNode, others: readonly GraphNode[]): GraphNode {
  const { x, y } = node.position ?? { x: 0, y: 0 };
  const isTaken = others.some(
    ({ position }) => position && Math.abs(position.x - x) < BESIDE && Math.abs(position.y - y) < BELOW,
  );
  return isTaken ? below({ ...node, position: { x, y: y + BELOW } }, others) : node;
}

/** Makes room for a node among those to the right. */
function movedRight(each: GraphNode, node: GraphNode): GraphNode {
  const { x, y } = each.position ?? { x: 0, y: 0 };
  return x > (node.position?.x ?? 0) - BESIDE / 2 ? { ...each, position: { x: x + BESIDE, y } } : each;
}

const COPY_OFFSET = 40;

/** Nodes and the edges between them, as they are copied. */
export interface Clip {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export function clipOf({ nodes, edges }: Graph, ids: ReadonlySet<string>): Clip {
  return {
    nodes: nodes.filter(({ id, type }) => ids.has(id) && type !== 'start'),
    edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)),
  };
}

/** Adds copied nodes under new ids; references among them follow. @returns the graph, and the ids of the copies */
export function withClip(graph: Graph, clip: Clip): { readonly graph: Graph; readonly ids: ReadonlySet<string> } {
  const taken = new Set(graph.nodes.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { id, type } of clip.nodes) ids.set(id, freeId(type, taken));
  const renamed = (id: string) => ids.get(id) ?? id;
  const text = JSON.stringify(clip.nodes).replaceAll(
    /\{\{\s*([\w-]+)(?=[.\s|}])/g,
    (found, id: string) => found.slice(0, found.length - id.length) + renamed(id),
  );
  const nodes = (JSON.parse(text) as GraphNode[]).map(({ position, parent_id, ...node }): GraphNode => {
    const parent = parent_id && (ids.get(parent_id) ?? (taken.has(parent_id) ? parent_id : undefined));
    return {
      ...node,
      id: renamed(node.id),
      ...(parent && { parent_id: parent }),
      position: { x: (position?.x ?? 0) + COPY_OFFSET, y: (position?.y ?? 0) + COPY_OFFSET },
    };
  });
  const edges = clip.edges
    .filter(({ source, target }) => ids.has(source) && ids.has(target))
    .map(({ id: _, source, target, ...edge }) => ({ ...edge, source: renamed(source), target: renamed(target) }));
  return {
    graph: { ...graph, nodes: [...graph.nodes, ...nodes], edges: [...graph.edges, ...edges] },
    ids: new Set(ids.values()),
  };
}

/** An id that no node has, made of its type; it is taken from then on. */
export function freeId(type: string, taken: Set<string>): string {
  let id = type;
  for (let number = 2; taken.has(id); number++) id = `${type}_${number}`;
  taken.add(id);
  return id;
}
