import { DEFAULT_HANDLE } from '../../../../functions/workflows/domain/graph/graph.ts';
import type { Schemas } from '../../api/openapi.d.ts';

type DescribedNode = Schemas['WorkflowNode'];
type NodeData = NonNullable<DescribedNode['data']>;

/** A node of any type, also of an unknown one, with any configuration: drafts may have faults. */
export type GraphNode = Omit<DescribedNode, 'type' | 'data'> & {
  type: string;
  data?: Omit<NodeData, 'config'> & { config?: Record<string, unknown> };
};
export type Graph = Omit<Schemas['WorkflowGraph'], 'nodes'> & { nodes: GraphNode[] };

/** A graph for a request: the service takes drafts with faults, which its description leaves out. */
export const sent = (graph: Graph) => graph as Schemas['WorkflowGraph'];
export type GraphEdge = Graph['edges'][number];
export type Issue = Schemas['WorkflowIssue'];
export type Run = Schemas['WorkflowRun'];

/** Of an edge: its own, or the default one. */
export const handleOf = ({ sourceHandle }: Pick<GraphEdge, 'sourceHandle'>): string => sourceHandle ?? DEFAULT_HANDLE;

const [COLUMN, ROW] = [240, 110];

/** Positions for nodes that have none: in columns, by how far they are from the start. */
export function withPositions({ nodes, edges, ...graph }: Graph): Graph {
  const depth = new Map<string, number>();
  const visit = (id: string, level: number): void => {
    // A loop ends where it has been before.
    if (level > nodes.length || (depth.get(id) ?? -1) >= level) return;
    depth.set(id, level);
    for (const edge of edges) if (edge.source === id) visit(edge.target, level + 1);
    for (const { id: entry } of bodyEntries({ nodes, edges }, id)) visit(entry, level + 1);
  };
  for (const { id, parent_id } of nodes) if (!parent_id && !edges.some(({ target }) => target === id)) visit(id, 0);
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

/** The nodes with which the body of an iteration or a loop starts. */
export function bodyEntries({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, owner: string): readonly GraphNode[] {
  return nodes.filter(({ id, parent_id }) => parent_id === owner && !edges.some(({ target }) => target === id));
}
