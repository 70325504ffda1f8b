import { type CompiledGraph, compiledGraph } from './compiled-graph.ts';
import { checkFields, listField, type ReferencingField } from './fields.ts';
import {
  fits,
  type Graph,
  type GraphNode,
  isObject,
  MAX_DEPTH,
  MAX_EDGES,
  MAX_NODES,
  SYSTEM,
  type ValueType,
} from './graph.ts';
import { bodyOutputs, handlesOf, mayFail, NODE_KINDS, NODE_TYPES, SYSTEM_VALUES } from './node-types.ts';
import { isInside, ownerInScope, ProducedBefore, type Use } from './produced-before.ts';
import { type Reference, referencesIn, type Source, soleReference } from './references.ts';

/** What is wrong with a graph: where, and how to mend it. */
export interface GraphIssue {
  /** Null: of the graph as a whole. */
  readonly nodeId: string | null;
  readonly field: string | null;
  /** A whole sentence that names both. */
  readonly message: string;
}

const ID = /^[A-Za-z_][\w-]{0,63}$/;

/** Every fault of a graph; none when it can be run. */
export function graphIssues(graph: Graph): readonly GraphIssue[] {
  const shape = shapeIssues(graph);
  if (shape.length > 0) return shape;
  const nodes = graph.nodes.flatMap(nodeIssues);
  const compiled = compiledGraph(graph);
  const structure = [...edgeIssues(graph, compiled), ...scopeIssues(compiled)];
  // References are judged along the ways through the graph: it must have some.
  const references = structure.length > 0 ? [] : graph.nodes.flatMap((node) => referenceIssues(node, compiled));
  return [...nodes, ...structure, ...references];
}

