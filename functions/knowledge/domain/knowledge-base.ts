import type { SealedSecret } from '../../shared/ports/secret-box.ts';

export interface BaseId {
  readonly workspaceId: string;
  readonly baseId: string;
}

/**
 * The model that makes vectors of passages and questions, chosen when a base is created: vectors of different models are not comparable.
 */
export interface EmbeddingConfig {
  readonly provider: 'openai-compatible' | 'bedrock';
  readonly model: string;
  /** Of an openai-compatible server. */
  readonly baseUrl: string | null;
  readonly apiKey: SealedSecret | null;
  /** Asked for where the model can make shorter vectors; null: its own length. */
  readonly dimensions: number | null;
  /** Texts that the model expects before each text, such as "query: "; absent from bases that were created without. */
  readonly prefixes?: { readonly question: string; readonly passage: string };
}

export interface KnowledgeBase extends BaseId {
  /** Unique in its workspace. */
  readonly name: string;
  readonly description: string;
  /** Documents in any state. */
  readonly documents: number;
  /** Passages of those that are ready. */
  readonly passages: number;
  readonly createdAt: string;
  /** Null: it is searched by terms alone. */
  readonly embedding: EmbeddingConfig | null;
}

/** Numbers of a vector: the vectors of a full base fit into the memory of a function. */
export const MAX_DIMENSIONS = 1_024;

export const MAX_BASES = 100;
export const MAX_DOCUMENTS = 2_000;
/** Number that a function holds in memory, and searches in milliseconds. */
export const MAX_PASSAGES = 30_000;
/** Characters of a text that comes in the request itself. */
export const MAX_INLINE_LENGTH = 1_000_000;

export interface DocumentId extends BaseId {
  readonly documentId: string;
}

/** Types that arrive as text; the others are read from bytes. */
export const TEXT_TYPES = ['text', 'markdown', 'html', 'csv', 'json'] as const;
export const FILE_TYPES = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'hwp',
  'hwpx',
  'odt',
  'rtf',
  'doc',
  'epub',
  'eml',
  'image',
] as const;
export type DocumentType = (typeof TEXT_TYPES)[number] | (typeof FILE_TYPES)[number];

/** Media types that documents may have, and how each is read. */
export const DOCUMENT_TYPES: Readonly<Record<string, DocumentType>> = {
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/html': 'html',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/x-hwp': 'hwp',
  'application/haansofthwp': 'hwp',
  'application/vnd.hancom.hwp': 'hwp',
  'application/hwp+zip': 'hwpx',
  'application/haansofthwpx': 'hwpx',
  'application/vnd.hancom.hwpx': 'hwpx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'application/msword': 'doc',
  'application/epub+zip': 'epub',
  'message/rfc822': 'eml',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/webp': 'image',
  'image/tiff': 'image',
  'image/bmp': 'image',
};

/** The type of a media type with or without parameters; null where documents are of none such. */
export function documentTypeOf(mediaType: string): DocumentType | null {
  return DOCUMENT_TYPES[mediaType.split(';')[0]!.trim().toLowerCase()] ?? null;
}

export type FailureCode =
  | 'unreadable'
  | 'no_text'
  | 'too_large'
  | 'took_too_long'
  | 'base_full'
  | 'upload_gone'
  | 'embedding_failed'
  | 'processing_failed';

/** Why a document could not be indexed, in words for the person who added it. */
export interface DocumentFailure {
  readonly code: FailureCode;
  readonly message: string;
}

export interface LiveVersion {
  readonly version: number;
  readonly passages: number;
}

/** The name of a version in the index. The first one has that of its document. */
export function indexIdOf({ documentId }: Pick<DocumentId, 'documentId'>, version: number): string {
  return version === 1 ? documentId : `${documentId}.${version}`;
}

export function versionOf(indexId: string): { readonly documentId: string; readonly version: number } {
  const [documentId = '', version = '1'] = indexId.split('.');
  return { documentId, version: Number(version) };
}

export type DocumentStatus = 'pending' | 'indexing' | 'ready' | 'failed';

export interface KnowledgeDocument extends DocumentId {
  /** Its name where it comes from, unique in the base; null without one. */
  readonly externalId: string | null;
  /** Grows with each content that takes the place of the one before. */
  readonly version: number;
  /** The version that answers are given from; null before the first is ready. */
  readonly live: LiveVersion | null;
  /** SHA-256 of the content in hexadecimal digits; null until it is read. */
  readonly contentHash: string | null;
  readonly title: string;
  readonly type: DocumentType;
  readonly bytes: number;
  /** Key of the content in the bucket of uploads, which forgets it after days: the index has the text. */
  readonly uploadKey: string;
  readonly status: DocumentStatus;
  readonly failure: DocumentFailure | null;
  /** Null for documents without pages, and until they are read. */
  readonly pages: number | null;
  /** Of these, the ones that hold no text that can be read. */
  readonly pagesWithoutText: number | null;
  /** Of the live version. */
  readonly passages: number;
  readonly createdAt: string;
  /** When it became ready or failed. */
  readonly finishedAt: string | null;
  /** Runs that acquired it and have not released it. */
  readonly attempts: number;
  /** Epoch time at which the lease expires; 0 when no run holds it. */
  readonly leaseUntilMs: number;
  readonly queuedAtMs: number;
  readonly requeues: number;
}

/** Content from which no passages can be made, also by a retry. */
export class DocumentUnreadable extends Error {
  override name = 'DocumentUnreadable';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Prefix of the ids of uploads for knowledge bases: the folder also has uploads of other services. */
const UPLOAD_ID = /^kbu_[0-9A-HJKMNP-TV-Z]{26}$/;

export function isUploadId(id: string): boolean {
  return UPLOAD_ID.test(id);
}

/** Key of an upload: every workspace has its own folder. */
export function uploadKeyOf({ workspaceId }: Pick<BaseId, 'workspaceId'>, uploadId: string): string {
  if (!isUploadId(uploadId)) throw new Error(`${JSON.stringify(uploadId)} is not an id of an upload`);
  return `${workspaceId}/${uploadId}`;
}
