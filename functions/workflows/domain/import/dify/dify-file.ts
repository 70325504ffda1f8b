import { listField, objectField, textField } from '../../graph/fields.ts';
import { isObject, type Json, type JsonObject } from '../../graph/graph.ts';

/** A node of a file. */
export interface DifyNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly data: JsonObject;
  /** Of the iteration or loop that it is in; null at the top. */
  readonly parent: string | null;
  readonly position: { readonly x: number; readonly y: number } | null;
}

export interface DifyEdge {
  readonly source: string;
  readonly target: string;
  readonly handle: string;
}

export interface DifyGraph {
  readonly nodes: readonly DifyNode[];
  readonly edges: readonly DifyEdge[];
  readonly conversation: readonly JsonObject[];
  readonly environment: readonly JsonObject[];
}

/** Nodes that mark the start of a body. */
const BEGINNINGS = ['iteration-start', 'loop-start'];

export function isBeginning({ type }: Pick<DifyNode, 'type'>): boolean {
  return BEGINNINGS.includes(type);
}

/** The graph of a file, with what only an editor draws left out. */
export function difyGraph(document: JsonObject): DifyGraph {
  const workflow = objectField(document, 'workflow');
  const source = objectField(workflow, 'graph');
  const nodes = listField(source, 'nodes').filter(isObject).map(toNode);
  return {
    nodes: nodes.filter(({ type }) => type !== ''),
    edges: listField(source, 'edges')
      .filter(isObject)
      .map((edge) => ({
        source: String(edge.source),
        target: String(edge.target),
        handle: String(edge.sourceHandle ?? 'source'),
      })),
    conversation: listField(workflow, 'conversation_variables').filter(isObject),
    environment: listField(workflow, 'environment_variables').filter(isObject),
  };
}

function toNode(node: JsonObject): DifyNode {
  const data = objectField(node, 'data');
  const id = String(node.id ?? '');
  const { x, y } = objectField(node, 'position');
  const owner =
    (typeof node.parentId === 'string' ? node.parentId : '') ||
    (data.isInIteration === true ? textField(data, 'iteration_id') : '') ||
    (data.isInLoop === true ? textField(data, 'loop_id') : '');
  return {
    id,
    type: textField(data, 'type'),
    title: (textField(data, 'title').trim() || id).slice(0, 200),
    data,
    parent: owner === '' ? null : owner,
    position: typeof x === 'number' && typeof y === 'number' ? { x, y } : null,
  };
}

/** The type of the entries of a list, such as "array[string]", as it is named here; "any" where it has none. */
export function entryTypeOf(type: string) {
  return valueType(/^array\[(\w+)\]$/.exec(type)?.[1]);
}

/** The type of a value there, as it is named here. */
export function valueType(type: Json | undefined) {
  const given = typeof type === 'string' ? type : '';
  if (given.startsWith('array')) return 'list' as const;
  switch (given) {
    case 'string':
    case 'secret':
      return 'text' as const;
    case 'number':
    case 'integer':
    case 'float':
      return 'number' as const;
    case 'boolean':
    case 'bool':
      return 'boolean' as const;
    case 'object':
      return 'object' as const;
    case 'file':
      return 'file' as const;
    default:
      return 'any' as const;
  }
}
