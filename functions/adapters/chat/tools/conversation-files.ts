import type { ChatMessage, ContentPart } from '../../../chat/domain/messages.ts';
import type { SentFile } from '../../../sandbox/domain/run.ts';

/** A function's event has at most 6 MB, and the program may take one of them. */
const MAX_BASE64_LENGTH = 4_500_000;
const MAX_FILES = 20;
const MAX_NAME_LENGTH = 80;

const ENDINGS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/plain': 'txt',
};

/** The files and images that are in a conversation itself, for a program: the newest ones, as far as they fit. */
export function conversationFiles(messages: readonly ChatMessage[]): readonly SentFile[] {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as readonly ContentPart[]) : []));
  const all = parts.flatMap((part, index) => fileOf(part, index + 1));
  const files: SentFile[] = [];
  const taken = new Set<string>();
  let length = 0;
  for (const file of all.toReversed()) {
    length += file.base64.length;
    if (length > MAX_BASE64_LENGTH || files.length === MAX_FILES) break;
    const path = taken.has(file.path) ? `${files.length + 1}-${file.path}` : file.path;
    taken.add(path);
    files.unshift({ ...file, path });
  }
  return files;
}

function fileOf(part: ContentPart, number: number): SentFile[] {
  if (part.type === 'image_url') return fromUrl(part.image_url.url, `image-${number}`, undefined);
  if (part.type === 'file') return fromUrl(part.file.file_data, `file-${number}`, part.file.filename);
  return [];
}

function fromUrl(text: string, fallback: string, name: string | undefined): SentFile[] {
  const [, mediaType = '', data] = /^data:([^;,]{0,100})(?:;[^,]{0,100})?,(.*)$/s.exec(text) ?? [];
  const isAddress = data === undefined && text.includes(':');
  const base64 = data ?? text;
  if (isAddress || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return [];
  return [{ path: safeName(name) ?? `${fallback}.${ENDINGS[mediaType] ?? 'bin'}`, base64 }];
}

/** Without what could lead elsewhere. */
function safeName(name: string | undefined): string | null {
  const safe = (name ?? '').slice(0, MAX_NAME_LENGTH).replaceAll(/[^\p{L}\p{N}._ -]/gu, '_');
  const isUsable =
    /[\p{L}\p{N}]/u.test(safe) &&
    !safe.startsWith('-') &&
    !['out', 'main.py', 'main.js', 'main.ts', 'main.go', 'main.rb', 'main.sh'].includes(safe);
  return isUsable ? safe.toWellFormed() : null;
}
