import type { Graph } from '../graph.ts';
import { bodies } from './known-nodes.ts';

const [WIDTH, HEIGHT] = [208, 84];

/** The same graph with its nodes arranged from left to right. */
export async function tidied(graph: Graph): Promise<Graph> {
  const { Graph: Layout, layout } = await import('@dagrejs/dagre').then(({ graphlib, layout }) => ({
    Graph: graphlib.Graph,
    layout,
  }));
  const drawn = new Layout();
  drawn.setGraph({ rankdir: 'LR', nodesep: 40, ranksep: 80 });
  drawn.setDefaultEdgeLabel(() => ({}));
  for (const { id } of graph.nodes) drawn.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const { source, target } of graph.edges) drawn.setEdge(source, target);
  for (const { owner, entry } of bodies(graph)) drawn.setEdge(owner, entry);
  layout(drawn);
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      const { x, y } = drawn.node(node.id);
      return { ...node, position: { x: Math.round(x - WIDTH / 2), y: Math.round(y - HEIGHT / 2) } };
    }),
  };
}
