import type { CompiledGraph } from '../compiled-graph.ts';
import { type GraphNode, MAX_DEPTH } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode } from '../graph-issue.ts';
import { NODE_KINDS } from '../node-types.ts';

/** One start, bodies with one beginning, everything reached, nothing on a cycle. */
export function scopeIssues(compiled: CompiledGraph): GraphIssue[] {
  const { graph, nodes, outgoing } = compiled;
  const issues: GraphIssue[] = [];
  const starts = graph.nodes.filter(({ type }) => type === 'start');
  if (starts.length === 0) issues.push(ofGraph('nodes', 'The graph has no node of type start. Add one.'));
  for (const { id } of starts.slice(1))
    issues.push(ofNode(id, 'type', `is a second start beside ${JSON.stringify(starts[0]!.id)}. Leave one of them.`));
  for (const node of graph.nodes) {
    const { id, type, parentId } = node;
    const parent = parentId === null ? null : nodes.get(parentId);
    if (parent === undefined || (parent && NODE_KINDS[parent.type].nature !== 'body'))
      issues.push(
        ofNode(
          id,
          'parent_id',
          `is ${JSON.stringify(parentId)}, which is no iteration or loop of the graph. Correct it.`,
        ),
      );
    if (type === 'start' && parentId !== null) issues.push(ofNode(id, 'parent_id', 'is set for a start. Remove it.'));
    const depth = depthOf(compiled, node);
    if (depth > MAX_DEPTH)
      issues.push(ofNode(id, 'parent_id', `nests bodies too deep. Leave at most ${MAX_DEPTH} within each other.`));
    if (type === 'answer' && isInIteration(compiled, node))
      issues.push(
        ofNode(
          id,
          'parent_id',
          'puts an answer into an iteration, whose passes have no order. Answer after the iteration.',
        ),
      );
    if (NODE_KINDS[type].nature === 'body' && !graph.nodes.some((each) => each.parentId === id))
      issues.push(ofNode(id, 'config', `has an empty body. Add nodes whose parent_id is ${JSON.stringify(id)}.`));
  }
  if (issues.length > 0) return issues;

  for (const { owner, nodes: ordered, entries } of [compiled.top, ...compiled.bodies.values()]) {
    const own = graph.nodes.filter(({ parentId }) => parentId === (owner?.id ?? null));
    const place = owner ? ` of the body of ${JSON.stringify(owner.id)}` : '';
    if (ordered.length < own.length) {
      const cycle = cycleAmong(own, ordered, compiled);
      issues.push(
        ofNode(
          cycle[0]!,
          'edges',
          `is on a cycle: ${[...cycle, cycle[0]].join(' → ')}. Remove one of its edges; to repeat nodes, put them into a loop.`,
        ),
      );
    }
    for (const { id } of unreached(own, entries, outgoing, owner === null))
      issues.push(
        ofNode(
          id,
          'edges',
          `cannot be reached${owner ? `${place}` : ' from the start'}. Lead an edge to it, or remove it.`,
        ),
      );
    if (owner && entries.length > 1)
      for (const { id } of entries.slice(1))
        issues.push(
          ofNode(
            id,
            'edges',
            `is a second beginning${place} beside ${JSON.stringify(entries[0]!.id)}. Lead an edge to it, or remove it.`,
          ),
        );
  }
  return issues;
}

function depthOf({ nodes }: CompiledGraph, node: GraphNode): number {
  let depth = 0;
  for (let each = nodes.get(node.parentId ?? ''); each && depth <= MAX_DEPTH; each = nodes.get(each.parentId ?? ''))
    depth += 1;
  return depth;
}

function isInIteration({ nodes }: CompiledGraph, node: GraphNode): boolean {
  let depth = 0;
  for (let each = nodes.get(node.parentId ?? ''); each && depth <= MAX_DEPTH; each = nodes.get(each.parentId ?? '')) {
    if (each.type === 'iteration') return true;
    depth += 1;
  }
  return false;
}

function unreached(
  own: readonly GraphNode[],
  entries: readonly GraphNode[],
  outgoing: CompiledGraph['outgoing'],
  isTop: boolean,
): readonly GraphNode[] {
  const from = isTop ? own.filter(({ type }) => type === 'start') : entries;
  const reached = new Set(from.map(({ id }) => id));
  const queue = [...reached];
  for (let id = queue.pop(); id !== undefined; id = queue.pop())
    for (const { target } of outgoing.get(id) ?? [])
      if (!reached.has(target)) {
        reached.add(target);
        queue.push(target);
      }
  return own.filter(({ id }) => !reached.has(id));
}

/** Ids of one cycle, in the order of its edges. */
function cycleAmong(
  own: readonly GraphNode[],
  ordered: readonly GraphNode[],
  { incoming }: CompiledGraph,
): readonly string[] {
  const left = new Set(own.map(({ id }) => id));
  for (const { id } of ordered) left.delete(id);
  // Whatever is left has a predecessor that is left too: going back must come to a node twice.
  const path: string[] = [];
  let id = [...left][0]!;
  while (!path.includes(id)) {
    path.push(id);
    id = incoming.get(id)!.find(({ source }) => left.has(source))!.source;
  }
  return path.slice(path.indexOf(id)).reverse();
}
