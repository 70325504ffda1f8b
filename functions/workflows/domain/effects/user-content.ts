import type { Content, ContentPart } from '../../../chat/domain/messages.ts';
import type { FileValue } from '../graph/files.ts';
import type { Json } from '../graph/graph.ts';
import { filesOf } from './read-files.ts';

/**
 * A user's message, with pictures and files.
 * @throws NodeFailed
 */
export function userContent(text: string, files: Json | undefined): Content {
  const parts = filesOf(files, 'config.files').map(partOf);
  return parts.length === 0 ? text : [{ type: 'text', text }, ...parts];
}

function partOf({ url, type, name }: FileValue): ContentPart {
  if (type === 'image') return { type: 'image_url', image_url: { url } };
  // Models take other files with their content only.
  return /^data:/i.test(url)
    ? { type: 'file', file: { file_data: url, filename: name } }
    : { type: 'text', text: `${name}: ${url}` };
}
