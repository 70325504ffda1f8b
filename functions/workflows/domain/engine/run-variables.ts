import { listField, textField } from '../graph/fields.ts';
import {
  CONVERSATION,
  type EnvironmentVariable,
  type Graph,
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
  RESERVED_IDS,
  SYSTEM,
  typeOf,
} from '../graph/graph.ts';
import { assignedTo } from '../graph/node-fields.ts';
import { type Lookup, memberAt, type Source, sizeOf, soleReference } from '../graph/references.ts';
import { assigned, hasTypes } from './assign.ts';
import { withDerivedOutputs } from './derived-outputs.ts';
import type { Failure, RunContext } from './engine-events.ts';
import type { Activity, Frame } from './frame.ts';
import { secretMark } from './secret-marks.ts';

/** Characters of JSON of all outputs that nodes may still refer to: a function holds them in memory. */
const MAX_VARIABLES_LENGTH = 10_000_000;
/** Characters of JSON of all outputs of a run, also of passes that are over: a function reads them to continue the run. */
const MAX_RECORDED_LENGTH = 24_000_000;
/** Conversation variables are stored with each turn. */
const MAX_CONVERSATION_LENGTH = 100_000;

/** Values as they were kept, or the reason why they were not. */
type Kept = { readonly values: JsonObject } | { readonly failure: Failure };

/** The values that nodes of a run refer to: outputs of other nodes, conversation and environment variables, and those of the system. */
export class RunVariables {
  readonly #graph: Pick<Graph, 'environment' | 'conversation'>;
  #context: RunContext = { sys: {}, history: [] };
  #conversation: Record<string, Json> = {};
  /** Characters of the outputs in frames that are open. */
  #length = 0;
  /** Characters of all outputs so far. */
  #recorded = 0;

  constructor(graph: Pick<Graph, 'environment' | 'conversation'>) {
    this.#graph = graph;
  }

  begin(context: RunContext): void {
    this.#context = context;
    const kept = context.conversation ?? {};
    this.#conversation = Object.fromEntries(
      (this.#graph.conversation ?? []).map(({ name, initial }) => [
        name,
        Object.hasOwn(kept, name) ? (kept[name] ?? null) : initial,
      ]),
    );
  }

  get context(): RunContext {
    return this.#context;
  }

  get environment(): readonly EnvironmentVariable[] {
    return this.#graph.environment ?? [];
  }

  get conversation(): JsonObject {
    return this.#conversation;
  }

  lookup(frame: Frame): Lookup {
    return ({ sources }) => {
      for (const source of sources) {
        const value = RESERVED_IDS.includes(source.node) ? this.#reserved(source) : frame.valueOf(source);
        if (value !== undefined) return value;
      }
      return null;
    };
  }

  /**
   * Keeps the outputs of a node for others, with the derived ones.
   * @returns a failure if the run would have too many characters.
   */
  keep(frame: Frame, node: GraphNode, outputs: JsonObject): Kept {
    const length = sizeOf(outputs, MAX_VARIABLES_LENGTH);
    if (this.#length + length > MAX_VARIABLES_LENGTH)
      return tooLarge(
        `The values of the run have more than ${MAX_VARIABLES_LENGTH} characters together. Pass on addresses instead of contents, or less of them.`,
      );
    this.#recorded += length;
    if (this.#recorded > MAX_RECORDED_LENGTH)
      return tooLarge(
        `The nodes of the run have given out more than ${MAX_RECORDED_LENGTH} characters. Give out less, or split the run into sub-workflows.`,
      );
    const whole = withDerivedOutputs(node, outputs);
    this.#set(frame, node, whole, length);
    return { values: whole };
  }

  /** Keeps the default outputs of a node, which its definition bounds. */
  keepDefault(frame: Frame, node: GraphNode, outputs: JsonObject): void {
    this.#set(frame, node, outputs, sizeOf(outputs));
  }

  /** Forgets the values of a pass that has ended: no node can refer to them. */
  release(frame: Frame): void {
    frame.isClosed = true;
    for (const length of frame.sizes.values()) this.#length -= length;
  }

  /**
   * Changes variables of the conversation and of loops; each item sees the changes of those before it.
   * @returns their new values; a failure if one is divided by 0, or the conversation would have too many characters.
   */
  assign({ node, config, frame }: Activity): Kept {
    const values: Record<string, Json> = {};
    const divisions = listField(config, 'items').filter((item) => isObject(item) && item.operation === 'divide');
    if (divisions.some((item) => Number((item as JsonObject).value ?? 0) === 0)) return { failure: DIVISION_BY_ZERO };
    for (const [index, { owner, name }] of assignedTo(node).entries()) {
      const item = listField(config, 'items')[index] as JsonObject;
      const variables = this.#variablesOf(owner, frame);
      if (!variables) continue;
      const given = listField(node.config, 'items')[index] as JsonObject;
      const by = valueNow(given, this.lookup(frame)) ?? item.value ?? null;
      if (item.value_type !== undefined && by === null && typeof given.value === 'string') continue;
      if (!hasTypes(by, item)) return { failure: typeMismatch(textField(item, 'variable'), item, by) };
      const value = assigned(variables[name] ?? null, textField(item, 'operation'), by);
      variables[name] = value;
      values[name] = value;
    }
    if (sizeOf(this.#conversation, MAX_CONVERSATION_LENGTH) <= MAX_CONVERSATION_LENGTH) return { values };
    return tooLarge(
      `The conversation variables have more than ${MAX_CONVERSATION_LENGTH} characters together. Keep less in them.`,
    );
  }

  #set(frame: Frame, node: GraphNode, outputs: JsonObject, length: number): void {
    this.#length += length;
    frame.sizes.set(node.id, length);
    frame.outputs.set(node.id, outputs);
  }

  #reserved({ node, path }: Source): Json {
    if (node === SYSTEM) return memberAt(this.#context.sys, path);
    if (node === CONVERSATION) return memberAt(this.#conversation, path);
    const [name, ...rest] = path;
    const found = this.environment.find((variable) => variable.name === name);
    if (!found) return null;
    if (found.type === 'secret') return found.sealed === null ? '' : secretMark(found.name);
    return memberAt(found.value, rest);
  }

  #variablesOf(owner: string, frame: Frame): Record<string, Json> | null {
    if (owner === CONVERSATION) return this.#conversation;
    for (let each: Frame | null = frame; each; each = each.parent)
      if (each.owner?.node.id === owner && each.owner.body?.kind === 'loop') return each.owner.body.variables;
    return null;
  }
}

/** The value of an item's reference after the items before it; null where it holds more than a reference. */
function valueNow(item: JsonObject, lookup: Lookup): Json {
  const reference = typeof item.value === 'string' ? soleReference(item.value) : null;
  return reference && lookup(reference);
}

const DIVISION_BY_ZERO: Failure = {
  code: 'division_by_zero',
  message: 'config.items divide a variable by 0. Check the value with a condition before.',
};

function typeMismatch(variable: string, { value_type, entry_type }: JsonObject, value: Json): Failure {
  const entries = entry_type === undefined ? '' : ` of ${entry_type} entries`;
  return {
    code: 'type_mismatch',
    message: `config.items give ${variable} a value that is not a ${value_type}${entries} but a ${typeOf(value)}. Convert it before.`,
  };
}

function tooLarge(message: string): Kept {
  return { failure: { code: 'variables_too_large', message } };
}
