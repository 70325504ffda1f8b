import { isFile } from './files.ts';
import type { Json, JsonObject } from './graph.ts';

/** The value that a node, a loop or the run itself holds under a name. */
export interface Source {
  /** Id of a node, or "sys". */
  readonly node: string;
  readonly path: readonly string[];
}

/** {{node.path.to.it}}; or {{a.text | b.text}} for the first one whose node has run, where only one of several does. */
export interface Reference {
  /** As written in the text. */
  readonly text: string;
  readonly sources: readonly Source[];
}

/** Text, and the references between its pieces. */
export type Segment = string | Reference;

const NAME = String.raw`[\p{L}\p{N}_-]+`;
const SOURCE = `${NAME}(?:\\.${NAME})*`;
/** Four braces on each side write two of them; between two is a reference. */
const REFERENCE = new RegExp(
  `\\{\\{\\{\\{([^{}]*)\\}\\}\\}\\}|\\{\\{\\s*(${SOURCE}(?:\\s*\\|\\s*${SOURCE})*)\\s*\\}\\}`,
  'gu',
);

/** Escapes a text so that none of its parts is read as a reference. */
export function escaped(text: string): string {
  return text.replace(REFERENCE, (found, literal: string | undefined) =>
    literal === undefined ? `{{${found}}}` : found,
  );
}

/** Parsed once: a body of an iteration is resolved for each of its items. */
const parsed = new Map<string, readonly Segment[]>();
/** Characters of the texts that are kept: each reference in them takes some thirty times its length. */
const MAX_PARSED_LENGTH = 1_000_000;
let parsedLength = 0;

export function segmentsOf(text: string): readonly Segment[] {
  const known = parsed.get(text);
  if (known) return known;
  const segments: Segment[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index > end) segments.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[1] !== undefined) {
      segments.push(`{{${match[1]}}}`);
      continue;
    }
    const sources = match[2]!.split('|').map((each) => {
      const [node, ...path] = each.trim().split('.') as [string, ...string[]];
      return { node, path };
    });
    segments.push({ text: match[0], sources });
  }
  if (end < text.length) segments.push(text.slice(end));
  keep(text, segments);
  return segments;
}

function keep(text: string, segments: readonly Segment[]): void {
  parsedLength += text.length;
  if (parsedLength > MAX_PARSED_LENGTH) {
    parsed.clear();
    parsedLength = text.length;
  }
  parsed.set(text, segments);
}

/** Every reference in a value, however deep. */
export function* referencesIn(value: Json): Generator<Reference> {
  if (typeof value === 'string') {
    for (const segment of segmentsOf(value)) if (typeof segment !== 'string') yield segment;
  } else if (Array.isArray(value)) for (const each of value) yield* referencesIn(each);
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value as JsonObject)) yield* referencesIn(each);
}

/** The reference that a text consists of, and nothing else: its value keeps its type. */
export function soleReference(text: string): Reference | null {
  const segments = segmentsOf(text);
  const [first] = segments;
  return segments.length === 1 && typeof first === 'object' ? first : null;
}

/** Characters of texts and structures that one node may put together: references multiply what they name. */
export const MAX_RESOLVED_LENGTH = 4_000_000;

export class TooLarge extends Error {
  override name = 'TooLarge';
}

export type Lookup = (reference: Reference) => Json;

type Write = (value: Json, room: number) => string;

/**
 * A value with its references replaced: a text that is one reference by the referenced value itself, one among other text
 * by the text that `write` makes of it. What does not exist is null, or an empty text.
 * @throws TooLarge
 */
export function resolved(value: Json, lookup: Lookup, write: Write): Json {
  let room = MAX_RESOLVED_LENGTH;
  const take = (length: number): void => {
    room -= length;
    if (room < 0) throw new TooLarge(`is longer than ${MAX_RESOLVED_LENGTH} characters with its references replaced`);
  };
  const resolve = (each: Json): Json => {
    if (typeof each === 'string') {
      const segments = segmentsOf(each);
      const [first] = segments;
      if (segments.length === 1 && typeof first === 'object') {
        const found = lookup(first);
        take(sizeOf(found, room));
        return found;
      }
      let text = '';
      for (const segment of segments) {
        const piece = typeof segment === 'string' ? segment : write(lookup(segment), room);
        take(piece.length);
        text += piece;
      }
      return text;
    }
    if (Array.isArray(each)) return each.map(resolve);
    if (typeof each === 'object' && each !== null)
      return Object.fromEntries(Object.entries(each as JsonObject).map(([name, member]) => [name, resolve(member)]));
    return each;
  };
  return resolve(value);
}

/** A value as a text by itself, as in comparisons and forms. @throws TooLarge */
export function textOf(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (isFile(value)) return value.url;
  if (sizeOf(value, MAX_RESOLVED_LENGTH) > MAX_RESOLVED_LENGTH)
    throw new TooLarge(`is longer than ${MAX_RESOLVED_LENGTH} characters`);
  return JSON.stringify(value);
}

/** The member of a value at a path; null where there is none. */
export function memberAt(value: Json, path: readonly string[]): Json {
  let found: Json | undefined = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return null;
    found = (found as JsonObject)[name];
  }
  return found ?? null;
}

/** Characters of a value as JSON, counted up to `limit`: a value referenced repeatedly is counted repeatedly. */
export function sizeOf(value: Json, limit = Number.POSITIVE_INFINITY): number {
  let size = 0;
  const count = (each: Json): void => {
    if (size > limit) return;
    if (typeof each === 'string') size += each.length + 2;
    else if (typeof each !== 'object' || each === null) size += 5;
    else if (Array.isArray(each)) {
      size += 2 + each.length;
      for (const member of each) count(member);
    } else
      for (const [name, member] of Object.entries(each as JsonObject)) {
        size += name.length + 4;
        count(member);
      }
  };
  count(value);
  return size;
}
