import { textField } from '../graph/fields.ts';
import { DEFAULT_HANDLE, type GraphNode, type JsonObject } from '../graph/graph.ts';
import { filledMessage, isForm, TIMEOUT_HANDLE, unanswered } from '../graph/people.ts';
import type { EngineEvent } from './engine-events.ts';
import type { Activity } from './frame.ts';

/** The outputs of a node after a person's decision, and the one handle at which the run continues. */
export function decided(
  { node, config }: Activity,
  { decision, by, comment, values = {}, action }: Extract<EngineEvent, { type: 'decided' }>,
): { readonly outputs: JsonObject; readonly handle: string } {
  if (!isForm(node)) return { outputs: { decision, by, comment }, handle: decision };
  const content = filledMessage(textField(config, 'message'), values);
  return { outputs: { ...values, by, action: action ?? '', content }, handle: action ?? DEFAULT_HANDLE };
}

/** The outputs of a node that no person has decided on in time. */
export function undecided(node: GraphNode): JsonObject {
  return isForm(node) ? unanswered(node) : { decision: TIMEOUT_HANDLE, by: '', comment: '' };
}
