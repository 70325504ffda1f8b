import { type Graph, MAX_EDGES, MAX_NODES, RESERVED_IDS } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode } from '../graph-issue.ts';
import { NODE_KINDS, NODE_TYPES } from '../node-types.ts';

const ID = /^[A-Za-z_][\w-]{0,63}$/;

/** Sizes, ids and types: everything else rests on them. */
export function shapeIssues({ nodes, edges }: Graph): GraphIssue[] {
  const issues: GraphIssue[] = [];
  if (nodes.length === 0) issues.push(ofGraph('nodes', 'The graph has no nodes. Add a start node.'));
  if (nodes.length > MAX_NODES)
    issues.push(ofGraph('nodes', `The graph has ${nodes.length} nodes. Leave at most ${MAX_NODES}.`));
  if (edges.length > MAX_EDGES)
    issues.push(ofGraph('edges', `The graph has ${edges.length} edges. Leave at most ${MAX_EDGES}.`));
  const seen = new Set<string>();
  for (const { id, type } of nodes) {
    if (!ID.test(id) || RESERVED_IDS.includes(id))
      issues.push(
        ofNode(
          id,
          'id',
          `must be 1 to 64 letters, digits, _ and -, no digit first, and none of ${RESERVED_IDS.join(', ')}. Rename it.`,
        ),
      );
    if (seen.has(id)) issues.push(ofNode(id, 'id', 'is used twice. Rename one of them.'));
    seen.add(id);
    if (!Object.hasOwn(NODE_KINDS, type))
      issues.push(
        ofNode(id, 'type', `is ${JSON.stringify(type)}, which is unknown. Use one of ${NODE_TYPES.join(', ')}.`),
      );
  }
  const edgeIds = new Set<string>();
  for (const { id } of edges) {
    if (edgeIds.has(id))
      issues.push(ofGraph('edges', `Two edges have the id ${JSON.stringify(id)}. Rename one of them.`));
    edgeIds.add(id);
  }
  return issues;
}
