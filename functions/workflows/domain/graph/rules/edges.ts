import type { CompiledGraph } from '../compiled-graph.ts';
import type { Graph } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode } from '../graph-issue.ts';
import { handlesOf, NODE_KINDS } from '../node-types.ts';

/** Edges: their ends and handles are there, and within one body. */
export function edgeIssues({ edges }: Graph, { nodes }: CompiledGraph): GraphIssue[] {
  const issues: GraphIssue[] = [];
  const pairs = new Set<string>();
  for (const { id, source, target, sourceHandle } of edges) {
    const from = nodes.get(source);
    const to = nodes.get(target);
    const name = `Edge ${JSON.stringify(id)}`;
    if (!from || !to) {
      const missing = from ? target : source;
      issues.push(
        ofGraph('edges', `${name}: there is no node ${JSON.stringify(missing)}. Remove the edge, or correct it.`),
      );
      continue;
    }
    const handles = [...handlesOf(from), NODE_KINDS[from.type].optionalHandle ?? []].flat();
    if (!handles.includes(sourceHandle))
      issues.push(
        ofNode(
          source,
          'edges',
          `has no handle ${JSON.stringify(sourceHandle)}, which edge ${JSON.stringify(id)} begins at. Use one of ${handles.join(', ')}.`,
        ),
      );
    if (from.parentId !== to.parentId)
      issues.push(
        ofNode(
          target,
          'edges',
          `is not in the same body as ${JSON.stringify(source)}, where edge ${JSON.stringify(id)} comes from. Connect the iteration or loop itself.`,
        ),
      );
    if (to.type === 'start')
      issues.push(ofNode(target, 'edges', `is a start, and edge ${JSON.stringify(id)} leads to it. Remove the edge.`));
    const pair = JSON.stringify([source, sourceHandle, target]);
    if (pairs.has(pair)) issues.push(ofGraph('edges', `${name} is listed twice. Remove one of them.`));
    pairs.add(pair);
  }
  return issues;
}
