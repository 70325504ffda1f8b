import { type FileValue, toFile } from '../graph/files.ts';
import type { Json } from '../graph/graph.ts';
import { NodeFailed } from '../run/node-effects.ts';
import type { EffectPorts } from './effect-ports.ts';

export const MAX_FILE_BYTES = 20_000_000;
const READ_TIMEOUT_MS = 60_000;

/** The file that a field of a configuration names. @throws NodeFailed */
export function fileOf(value: Json, field: string): FileValue {
  const file = toFile(value);
  if (file !== null) return file;
  const shown = JSON.stringify(value)?.slice(0, 100);
  throw new NodeFailed('invalid_file', `${field} is ${shown}. It must be a file, an https address, or a data: URL.`);
}

/** Files of a field that holds one, several or none. @throws NodeFailed */
export function filesOf(value: Json | undefined, field: string): readonly FileValue[] {
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? value.map((each: Json) => fileOf(each, field)) : [fileOf(value, field)];
}

export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** The content of a file. @throws NodeFailed */
export async function readFile(
  { url, mime_type }: FileValue,
  signal: AbortSignal,
  { web }: Pick<EffectPorts, 'web'>,
): Promise<ReadFile> {
  if (/^data:/i.test(url)) {
    const comma = url.indexOf(',');
    const data = url.slice(comma + 1);
    const isBase64 = /;base64$/i.test(url.slice(0, comma));
    return {
      bytes: Buffer.from(isBase64 ? data : decodeURIComponent(data), isBase64 ? 'base64' : 'utf8'),
      mimeType: mime_type,
    };
  }
  const { status, headers, body } = await web.request(
    { method: 'GET', url, headers: {}, body: null, timeoutMs: READ_TIMEOUT_MS, maxBytes: MAX_FILE_BYTES },
    signal,
  );
  if (status >= 400)
    throw new NodeFailed('file_unavailable', `The file ${url.split('?')[0]} answered with ${status}.`, {
      isPassing: status >= 500,
    });
  const declared = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  return { bytes: body, mimeType: declared === '' || declared === 'application/octet-stream' ? mime_type : declared };
}
