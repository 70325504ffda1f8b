import type { Graph, GraphEdge, GraphNode } from './graph.ts';
import { handlesOf, handlesWith } from './node-types.ts';

/** Nodes of one level: the graph itself, or the body of an iteration or a loop. */
export interface Scope {
  /** The node whose body it is; null at the top. */
  readonly owner: GraphNode | null;
  /** In an order in which each comes after all that lead to it. */
  readonly nodes: readonly GraphNode[];
  /** The nodes that nothing leads to. */
  readonly entries: readonly GraphNode[];
}

/** Nodes that only one of several parallel branches leads to. */
export interface Branch {
  readonly id: string;
  readonly edge: GraphEdge;
  readonly members: readonly string[];
}

/** A graph with what its execution asks for at every step. Made from a graph that passed validation. */
export interface CompiledGraph {
  readonly graph: Graph;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly top: Scope;
  /** Bodies, by the id of their node. */
  readonly bodies: ReadonlyMap<string, Scope>;
  readonly incoming: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly outgoing: ReadonlyMap<string, readonly GraphEdge[]>;
  /** Branches that start with an edge, by its id. */
  readonly branches: ReadonlyMap<string, Branch>;
  /** Branches that a node belongs to, inner ones first. */
  readonly branchesOf: ReadonlyMap<string, readonly Branch[]>;
}

export function compiledGraph(graph: Graph): CompiledGraph {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const incoming = grouped(graph, graph.edges, ({ target }) => target);
  const outgoing = grouped(graph, graph.edges, ({ source }) => source);
  const members = Map.groupBy(graph.nodes, ({ parentId }) => parentId);
  const scopeOf = (owner: GraphNode | null): Scope => {
    const own = members.get(owner?.id ?? null) ?? [];
    return {
      owner,
      nodes: inOrder(own, incoming, outgoing),
      entries: own.filter(({ id }) => incoming.get(id)!.length === 0),
    };
  };
  const owners = graph.nodes.filter(({ type }) => type === 'iteration' || type === 'loop');
  const bodies = new Map(owners.map((owner) => [owner.id, scopeOf(owner)]));
  const branches = new Map(parallelBranches(graph, nodes, incoming, outgoing).map((each) => [each.edge.id, each]));
  const branchesOf = new Map<string, Branch[]>();
  const innerFirst = [...branches.values()].sort((a, b) => a.members.length - b.members.length);
  for (const branch of innerFirst)
    for (const id of branch.members) branchesOf.set(id, [...(branchesOf.get(id) ?? []), branch]);
  return { graph, nodes, top: scopeOf(null), bodies, incoming, outgoing, branches, branchesOf };
}

export function scopeOf({ top, bodies }: Pick<CompiledGraph, 'top' | 'bodies'>, owner: string | null): Scope {
  return owner === null ? top : bodies.get(owner)!;
}

function grouped(
  { nodes }: Graph,
  edges: readonly GraphEdge[],
  key: (edge: GraphEdge) => string,
): ReadonlyMap<string, readonly GraphEdge[]> {
  const groups = new Map<string, GraphEdge[]>(nodes.map(({ id }) => [id, []]));
  for (const edge of edges) groups.get(key(edge))?.push(edge);
  return groups;
}

/** Topological order (Kahn); nodes on a cycle are left out. */
export function inOrder(
  nodes: readonly GraphNode[],
  incoming: ReadonlyMap<string, readonly GraphEdge[]>,
  outgoing: ReadonlyMap<string, readonly GraphEdge[]>,
): readonly GraphNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waiting = new Map(nodes.map(({ id }) => [id, incoming.get(id)!.length]));
  const ordered = nodes.filter(({ id }) => waiting.get(id) === 0);
  for (let i = 0; i < ordered.length; i++)
    for (const { target } of outgoing.get(ordered[i]!.id)!) {
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0 && byId.has(target)) ordered.push(byId.get(target)!);
    }
  return ordered;
}

/**
 * Where several edges leave one handle, what follows runs in parallel. A branch is what can be reached through its first
 * edge alone; it is empty where the edge leads straight to the join.
 */
function parallelBranches(
  graph: Graph,
  nodes: ReadonlyMap<string, GraphNode>,
  incoming: CompiledGraph['incoming'],
  outgoing: CompiledGraph['outgoing'],
): Branch[] {
  const branches: Branch[] = [];
  for (const node of graph.nodes)
    for (const handle of handlesWith(node, outgoing.get(node.id)!)) {
      const edges = outgoing.get(node.id)!.filter(({ sourceHandle }) => sourceHandle === handle);
      if (edges.length < 2) continue;
      for (const edge of edges) {
        const members = reachedThrough(edge, nodes, incoming, outgoing);
        if (members.length > 0) branches.push({ id: edge.id, edge, members });
      }
    }
  return branches;
}

function reachedThrough(
  first: GraphEdge,
  nodes: ReadonlyMap<string, GraphNode>,
  incoming: CompiledGraph['incoming'],
  outgoing: CompiledGraph['outgoing'],
): readonly string[] {
  const members = new Set<string>();
  const queue = [first.target];
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i]!;
    if (members.has(id) || !nodes.has(id)) continue;
    if (!incoming.get(id)!.every((edge) => edge.id === first.id || members.has(edge.source))) continue;
    members.add(id);
    queue.push(...outgoing.get(id)!.map(({ target }) => target));
  }
  return [...members];
}

/** Handles of a node that nothing follows. */
export function openHandles(node: GraphNode, outgoing: CompiledGraph['outgoing']): readonly string[] {
  const used = new Set(outgoing.get(node.id)!.map(({ sourceHandle }) => sourceHandle));
  return handlesOf(node).filter((handle) => !used.has(handle));
}
