import type { Phrase } from '../../../../shared/phrases.ts';
import { listField, objectField, textField } from '../../graph/fields.ts';
import { isObject, type JsonObject } from '../../graph/graph.ts';
import type { ImportedTrigger, NoteKind } from '../import-note.ts';
import { noted } from '../note-texts.ts';
import type { DifyGraph, DifyNode } from './dify-file.ts';
import { idOf } from './names.ts';
import { firstStart, isStart } from './prune-graph.ts';
import { numberOf } from './values.ts';

type Note = (node: DifyNode, kind: NoteKind, what: Phrase) => void;

const CRON_WORDS: Readonly<Record<string, string>> = {
  ...{ '@hourly': '0 * * * *', '@daily': '0 0 * * *', '@midnight': '0 0 * * *', '@weekly': '0 0 * * 0' },
  ...{ '@monthly': '0 0 1 * *', '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *' },
};
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const CLOCK_TIME = /^(\d{1,2}):(\d{2})(?: ?([AP]M))?$/i;
/** Bodies that are one value. */
const TEXT_BODIES = ['text/plain', 'text'];

/** The schedules and webhooks of a file. Other triggers, and what differs, are notes. */
export function convertTriggers(given: DifyGraph, note: Note): readonly ImportedTrigger[] {
  const first = firstStart(given.nodes);
  return given.nodes.filter(isStart).flatMap((node) => {
    const make = node.type === 'trigger-schedule' ? schedule : node.type === 'trigger-webhook' ? webhook : null;
    if (node !== first && !followedAlike(given, node, first)) {
      note(node, 'missing', noted('second_start'));
      return [];
    }
    if (make !== null) return make(node, (kind, what) => note(node, kind, what));
    if (node.type !== 'start') note(node, 'changed', noted('other_start', { type: node.type }));
    return [];
  });
}

function followedAlike({ edges }: DifyGraph, one: DifyNode, other: DifyNode | undefined): boolean {
  const after = (id: string | undefined) =>
    edges
      .flatMap(({ source, target }) => (source === id ? [target] : []))
      .toSorted()
      .join('\n');
  return after(one.id) === after(other?.id);
}

function schedule({ id, title, data }: DifyNode, note: (kind: NoteKind, what: Phrase) => void): ImportedTrigger[] {
  const cron = data.mode === 'cron' ? cronOf(textField(data, 'cron_expression')) : visualCron(data);
  if (cron === null) {
    note('changed', noted('times_unread'));
    return [];
  }
  const timeZone = textField(data, 'timezone') || 'UTC';
  return [
    {
      nodeId: idOf(id),
      type: 'trigger-schedule',
      name: title,
      inputs: {},
      source: { kind: 'schedule', cron, timeZone },
    },
  ];
}

function cronOf(given: string): string | null {
  const cron = given.trim().split(/\s+/).join(' ');
  if (cron === '') return null;
  return Object.hasOwn(CRON_WORDS, cron) ? CRON_WORDS[cron]! : cron;
}

/** The pattern of times that are chosen from lists there. Null: unknown ones. */
function visualCron(data: JsonObject): string | null {
  const visual = objectField(data, 'visual_config');
  if (data.frequency === 'hourly') {
    const minute = numberOf(visual.on_minute) ?? 0;
    return isWithin(minute, 0, 59) ? `${minute} * * * *` : null;
  }
  const time = minuteAndHour(textField(visual, 'time'));
  if (time === null) return null;
  switch (data.frequency) {
    case 'daily':
      return `${time} * * *`;
    case 'weekly': {
      const days = listField(visual, 'weekdays').map((day) => WEEKDAYS.indexOf(String(day).toLowerCase().slice(0, 3)));
      return days.length === 0 || days.includes(-1) ? null : `${time} * * ${days.toSorted().join(',')}`;
    }
    case 'monthly': {
      const days = listField(visual, 'monthly_days').map((day) => (day === 'last' ? 'L' : numberOf(day)));
      const isKnown = days.every((day) => day === 'L' || isWithin(day, 1, 31));
      return days.length === 0 || !isKnown ? null : `${time} ${days.join(',')} * *`;
    }
    default:
      return null;
  }
}

function minuteAndHour(text: string): string | null {
  const [, hour = '', minute = '', half] = CLOCK_TIME.exec(text.trim()) ?? [];
  if (hour === '' || Number(minute) > 59) return null;
  if (half === undefined) return Number(hour) > 23 ? null : `${Number(minute)} ${Number(hour)}`;
  if (!isWithin(Number(hour), 1, 12)) return null;
  return `${Number(minute)} ${(Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)}`;
}

function isWithin(value: number | string | null, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

function webhook({ id, title, data }: DifyNode, note: (kind: NoteKind, what: Phrase) => void): ImportedTrigger[] {
  const method = textField(data, 'method').toUpperCase() || 'POST';
  if (method !== 'POST') note('changed', noted('webhook_method', { method }));
  const type = textField(data, 'content_type');
  if (type.includes('multipart') || type.includes('octet-stream')) note('changed', noted('webhook_body', { type }));
  if (textField(data, 'response_body').trim() !== '' || ![null, 200].includes(numberOf(data.status_code)))
    note('changed', noted('webhook_answer'));
  const isText = TEXT_BODIES.includes(type);
  const inputs = Object.fromEntries([
    ...namesOf(data, 'params').map((name) => [name, `{{params.${name}}}`]),
    ...namesOf(data, 'headers').map((name) => [headerName(name), `{{headers.${name.toLowerCase()}}}`]),
    ...namesOf(data, 'body').map((name) => [name, isText ? '{{body}}' : `{{body.${name}}}`]),
  ]);
  return [
    {
      nodeId: idOf(id),
      type: 'trigger-webhook',
      name: title,
      inputs,
      source: { kind: 'webhook', auth: 'token' },
    },
  ];
}

/** The name of a header's value there. */
export function headerName(name: string): string {
  return name.replaceAll('-', '_');
}

function namesOf(data: JsonObject, member: string): readonly string[] {
  return listField(data, member)
    .filter(isObject)
    .map((each) => textField(each, 'name'))
    .filter((name) => name !== '');
}
