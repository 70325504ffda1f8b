import type { JsonObject } from '../../graph/graph.ts';
import type { ImportNote } from '../import-note.ts';

/** First number of the versions of files so far. */
const KNOWN_GENERATION = 0;

/** A file of a later generation may have parts that are not known here. */
export function versionNotes({ version }: JsonObject): readonly ImportNote[] {
  const [major = ''] = String(version ?? '').split('.');
  if (!(Number(major) > KNOWN_GENERATION)) return [];
  const message = `The file has version ${String(version)}, and versions ${KNOWN_GENERATION}.x are known: compare the workflow with the file.`;
  return [{ kind: 'changed', nodeId: null, type: 'app', title: 'version', message }];
}
