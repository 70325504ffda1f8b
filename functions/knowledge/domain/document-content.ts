import { createHash } from 'node:crypto';
import { textTypeOfName } from '../../shared/media-types.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import {
  type BaseId,
  DOCUMENT_TYPES,
  type DocumentType,
  documentTypeOf,
  isUploadId,
  type KnowledgeDocument,
  MAX_INLINE_LENGTH,
  uploadKeyOf,
} from './knowledge-base.ts';
import type { KnowledgeUploadLinks, KnowledgeUploads, WebPage, WebPages } from './knowledge-ports.ts';
import { KnowledgeRefused } from './knowledge-refused.ts';

export interface ContentPorts {
  readonly uploads: KnowledgeUploads;
  readonly pages: WebPages;
  readonly ids: Ids;
  /** Bytes of a document. */
  readonly maxBytes: number;
}

export type NewDocument = { readonly title: string } & (
  | { readonly kind: 'inline'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'upload'; readonly uploadId: string }
  | { readonly kind: 'web'; readonly url: string }
  /** It was read already. */
  | { readonly kind: 'read'; readonly content: WebPage }
);

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface DocumentUpload {
  readonly uploadId: string;
  readonly uploadUrl: string;
  /** Seconds for which the address is valid. */
  readonly expiresIn: number;
}

const PUT_SECONDS = 15 * 60;

/** An address for a document that is too large to be sent inline, bound to its type and length. @throws KnowledgeRefused */
export async function createUpload(
  base: BaseId,
  { mediaType, bytes }: { readonly mediaType: string; readonly bytes: number },
  { links, ids, maxBytes }: { readonly links: KnowledgeUploadLinks; readonly ids: Ids; readonly maxBytes: number },
): Promise<DocumentUpload> {
  typeOf(mediaType);
  if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
  const uploadId = ids.next('kbu');
  const uploadUrl = await links.putLink(uploadKeyOf(base, uploadId), mediaType, bytes, PUT_SECONDS);
  return { uploadId, uploadUrl, expiresIn: PUT_SECONDS };
}

export type Content = Pick<KnowledgeDocument, 'type' | 'bytes' | 'uploadKey' | 'contentHash'>;

/**
 * The content of a document, in the bucket of uploads.
 * @throws KnowledgeRefused
 */
export async function contentOf(base: BaseId, added: NewDocument, ports: ContentPorts): Promise<Content> {
  const content = await contentBy(base, added, ports);
  if (content.bytes > ports.maxBytes) throw tooLarge(content.bytes, ports.maxBytes);
  // Many servers and tools send Markdown as plain text.
  const isMarkdown = content.type === 'text' && added.kind !== 'inline' && isMarkdownName(added);
  return isMarkdown ? { ...content, type: 'markdown' } : content;
}

function isMarkdownName(added: NewDocument): boolean {
  const names = [added.title, ...(added.kind === 'web' ? [URL.parse(added.url)?.pathname ?? ''] : [])];
  return names.some((name) => textTypeOfName(name) === 'text/markdown');
}

async function contentBy(base: BaseId, added: NewDocument, ports: ContentPorts): Promise<Content> {
  switch (added.kind) {
    case 'upload':
      return sent(base, added, ports);
    case 'inline':
      return stored(base, inline(added), ports);
    case 'web':
      return stored(base, await ports.pages.read(added.url, ports.maxBytes), ports);
    case 'read':
      return stored(base, added.content, ports);
  }
}

function inline({ text, mediaType }: Extract<NewDocument, { kind: 'inline' }>): WebPage {
  typeOf(mediaType);
  if (text.length > MAX_INLINE_LENGTH)
    throw new KnowledgeRefused(
      'document_too_large',
      `text has ${text.length} characters; it may have at most ${MAX_INLINE_LENGTH}. Upload it by POST …/uploads, and send upload_id.`,
    );
  return { bytes: new TextEncoder().encode(text), mediaType };
}

async function stored(
  base: BaseId,
  { bytes, mediaType }: WebPage,
  { uploads, ids }: Pick<ContentPorts, 'uploads' | 'ids'>,
): Promise<Content> {
  const type = typeOf(mediaType);
  const key = uploadKeyOf(base, ids.next('kbu'));
  await uploads.put(key, bytes, mediaType);
  return { type, uploadKey: key, bytes: bytes.byteLength, contentHash: hashOf(bytes) };
}

async function sent(
  base: BaseId,
  { uploadId }: Extract<NewDocument, { kind: 'upload' }>,
  { uploads }: Pick<ContentPorts, 'uploads'>,
): Promise<Content> {
  const key = isUploadId(uploadId) ? uploadKeyOf(base, uploadId) : null;
  const found = key && (await uploads.head(key));
  if (!key || !found)
    throw new KnowledgeRefused(
      'upload_not_found',
      'upload_id: nothing was uploaded there, or more than 7 days ago. PUT the file to its upload_url first.',
    );
  return { type: typeOf(found.mediaType), uploadKey: key, bytes: found.bytes, contentHash: null };
}

/** @throws KnowledgeRefused */
function typeOf(mediaType: string): DocumentType {
  const type = documentTypeOf(mediaType);
  if (type !== null) return type;
  throw new KnowledgeRefused(
    'unsupported_media_type',
    `content_type is ${JSON.stringify(mediaType.slice(0, 100))}; it must be one of ${Object.keys(DOCUMENT_TYPES).join(', ')}.`,
  );
}

function tooLarge(bytes: number, maxBytes: number): KnowledgeRefused {
  return new KnowledgeRefused(
    'document_too_large',
    `The document has ${bytes} bytes; it may have at most ${maxBytes}. Split it into several documents.`,
  );
}