function shapeIssues({ nodes, edges }: Graph): GraphIssue[] {
  const issues: GraphIssue[] = [];
  if (nodes.length === 0) issues.push(ofGraph('nodes', 'The graph has no nodes. Add a start node.'));
  if (nodes.length > MAX_NODES)
    issues.push(ofGraph('nodes', `The graph has ${nodes.length} nodes. Leave at most ${MAX_NODES}.`));
  if (edges.length > MAX_EDGES)
    issues.push(ofGraph('edges', `The graph has ${edges.length} edges. Leave at most ${MAX_EDGES}.`));
  const seen = new Set<string>();
  for (const { id, type } of nodes) {
    if (!ID.test(id) || id === SYSTEM)
      issues.push(
        ofNode(id, 'id', `must be 1 to 64 letters, digits, _ and -, no digit first, and not "${SYSTEM}". Rename it.`),
      );
    if (seen.has(id)) issues.push(ofNode(id, 'id', 'stands there twice. Rename one of them.'));
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

function nodeIssues(node: GraphNode): GraphIssue[] {
  const { id, type, config, inputs, onError, defaultOutput, retry } = node;
  const issues = [
    ...checkFields(config, NODE_KINDS[type].config, 'config').issues,
    ...checkFields(inputs, Object.fromEntries(Object.keys(inputs).map((name) => [name, ANY])), 'inputs').issues,
  ].map(({ field, message }) => ofNode(id, field, message));
  if (onError !== 'fail' && !mayFail(node))
    issues.push(ofNode(id, 'on_error', `does not apply to a node of type ${type}, which cannot fail. Remove it.`));
  if (onError === 'default' && defaultOutput === null)
    issues.push(
      ofNode(id, 'default_output', 'is missing. Set what the node gives out when it fails, or another on_error.'),
    );
  if (retry.maxAttempts > 1 && NODE_KINDS[type].nature !== 'effect')
    issues.push(ofNode(id, 'retry', `does not apply to a node of type ${type}. Remove it.`));
  for (const [index, handle] of handlesOf(node).entries())
    if (handlesOf(node).indexOf(handle) !== index)
      issues.push(ofNode(id, 'config', `leads to ${JSON.stringify(handle)} twice. Give each case an id of its own.`));
  for (const condition of conditionsOf(node)) issues.push(...conditionIssues(node, condition));
  return issues;
}

const ANY = { kind: 'value', type: 'any' } as const;
const UNARY = ['is_empty', 'is_not_empty', 'is_true', 'is_false'];

function conditionsOf({ type, config }: GraphNode): { readonly field: string; readonly condition: object }[] {
  const inList = (owner: unknown, field: string) =>
    isObject(owner as never)
      ? listField(owner as never, 'conditions').map((condition, i) => ({
          field: `${field}.conditions.${i}`,
          condition: (isObject(condition) ? condition : {}) as object,
        }))
      : [];
  if (type === 'condition') return listField(config, 'cases').flatMap((each, i) => inList(each, `config.cases.${i}`));
  return type === 'loop' ? inList(config.until, 'config.until') : [];
}

function conditionIssues({ id }: GraphNode, { field, condition }: { field: string; condition: object }): GraphIssue[] {
  const { operator, right } = condition as { readonly operator?: string; readonly right?: unknown };
  if (operator === undefined) return [];
  const isUnary = UNARY.includes(operator);
  if (isUnary && right !== undefined && right !== null)
    return [ofNode(id, `${field}.right`, `does not apply to the operator ${operator}. Remove it.`)];
  if (!isUnary && (right === undefined || right === null))
    return [ofNode(id, `${field}.right`, `is missing. Set what ${operator} compares with.`)];
  return [];
}

function edgeIssues({ edges }: Graph, { nodes }: CompiledGraph): GraphIssue[] {
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
    if (!handlesOf(from).includes(sourceHandle))
      issues.push(
        ofNode(
          source,
          'edges',
          `has no handle ${JSON.stringify(sourceHandle)}, which edge ${JSON.stringify(id)} begins at. Use one of ${handlesOf(from).join(', ')}.`,
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
    if (pairs.has(pair)) issues.push(ofGraph('edges', `${name} stands there twice. Remove one of them.`));
    pairs.add(pair);
  }
  return issues;
}

function scopeIssues(compiled: CompiledGraph): GraphIssue[] {
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

function referenceIssues(node: GraphNode, compiled: CompiledGraph): GraphIssue[] {
  const kind = NODE_KINDS[node.type];
  const atEnd = endFields(node);
  const produced = new ProducedBefore(compiled);
  const fields: readonly ReferencingField[] = [
    ...checkFields(node.config, kind.config, 'config').references,
    { field: 'inputs', value: node.inputs, type: 'any' },
  ];
  return fields.flatMap(({ field, value, type }) => {
    const body = atEnd.some((name) => field.startsWith(name)) ? compiled.bodies.get(node.id) : undefined;
    const use: Use = body ? { endOf: body } : { node };
    const sole = typeof value === 'string' ? soleReference(value) : null;
    return [...referencesIn(value)].flatMap((reference) => {
      const wrong = referenceFault(reference, node, use, produced, compiled);
      if (wrong !== null) return [ofNode(node.id, field, wrong)];
      const given = sole === reference ? typeOfReference(reference, node, compiled) : 'any';
      return fits(given, type)
        ? []
        : [
            ofNode(
              node.id,
              field,
              `must be a ${type}, and ${reference.text} is a ${given}. Refer to a ${type}, or convert it in a code node.`,
            ),
          ];
    });
  });
}

/** Fields of a body's node that are worked out after each pass, from what is in the body. */
function endFields({ type }: GraphNode): readonly string[] {
  return type === 'iteration' ? ['config.output'] : type === 'loop' ? ['config.until'] : [];
}

function referenceFault(
  { text, sources }: Reference,
  user: GraphNode,
  use: Use,
  produced: ProducedBefore,
  compiled: CompiledGraph,
): string | null {
  const producers: GraphNode[] = [];
  let usesFailure = false;
  for (const source of sources) {
    const fault = sourceFault(text, source, user, use, compiled);
    if (fault !== null) return fault;
    const node = compiled.nodes.get(source.node);
    // Values of the run, and of a body's own node, are there from the beginning.
    if (source.node === SYSTEM || !node || isOwnBody(node, user, use, compiled)) return null;
    const place = placeOf(use, user, node, compiled);
    if (!produced.precedes(node, place))
      return `refers to ${text}, and ${JSON.stringify(node.id)} does not come before it. Lead the way from ${JSON.stringify(node.id)} to it, or refer to a node before it.`;
    usesFailure ||= source.path[0] === 'error' && node.onError === 'branch';
    producers.push(node);
  }
  if (producers.length === 0) return null;
  const place = placeOf(use, user, producers[0]!, compiled);
  if (
    producers.every((node) => node.parentId === producers[0]!.parentId) &&
    produced.isProduced(producers, place, usesFailure)
  )
    return null;
  const names = producers.map(({ id }) => JSON.stringify(id)).join(' and ');
  return usesFailure
    ? `refers to ${text}, which is there only behind the handle "error" of ${names}. Use it there.`
    : `refers to ${text}, but there is a way to it on which ${names} ${producers.length > 1 ? 'are' : 'is'} skipped or fail${producers.length > 1 ? '' : 's'}. Name what stands in on that way, as in {{${sources[0]!.node}.${sources[0]!.path.join('.')} | other.output}}, or lead all ways through it.`;
}

function sourceFault(
  text: string,
  { node: id, path }: Source,
  user: GraphNode,
  use: Use,
  compiled: CompiledGraph,
): string | null {
  if (id === SYSTEM) {
    const isKnown = path[0] !== undefined && Object.hasOwn(SYSTEM_VALUES, path[0]);
    return isKnown ? null : `refers to ${text}; sys has ${Object.keys(SYSTEM_VALUES).join(', ')}. Correct it.`;
  }
  const node = compiled.nodes.get(id);
  if (!node) return `refers to ${text}, and there is no node ${JSON.stringify(id)}. Correct the id.`;
  const isOwn = isOwnBody(node, user, use, compiled);
  if (!isOwn && placeOf(use, user, node, compiled, null) === null)
    return `refers to ${text}, which is in the body of ${JSON.stringify(node.parentId)}. Refer to what that node gives out.`;
  if (path.length === 0) return null;
  const outputs = isOwn ? bodyOutputs(node) : outputsOf(node);
  if (Object.hasOwn(outputs, path[0]!) || (path[0] === 'error' && node.onError !== 'fail')) return null;
  return `refers to ${text}, and ${JSON.stringify(id)} gives out ${Object.keys(outputs).join(', ') || 'nothing'}. Correct the name.`;
}

function outputsOf(node: GraphNode): Readonly<Record<string, ValueType>> {
  return NODE_KINDS[node.type].outputs(node);
}

function isOwnBody(node: GraphNode, user: GraphNode, use: Use, compiled: CompiledGraph): boolean {
  return isInside(compiled, user, node) || ('endOf' in use && node.id === user.id);
}

/** Where a value is used, in the scope of the node that gives it out. */
function placeOf(use: Use, user: GraphNode, producer: GraphNode, compiled: CompiledGraph): Use;
function placeOf(use: Use, user: GraphNode, producer: GraphNode, compiled: CompiledGraph, none: null): Use | null;
function placeOf(use: Use, user: GraphNode, producer: GraphNode, compiled: CompiledGraph): Use | null {
  if ('endOf' in use && producer.parentId === user.id) return use;
  const node = ownerInScope(compiled, user, producer);
  return node && { node };
}

function typeOfReference({ sources }: Reference, user: GraphNode, compiled: CompiledGraph): ValueType {
  const types = new Set(
    sources.map(({ node: id, path }): ValueType => {
      if (path.length !== 1) return path.length === 0 && id !== SYSTEM ? 'object' : 'any';
      if (id === SYSTEM) return SYSTEM_VALUES[path[0]!] ?? 'any';
      const node = compiled.nodes.get(id)!;
      const isOwn = isInside(compiled, user, node) || node.id === user.id;
      return (isOwn ? bodyOutputs(node) : outputsOf(node))[path[0]!] ?? 'any';
    }),
  );
  return types.size === 1 ? [...types][0]! : 'any';
}

function ofNode(nodeId: string, field: string, what: string): GraphIssue {
  return { nodeId, field, message: `Node ${JSON.stringify(nodeId)}: ${field} ${what}` };
}

function ofGraph(field: string, message: string): GraphIssue {
  return { nodeId: null, field, message };
}
