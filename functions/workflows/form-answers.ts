import { boundedJson } from '../shared/bounded-json.ts';
import { Problem } from '../shared/http/problem.ts';
import type { PendingDecision } from './domain/engine/engine-events.ts';
import { inputFault } from './domain/engine/input-issues.ts';
import { isObject, type Json, type JsonObject } from './domain/graph/graph.ts';
import { type StartField, startFields } from './domain/graph/node-fields.ts';
import { formActions, isForm } from './domain/graph/people.ts';
import type { DecisionRequest } from './domain/run/decide-run.ts';
import { invalidInputs } from './domain/run/run-refused.ts';

type Answered = Pick<DecisionRequest, 'decision' | 'comment' | 'values' | 'action'>;

/** The answer to an approval or a form as its page sends it. */
export function sentAnswer(text: string, { node }: Pick<PendingDecision, 'node'>): Answered {
  const sent = new URLSearchParams(text);
  const action = sent.get('action') ?? undefined;
  if (!isForm(node)) return approval(action, sent.get('comment') ?? '');
  const hasActions = formActions(node).length > 0;
  const values = sentValues(sent, startFields(node));
  return { decision: 'submitted', comment: '', values, action: hasActions ? action : undefined };
}

/** The same as JSON. @throws Problem 400 */
export function jsonAnswer(text: string, { node }: Pick<PendingDecision, 'node'>): Answered {
  const { action, ...values } = objectIn(text);
  const chosen = typeof action === 'string' ? action : undefined;
  if (!isForm(node)) return approval(chosen, typeof values.comment === 'string' ? values.comment : '');
  if (formActions(node).length > 0) return { decision: 'submitted', comment: '', values, action: chosen };
  return { decision: 'submitted', comment: '', values: action === undefined ? values : { ...values, action } };
}

const MAX_COMMENT_LENGTH = 2_000;

/** @throws RunRefused 'invalid_inputs' */
function approval(action: string | undefined, comment: string): Answered {
  if (action !== 'approved' && action !== 'rejected') {
    const fault = inputFault('not_an_option', { options: 'approved, rejected' });
    throw invalidInputs('Fields of the form', [{ field: 'action', fault }]);
  }
  if (comment.length <= MAX_COMMENT_LENGTH) return { decision: action, comment };
  const fault = inputFault('too_long', { max: MAX_COMMENT_LENGTH });
  throw invalidInputs('Fields of the form', [{ field: 'comment', fault }]);
}

/** A page's values, converted to the types of the fields; others are left for the check. */
function sentValues(sent: URLSearchParams, fields: readonly StartField[]): JsonObject {
  const values = fields.flatMap(({ name, type, required }): [string, Json][] => {
    const text = sent.get(name) ?? '';
    if (type === 'boolean') return [[name, sent.has(name)]];
    // A text that someone has emptied is not its default.
    if (text === '') return type === 'text' && !required && sent.has(name) ? [[name, '']] : [];
    return [[name, typedValue(text, type)]];
  });
  return Object.fromEntries(values);
}

function typedValue(text: string, type: StartField['type']): Json {
  switch (type) {
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'files':
      return text.split('\n').flatMap((line) => line.trim() || []);
    case 'list':
    case 'object':
      try {
        return boundedJson(text) as Json;
      } catch {
        return text;
      }
    default:
      return text.replaceAll('\r\n', '\n');
  }
}

/** @throws Problem 400 */
function objectIn(text: string): JsonObject {
  let value: Json;
  try {
    value = boundedJson(text) as Json;
  } catch {
    throw new Problem(400, 'invalid_request', 'The body must be JSON: an object with the values of the form’s fields.');
  }
  if (isObject(value)) return value;
  throw new Problem(400, 'invalid_request', 'The body must be an object with the values of the form’s fields.');
}
