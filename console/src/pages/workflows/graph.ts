import type { Schemas } from '../../api/openapi.d.ts';

export type Graph = Schemas['WorkflowGraph'];
export type GraphNode = Graph['nodes'][number];
export type Issue = Schemas['WorkflowIssue'];
export type Run = Schemas['WorkflowRun'];

const [COLUMN, ROW] = [240, 110];

/** Positions for nodes that have none: in columns, by how far they are from the beginning. */
export function withPositions({ nodes, edges, ...graph }: Graph): Graph {
  const depth = new Map<string, number>();
  const visit = (id: string, level: number): void => {
    // A loop ends where it has been before.
    if (level > nodes.length || (depth.get(id) ?? -1) >= level) return;
    depth.set(id, level);
    for (const edge of edges) if (edge.source === id) visit(edge.target, level + 1);
  };
  for (const { id } of nodes) if (!edges.some(({ target }) => target === id)) visit(id, 0);
  const rows = new Map<number, number>();
  return {
    ...graph,
    edges,
    nodes: nodes.map((node) => {
      const level = depth.get(node.id) ?? 0;
      const row = rows.get(level) ?? 0;
      rows.set(level, row + 1);
      return node.position ? node : { ...node, position: { x: level * COLUMN, y: row * ROW } };
    }),
  };
}

export function newNode(type: string, config: Record<string, unknown>, nodes: readonly GraphNode[]): GraphNode {
  const taken = new Set(nodes.map(({ id }) => id));
  let id = type;
  for (let number = 2; taken.has(id); number++) id = `${type}_${number}`;
  const lowest = Math.max(0, ...nodes.map(({ position }) => position?.y ?? 0));
  return { id, type, position: { x: 0, y: lowest + ROW }, data: { title: id, config } };
}
