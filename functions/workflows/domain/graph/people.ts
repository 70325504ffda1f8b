import { listField, numberField, objectField, textField } from './fields.ts';
import { DEFAULT_HANDLE, type GraphNode, isObject, type JsonObject } from './graph.ts';
import { startFields } from './node-fields.ts';
import { textOf } from './references.ts';

/** Nodes that wait for people: approvals, and forms with fields, actions, or both. */

/** A way in which a person may end the wait: a button of the page, and a handle of the node. */
export interface PersonAction {
  readonly id: string;
  readonly title: string;
}

/** Whom of the workspace a node notifies that it waits. */
export interface Notified {
  /** A conversation of a channel, as its platform names it. */
  readonly channel: { readonly channelId: string; readonly to: string } | null;
  /** Addresses of members. */
  readonly emails: readonly string[];
}

/** Taken when the time is over, if an edge leaves it; otherwise the node fails. */
export const TIMEOUT_HANDLE = 'timeout';
/** Outputs of a form in addition to its fields. */
export const FORM_OUTPUTS = ['by', 'action', 'content'] as const;

export const TIMEOUT_UNITS = ['minutes', 'hours', 'days'] as const;
const UNIT_MS: Readonly<Record<string, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
export const DEFAULT_TIMEOUT_HOURS = 24;
export const MAX_TIMEOUT_MS = 7 * 86_400_000;

export function isForm({ type }: Pick<GraphNode, 'type'>): boolean {
  return type === 'human_input';
}

export function waitsForPeople({ type }: Pick<GraphNode, 'type'>): boolean {
  return type === 'human_input' || type === 'approval';
}

/** @returns null for a node that notifies no one */
export function notifiedBy({ config }: Pick<GraphNode, 'config'>): Notified | null {
  const notify = objectField(config, 'notify');
  const [channelId, to] = [textField(notify, 'channel_id'), textField(notify, 'to')];
  const emails = listField(notify, 'emails').filter((each) => typeof each === 'string');
  if (channelId === '' && emails.length === 0) return null;
  return { channel: channelId === '' ? null : { channelId, to }, emails };
}

/** The actions of a form; none: it is only submitted. */
export function formActions({ config }: Pick<GraphNode, 'config'>): readonly PersonAction[] {
  return listField(config, 'actions')
    .filter(isObject)
    .map((action) => ({ id: textField(action, 'id'), title: textField(action, 'title') || textField(action, 'id') }));
}

/** Of an approval, whose page has them in its reader's language. */
const APPROVAL_ACTIONS: readonly PersonAction[] = [
  { id: 'approved', title: 'Approve' },
  { id: 'rejected', title: 'Reject' },
];

/** The choices of a person at an approval or a form. */
export function shownActions(node: Pick<GraphNode, 'type' | 'config'>): readonly PersonAction[] {
  return isForm(node) ? formActions(node) : APPROVAL_ACTIONS;
}

/** Handles of a form, apart from the one of its time-out. */
export function formHandles(node: Pick<GraphNode, 'config'>): readonly string[] {
  const actions = formActions(node);
  return actions.length === 0 ? [DEFAULT_HANDLE] : actions.map(({ id }) => id);
}

/** How long a node waits for people, as its configuration says; longer than `MAX_TIMEOUT_MS` only in a draft with this fault. */
export function timeoutMs(config: JsonObject): number {
  if (typeof config.timeout !== 'number')
    return numberField(config, 'timeout_hours', DEFAULT_TIMEOUT_HOURS) * UNIT_MS.hours!;
  return config.timeout * (UNIT_MS[textField(config, 'timeout_unit') || 'hours'] ?? UNIT_MS.hours!);
}

/** The place of a field in the message of its form. */
const PLACE = /\{\{\$output\.([\p{L}\p{N}_]{1,64})\}\}/gu;

/** The pieces of a message: text, and the places of fields by their names. */
export function messagePieces(message: string): readonly (string | { readonly field: string })[] {
  return message.split(PLACE).map((piece, index) => (index % 2 === 0 ? piece : { field: piece }));
}

/** A message with the submitted values in the places of its fields. */
export function filledMessage(message: string, values: JsonObject): string {
  return message.replace(PLACE, (_, name: string) => textOf(values[name] ?? null));
}

/** The label of a field; its name without one. */
export function labelOf(node: Pick<GraphNode, 'config'>, name: string): string {
  const field = listField(node.config, 'fields').find((each) => isObject(each) && each.name === name);
  return (isObject(field) && textField(field, 'label')) || name;
}

/** Outputs of a form that no person has answered in time. */
export function unanswered(node: GraphNode): JsonObject {
  const fields = Object.fromEntries(startFields(node).map(({ name }) => [name, null]));
  return { ...fields, by: '', action: '', content: '' };
}
