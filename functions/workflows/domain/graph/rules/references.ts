import type { CompiledGraph } from '../compiled-graph.ts';
import { checkFields, type ReferencingField } from '../fields.ts';
import { CONVERSATION, fits, type GraphNode, RESERVED_IDS, SYSTEM, type ValueType } from '../graph.ts';
import { type GraphIssue, ofNode, warning } from '../graph-issue.ts';
import { bodyOutputs, NODE_KINDS, SYSTEM_VALUES } from '../node-types.ts';
import { isInside, ownerInScope, ProducedBefore, type Use } from '../produced-before.ts';
import { type Reference, referencesIn, type Source, soleReference } from '../references.ts';

/** References of a node: their values are given out on every way to it, and have the type that its field takes. */
export function referenceIssues(node: GraphNode, compiled: CompiledGraph): GraphIssue[] {
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
      const { text } = reference;
      const wrong = referenceFault(reference, node, use, produced, compiled);
      if (wrong !== null) {
        const { message, source } = wrong;
        const issue = { ...ofNode(node.id, field, message), reference: text, ...(source && { source }) };
        return [wrong.isTolerable ? warning(issue) : issue];
      }
      const given = sole === reference ? typeOfReference(reference, node, compiled) : 'any';
      if (fits(given, type)) return [];
      const message = `must be a ${type}, and ${text} is a ${given}. Refer to a ${type}, or convert it in a code node.`;
      return [{ ...ofNode(node.id, field, message), reference: text }];
    });
  });
}

/** Fields of a body's node that are computed after each pass, from the nodes in the body. */
function endFields({ type }: GraphNode): readonly string[] {
  return type === 'iteration' ? ['config.output'] : type === 'loop' ? ['config.until'] : [];
}

interface ReferenceFault {
  readonly message: string;
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
  const fatal = (message: string, { node, path }: Source): ReferenceFault => ({
    message,
    isTolerable: false,
    source: [node, ...path].join('.'),
  });
  const producers: GraphNode[] = [];
  let usesFailure = false;
  for (const source of sources) {
    const fault = sourceFault(text, source, user, use, compiled);
    if (fault !== null) return fatal(fault, source);
    const node = compiled.nodes.get(source.node);
    // Values of the run, and of a body's own node, are there from the beginning.
    if (RESERVED_IDS.includes(source.node) || !node || isOwnBody(node, user, use, compiled)) return null;
    const place = placeOf(use, user, node, compiled);
    if (!produced.precedes(node, place))
      return fatal(
        `refers to ${text}, and ${JSON.stringify(node.id)} does not come before it. Lead the way from ${JSON.stringify(node.id)} to it, or refer to a node before it.`,
        source,
      );
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
  const message = usesFailure
    ? `refers to ${text}, which is there only behind the handle "error" of ${names}; elsewhere it is empty. Use it there.`
    : `refers to ${text}, but there is a way to it on which ${names} ${producers.length > 1 ? 'are' : 'is'} skipped or fail${producers.length > 1 ? '' : 's'}: the value is empty then. Name another one for that way, as in {{${sources[0]!.node}.${sources[0]!.path.join('.')} | other.output}}, or lead all ways through it.`;
  return { message, isTolerable: true };
}

function sourceFault(
  text: string,
  { node: id, path }: Source,
  user: GraphNode,
  use: Use,
  compiled: CompiledGraph,
): string | null {
  if (RESERVED_IDS.includes(id)) {
    const known = Object.keys(reservedValues(id, compiled));
    return path[0] !== undefined && known.includes(path[0])
      ? null
      : `refers to ${text}; ${id} has ${known.join(', ') || 'nothing'}. Correct the name${id === SYSTEM ? '' : `, or declare it in ${id === CONVERSATION ? 'conversation_variables' : 'environment_variables'}`}.`;
  }
  const node = compiled.nodes.get(id);
  if (!node) return `refers to ${text}, and there is no node ${JSON.stringify(id)}. Correct the id.`;
  const isOwn = isOwnBody(node, user, use, compiled);
  if (!isOwn && placeOf(use, user, node, compiled, null) === null)
    return `refers to ${text}, which is in the body of ${JSON.stringify(node.parentId)}. Refer to what that node gives out.`;
  if (path.length === 0) return null;
  const outputs = isOwn ? bodyOutputs(node) : outputsOf(node);
  if (NODE_KINDS[node.type].isOpen && !isOwn) return null;
  if (Object.hasOwn(outputs, path[0]!) || (path[0] === 'error' && node.onError !== 'fail')) return null;
  return `refers to ${text}, and ${JSON.stringify(id)} gives out ${Object.keys(outputs).join(', ') || 'nothing'}. Correct the name.`;
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
