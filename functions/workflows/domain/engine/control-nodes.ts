import { listField, objectField, textField } from '../graph/fields.ts';
import { DEFAULT_HANDLE, isObject, type Json, type JsonObject, type TextStyle } from '../graph/graph.ts';
import { referencesIn, sizeOf } from '../graph/references.ts';
import { filesIn } from '../graph/value-texts.ts';
import type { AnswerTexts } from './answer-texts.ts';
import { holds } from './conditions.ts';
import type { Failure } from './engine-events.ts';
import type { Emit, ShownFile } from './event-payloads.ts';
import type { Activity } from './frame.ts';
import { placeOf, toShownFile } from './node-payloads.ts';
import type { RunVariables } from './run-variables.ts';

/** Characters of the answers of a run and of what they hand out by name: one response holds them. */
const MAX_ANSWER_LENGTH = 1_000_000;

export interface ControlHost {
  readonly variables: RunVariables;
  readonly answers: AnswerTexts;
  readonly style: TextStyle | undefined;
  readonly emit: Emit;
  readonly complete: (activity: Activity, outputs: JsonObject, handle: string) => void;
  readonly fail: (activity: Activity, failure: Failure) => void;
}

/** Nodes that the engine performs by itself, at once. */
export class ControlNodes {
  readonly #host: ControlHost;
  /** Of the run. */
  inputs: JsonObject = {};
  /** Named outputs of answers. */
  outputs: JsonObject = {};

  constructor(host: ControlHost) {
    this.#host = host;
  }

  perform(activity: Activity): void {
    const { node, config } = activity;
    const { complete, emit } = this.#host;
    switch (node.type) {
      case 'start':
        complete(activity, this.inputs, DEFAULT_HANDLE);
        return;
      case 'condition': {
        const found = listField(config, 'cases').find((each) => isObject(each) && holds(each, this.#host.style));
        const handle = isObject(found) ? textField(found, 'id') : 'else';
        complete(activity, { case: handle }, handle);
        return;
      }
      case 'variable_assign': {
        const values = objectField(config, 'values');
        emit('variables_updated', { ...placeOf(activity), variables: values });
        complete(activity, values, DEFAULT_HANDLE);
        return;
      }
      case 'assigner':
        this.#assign(activity);
        return;
      case 'break': {
        const { owner } = activity.frame;
        if (owner?.body?.kind === 'loop') owner.body.isBroken = true;
        complete(activity, {}, DEFAULT_HANDLE);
        return;
      }
      default:
        this.#answer(activity);
    }
  }

  #assign(activity: Activity): void {
    const { variables, emit, complete, fail } = this.#host;
    const assigned = variables.assign(activity);
    if ('failure' in assigned) {
      fail(activity, assigned.failure);
      return;
    }
    emit('variables_updated', { ...placeOf(activity), variables: assigned.values });
    complete(activity, assigned.values, DEFAULT_HANDLE);
  }

  #answer(activity: Activity): void {
    const { config, inputs } = activity;
    const { answers, emit, complete } = this.#host;
    const text = textField(config, 'text');
    const handedOut = { ...this.outputs, ...inputs };
    const length = answers.length + text.length + sizeOf(handedOut, MAX_ANSWER_LENGTH);
    if (length > MAX_ANSWER_LENGTH) {
      const message = `The answers and outputs of the run have more than ${MAX_ANSWER_LENGTH} characters. Hand out less, or an address.`;
      this.#host.fail(activity, { code: 'too_large', message });
      return;
    }
    for (const file of this.#filesOf(activity)) emit('message_file', { ...placeOf(activity), ...file });
    answers.give(activity.key, text);
    this.outputs = handedOut;
    complete(activity, { text }, DEFAULT_HANDLE);
  }

  /** The files that an answer names, and those that its text refers to. */
  #filesOf({ node, config, frame }: Activity): readonly ShownFile[] {
    const named = config.files ?? [];
    const lookup = this.#host.variables.lookup(frame);
    const mentioned = [...referencesIn(node.config.text ?? '')].flatMap((reference) => filesIn(lookup(reference)));
    const files = [...(Array.isArray(named) ? (named as readonly Json[]) : [named]), ...mentioned]
      .filter((file) => file !== null && file !== '')
      .map(toShownFile);
    return files.filter(({ url }, index) => files.findIndex((other) => other.url === url) === index);
  }
}
