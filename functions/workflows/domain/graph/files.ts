import { DOCUMENT_MEDIA_TYPES } from '../../../shared/media-types.ts';
import { isObject, type Json, type JsonObject } from './graph.ts';

/** A file as nodes pass it on: its place and properties. */
export type FileValue = JsonObject & {
  readonly kind: 'file';
  /** An https address, or a data: URL. */
  readonly url: string;
  readonly name: string;
  readonly type: FileType;
  readonly mime_type: string;
  /** With its dot; empty where it has none. */
  readonly extension: string;
  /** In bytes; null where it is not known before the file is read. */
  readonly size: number | null;
};

export type FileType = 'image' | 'document' | 'audio' | 'video' | 'custom';

/** By the endings of names, without their dots. */
const MIME_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...DOCUMENT_MEDIA_TYPES,
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    webp: 'image/webp',
    gif: 'image/gif',
    tif: 'image/tiff',
    tiff: 'image/tiff',
    bmp: 'image/bmp',
    svg: 'image/svg+xml',
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    m4a: 'audio/mp4',
    mp4: 'video/mp4',
    webm: 'video/webm',
  }),
);

export function isFile(value: Json | undefined): value is FileValue {
  return isObject(value) && value.kind === 'file' && typeof value.url === 'string';
}

/** A file that was sent as an address, or as an object with one; null for anything else. */
export function toFile(value: Json): FileValue | null {
  if (typeof value === 'string') return /^(https?:\/\/|data:)/i.test(value) ? fileAt(value, {}) : null;
  if (!isObject(value) || typeof value.url !== 'string') return null;
  return /^(https?:\/\/|data:)/i.test(value.url) ? fileAt(value.url, value) : null;
}

/** A file that a program or a tool has left, with the members of all files and those of the sandbox's results. */
export function leftFile({ name, mediaType, size, url }: LeftFile): JsonObject {
  return { ...fileAt(url, { name, mime_type: mediaType, size }), path: name, media_type: mediaType };
}

interface LeftFile {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number | null;
  readonly url: string;
}

function fileAt(url: string, known: JsonObject): FileValue {
  const isData = /^data:/i.test(url);
  const declared = isData ? (/^data:([\w.+-]+\/[\w.+-]+)/i.exec(url)?.[1] ?? '').toLowerCase() : '';
  const path = isData ? '' : (url.split(/[?#]/, 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '');
  const name = text(known.name) || decoded(path.slice(path.lastIndexOf('/') + 1)) || 'file';
  const dot = name.lastIndexOf('.');
  const ending = [...MIME_TYPES].find(([, type]) => type === declared)?.[0];
  const byType = ending === undefined ? '' : `.${ending}`;
  const extension = text(known.extension) || (dot > 0 ? name.slice(dot).toLowerCase() : byType);
  const mimeType =
    text(known.mime_type) || declared || MIME_TYPES.get(extension.slice(1)) || 'application/octet-stream';
  const size = typeof known.size === 'number' ? known.size : isData ? sizeOfData(url) : null;
  return { kind: 'file', url, name, type: typeOfMime(mimeType), mime_type: mimeType, extension, size };
}

function typeOfMime(mimeType: string): FileType {
  const [group] = mimeType.split('/');
  if (group === 'image' || group === 'audio' || group === 'video') return group;
  return group === 'text' || group === 'application' ? 'document' : 'custom';
}

function sizeOfData(url: string): number {
  const data = url.slice(url.indexOf(',') + 1);
  return Math.floor((data.length * 3) / 4);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
