import type { CompiledGraph } from '../compiled-graph.ts';
import { objectField } from '../fields.ts';
import { CONVERSATION, type GraphNode, MAX_DEPTH } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode } from '../graph-issue.ts';
import { said } from '../issue-texts.ts';
import { assignedTo } from '../node-fields.ts';
import { NODE_KINDS } from '../node-types.ts';
import { isInside } from '../produced-before.ts';

/** One start, bodies with one start, everything reached, nothing on a cycle. */
export function scopeIssues(compiled: CompiledGraph): GraphIssue[] {
  const { graph, nodes, outgoing } = compiled;
  const issues: GraphIssue[] = [];
  const starts = graph.nodes.filter(({ type }) => type === 'start');
  if (starts.length === 0) issues.push(ofGraph('nodes', said('start_missing')));
  for (const { id } of starts.slice(1))
    issues.push(ofNode(id, 'type', said('start_twice', { first: JSON.stringify(starts[0]!.id) })));
  for (const node of graph.nodes) {
    const { id, type, parentId } = node;
    const parent = parentId === null ? null : nodes.get(parentId);
    if (parent === undefined || (parent && NODE_KINDS[parent.type].nature !== 'body'))
      issues.push(ofNode(id, 'parent_id', said('parent_unknown', { parent: JSON.stringify(parentId) })));
    if (type === 'start' && parentId !== null) issues.push(ofNode(id, 'parent_id', said('start_in_body')));
    const depth = depthOf(compiled, node);
    if (depth > MAX_DEPTH) issues.push(ofNode(id, 'parent_id', said('too_deep', { max: MAX_DEPTH })));
    if (type === 'break' && nodes.get(parentId ?? '')?.type !== 'loop')
      issues.push(ofNode(id, 'parent_id', said('break_outside')));
    for (const { owner, name } of type === 'assigner' ? assignedTo(node) : [])
      if (!isAssignable(owner, name, node, compiled))
        issues.push(ofNode(id, 'config.items', said('assigns_unknown', { variable: `${owner}.${name}` })));
    if (NODE_KINDS[type].nature === 'body' && !graph.nodes.some((each) => each.parentId === id))
      issues.push(ofNode(id, 'config', said('body_empty', { node: JSON.stringify(id) })));
  }
  if (issues.length > 0) return issues;

  for (const { owner, nodes: ordered, entries } of [compiled.top, ...compiled.bodies.values()]) {
    const own = graph.nodes.filter(({ parentId }) => parentId === (owner?.id ?? null));
    if (ordered.length < own.length) {
      const cycle = cycleAmong(own, ordered, compiled);
      issues.push(ofNode(cycle[0]!, 'edges', said('cycle', { path: [...cycle, cycle[0]].join(' → ') })));
    }
    for (const { id } of unreached(own, entries, outgoing, owner === null))
      issues.push(
        ofNode(id, 'edges', owner ? said('unreached_in_body', { owner: JSON.stringify(owner.id) }) : said('unreached')),
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

function isAssignable(owner: string, name: string, node: GraphNode, { graph, nodes }: CompiledGraph): boolean {
  if (owner === CONVERSATION) return (graph.conversation ?? []).some((variable) => variable.name === name);
  const loop = nodes.get(owner);
  if (loop?.type !== 'loop' || !Object.hasOwn(objectField(loop.config, 'variables'), name)) return false;
  return isInside({ nodes }, node, loop);
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
  // Every remaining node has a remaining predecessor: going back must reach a node twice.
  const path: string[] = [];
  let id = [...left][0]!;
  while (!path.includes(id)) {
    path.push(id);
    id = incoming.get(id)!.find(({ source }) => left.has(source))!.source;
  }
  return path.slice(path.indexOf(id)).reverse();
}
