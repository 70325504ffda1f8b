import type { CompiledGraph } from '../compiled-graph.ts';
import type { Graph } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode } from '../graph-issue.ts';
import { said } from '../issue-texts.ts';
import { handlesOf, NODE_KINDS } from '../node-types.ts';

/** Edges: their ends and handles are there, and within one body. */
export function edgeIssues({ edges }: Graph, { nodes }: CompiledGraph): GraphIssue[] {
  const issues: GraphIssue[] = [];
  const pairs = new Set<string>();
  for (const { id, source, target, sourceHandle } of edges) {
    const from = nodes.get(source);
    const to = nodes.get(target);
    const edge = JSON.stringify(id);
    if (!from || !to) {
      const missing = from ? target : source;
      issues.push(ofGraph('edges', said('edge_to_nowhere', { edge, node: JSON.stringify(missing) })));
      continue;
    }
    const handles = [...handlesOf(from), NODE_KINDS[from.type].optionalHandle ?? []].flat();
    if (!handles.includes(sourceHandle))
      issues.push(
        ofNode(
          source,
          'edges',
          said('handle_unknown', { handle: JSON.stringify(sourceHandle), edge, known: handles.join(', ') }),
        ),
      );
    if (from.parentId !== to.parentId)
      issues.push(ofNode(target, 'edges', said('edge_across_bodies', { source: JSON.stringify(source), edge })));
    if (to.type === 'start') issues.push(ofNode(target, 'edges', said('edge_to_start', { edge })));
    const pair = JSON.stringify([source, sourceHandle, target]);
    if (pairs.has(pair)) issues.push(ofGraph('edges', said('edge_twice', { edge })));
    pairs.add(pair);
  }
  return issues;
}
