import type { Phrase, Texts } from '../../../../shared/phrases.ts';
import type { CompiledGraph } from '../compiled-graph.ts';
import { checkFields, type ReferencingField } from '../fields.ts';
import { CONVERSATION, fits, type GraphNode, RESERVED_IDS, SYSTEM, type ValueType } from '../graph.ts';
import { type GraphIssue, ofGraph, ofNode, warning } from '../graph-issue.ts';
import { said } from '../issue-texts.ts';
import { bodyOutputs, NODE_KINDS, SYSTEM_VALUES } from '../node-types.ts';
import { isInside, ownerInScope, ProducedBefore, type Use } from '../produced-before.ts';
import { type Reference, referencesIn, type Source, soleReference } from '../references.ts';

/** Of references that name several nodes: each is judged along all ways through the graph by itself. */
const MAX_ALTERNATIVES = 500;

/** References of a graph's nodes: their values are given out on every way to them, and have the type that the field takes. */
export function referenceIssues(compiled: CompiledGraph): GraphIssue[] {
  const { nodes } = compiled.graph;
  const count = nodes.reduce((sum, node) => sum + alternativesIn(node), 0);
  if (count > MAX_ALTERNATIVES)
    return [ofGraph('nodes', said('too_many_alternatives', { count, max: MAX_ALTERNATIVES }))];
  const produced = new ProducedBefore(compiled);
  return nodes.flatMap((node) => referenceIssuesOf(node, compiled, produced));
}

function alternativesIn({ config, inputs }: GraphNode): number {
  let count = 0;
  for (const { sources } of referencesIn({ config, inputs })) if (sources.length > 1) count++;
  return count;
}

function referenceIssuesOf(node: GraphNode, compiled: CompiledGraph, produced: ProducedBefore): GraphIssue[] {
  const kind = NODE_KINDS[node.type];
  const atEnd = endFields(node);
  const fields: readonly ReferencingField[] = [
    ...checkFields(node.config, kind.config, 'config').references,
    { field: 'inputs', value: node.inputs, type: 'any' },
  ];
  return fields.flatMap(({ field, value, type }) => {
    const body = atEnd.some((name) => field.startsWith(name)) ? compiled.bodies.get(node.id) : undefined;
    const use: Use = body ? { endOf: body } : { node };
    const sole = typeof value === 'string' ? soleReference(value) : null;
    return [...referencesIn(value)].flatMap((reference) => {
      const { text } = reference;
      const wrong = referenceFault(reference, node, use, produced, compiled);
      if (wrong !== null) {
        const { what, source } = wrong;
        const issue = { ...ofNode(node.id, field, what), reference: text, ...(source && { source }) };
        return [wrong.isTolerable ? warning(issue) : issue];
      }
      const given = sole === reference ? typeOfReference(reference, node, compiled) : 'any';
      if (fits(given, type)) return [];
      const what = said('reference_type', { wanted: type, reference: text, given });
      return [{ ...ofNode(node.id, field, what), reference: text }];
    });
  });
}

/** Fields of a body's node that are computed after each pass, from the nodes in the body. */
function endFields({ type }: GraphNode): readonly string[] {
  return type === 'iteration' ? ['config.output'] : type === 'loop' ? ['config.until'] : [];
}

interface ReferenceFault {
  readonly what: Phrase;
  /** The run can continue: the value is null, or an empty text. */
  readonly isTolerable: boolean;
  readonly source?: string;
}

function referenceFault(
  { text, sources }: Reference,
  user: GraphNode,
  use: Use,
  produced: ProducedBefore,
  compiled: CompiledGraph,
): ReferenceFault | null {
  const fatal = (what: Phrase, { node, path }: Source): ReferenceFault => ({
    what,
    isTolerable: false,
    source: [node, ...path].join('.'),
  });
  const producers: GraphNode[] = [];
  let usesFailure = false;
  for (const source of sources) {
    const fault = sourceFault(text, source, user, use, compiled);
    if (fault !== null) return fatal(fault, source);
    const node = compiled.nodes.get(source.node);
    // Values of the run, and of a body's own node, are there from the start.
    if (RESERVED_IDS.includes(source.node) || !node || isOwnBody(node, user, use, compiled)) return null;
    const place = placeOf(use, user, node, compiled);
    if (!produced.precedes(node, place))
      return fatal(said('reference_later', { reference: text, node: JSON.stringify(node.id) }), source);
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
  return { what: skipped(text, sources, producers, usesFailure), isTolerable: true };
}

function skipped(
  reference: string,
  [source]: Reference['sources'],
  producers: readonly GraphNode[],
  usesFailure: boolean,
): Phrase {
  const quoted = producers.map(({ id }) => JSON.stringify(id));
  const nodes = { en: quoted.join(' and '), ko: quoted.join(', ') };
  if (usesFailure) return said('reference_only_on_error', { reference, nodes });
  const example = `{{${source!.node}.${source!.path.join('.')} | other.output}}`;
  return said(quoted.length > 1 ? 'references_skipped' : 'reference_skipped', { reference, nodes, example });
}

function sourceFault(
  text: string,
  { node: id, path }: Source,
  user: GraphNode,
  use: Use,
  compiled: CompiledGraph,
): Phrase | null {
  if (RESERVED_IDS.includes(id)) {
    const known = Object.keys(reservedValues(id, compiled));
    if (path[0] !== undefined && known.includes(path[0])) return null;
    const values = { reference: text, owner: id, known: listed(known) };
    if (id === SYSTEM) return said('reference_no_system_value', values);
    const list = id === CONVERSATION ? 'conversation_variables' : 'environment_variables';
    return said('reference_no_variable', { ...values, list });
  }
  const node = compiled.nodes.get(id);
  if (!node) return said('reference_no_node', { reference: text, node: JSON.stringify(id) });
  const isOwn = isOwnBody(node, user, use, compiled);
  if (!isOwn && placeOf(use, user, node, compiled, null) === null)
    return said('reference_inside_body', { reference: text, owner: JSON.stringify(node.parentId) });
  if (path.length === 0) return null;
  const outputs = isOwn ? bodyOutputs(node) : outputsOf(node);
  if (NODE_KINDS[node.type].isOpen && !isOwn) return null;
  if (Object.hasOwn(outputs, path[0]!) || (path[0] === 'error' && node.onError !== 'fail')) return null;
  const known = listed(Object.keys(outputs));
  return said('reference_no_output', { reference: text, node: JSON.stringify(id), known });
}

function listed(names: readonly string[]): Texts {
  const list = names.join(', ');
  return { en: list || 'nothing', ko: list || '없음' };
}

/** Types of the values that a reserved name leads to, by their names. */
function reservedValues(id: string, { graph }: CompiledGraph): Readonly<Record<string, ValueType>> {
  if (id === SYSTEM) return SYSTEM_VALUES;
  if (id === CONVERSATION) return Object.fromEntries((graph.conversation ?? []).map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    (graph.environment ?? []).map(({ name, type }) => [name, type === 'secret' ? 'text' : type]),
  );
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
      const isReserved = RESERVED_IDS.includes(id);
      if (path.length !== 1) return path.length === 0 && !isReserved ? 'object' : 'any';
      if (isReserved) return reservedValues(id, compiled)[path[0]!] ?? 'any';
      const node = compiled.nodes.get(id)!;
      const isOwn = isInside(compiled, user, node) || node.id === user.id;
      return (isOwn ? bodyOutputs(node) : outputsOf(node))[path[0]!] ?? 'any';
    }),
  );
  return types.size === 1 ? [...types][0]! : 'any';
}
