import type { JsonObject } from '../../graph/graph.ts';
import { type ImportNote, noteOf } from '../import-note.ts';
import { noted } from '../note-texts.ts';

/** First number of the versions of files so far. */
const KNOWN_GENERATION = 0;

/** A file of a later generation may have parts that are not known here. */
export function versionNotes({ version }: JsonObject): readonly ImportNote[] {
  const [major = ''] = String(version ?? '').split('.');
  if (!(Number(major) > KNOWN_GENERATION)) return [];
  const what = noted('version', { version: String(version), known: KNOWN_GENERATION });
  return [noteOf(what, { kind: 'changed', nodeId: null, type: 'app', title: 'version' })];
}
