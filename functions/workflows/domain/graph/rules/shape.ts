import { type Graph, MAX_EDGES, MAX_NODES, RESERVED_IDS } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode } from '../graph-issue.ts';
import { said } from '../issue-texts.ts';
import { NODE_KINDS, NODE_TYPES } from '../node-types.ts';

const ID = /^[A-Za-z_][\w-]{0,63}$/;

/** Sizes, ids and types: everything else rests on them. */
export function shapeIssues({ nodes, edges }: Graph): GraphIssue[] {
  const issues: GraphIssue[] = [];
  if (nodes.length === 0) issues.push(ofGraph('nodes', said('no_nodes')));
  if (nodes.length > MAX_NODES)
    issues.push(ofGraph('nodes', said('too_many_nodes', { count: nodes.length, max: MAX_NODES })));
  if (edges.length > MAX_EDGES)
    issues.push(ofGraph('edges', said('too_many_edges', { count: edges.length, max: MAX_EDGES })));
  // The rest of a graph without bounds is not judged.
  if (issues.length > 0) return issues;
  const seen = new Set<string>();
  for (const { id, type } of nodes) {
    if (!ID.test(id) || RESERVED_IDS.includes(id))
      issues.push(ofNode(id, 'id', said('wrong_id', { reserved: RESERVED_IDS.join(', ') })));
    if (seen.has(id)) issues.push(ofNode(id, 'id', said('id_twice')));
    seen.add(id);
    if (!Object.hasOwn(NODE_KINDS, type))
      issues.push(
        ofNode(id, 'type', said('type_unknown', { type: JSON.stringify(type), known: NODE_TYPES.join(', ') })),
      );
  }
  const edgeIds = new Set<string>();
  for (const { id } of edges) {
    if (edgeIds.has(id)) issues.push(ofGraph('edges', said('edge_id_twice', { edge: JSON.stringify(id) })));
    edgeIds.add(id);
  }
  return issues;
}
