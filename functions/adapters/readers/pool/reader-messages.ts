import { type ImageRefusal, ImageRefused } from '../../../extraction/domain/reading/image-refused.ts';
import { ReaderUnavailable } from '../../../extraction/domain/reading/reader-unavailable.ts';
import type { PageReading } from '../../../extraction/domain/reading/table-reader.ts';
import type { ReaderName, Template } from '../../../extraction/domain/reading/template.ts';

/** What a reader process is started with, as JSON in its first argument. */
export interface ReaderWorkerOptions {
  /** Folder that holds the recogniser's model and dictionary. */
  readonly modelFolder: string;
  /** Threads that recognition may use. */
  readonly threads: number;
  readonly reader: ReaderName;
  /** For the reader `bedrock`. */
  readonly bedrockModel?: string | undefined;
}

/** What a reader process is sent, one after the other. */
export interface PageToRead {
  readonly image: Uint8Array;
  readonly template: Template;
}

/** What became of a page. */
export type PageOutcome =
  | { readonly kind: 'read'; readonly reading: PageReading }
  | { readonly kind: 'refused'; readonly refusal: ImageRefusal; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string; readonly retryAfterSeconds: number }
  /** The reader itself failed, and may be broken for the next page too. */
  | { readonly kind: 'failed'; readonly message: string };

/** What a reader process says. */
export type ReaderMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'cannot_start'; readonly message: string }
  /** @property memoryMegabytes what the process holds after the page, whatever became of it. */
  | { readonly kind: 'page'; readonly outcome: PageOutcome; readonly memoryMegabytes: number };

/** Errors lose their class on the way to another process: what callers tell apart travels as data. */
export function describeFailure(error: unknown): PageOutcome {
  if (error instanceof ImageRefused) return { kind: 'refused', refusal: error.refusal, message: error.message };
  if (error instanceof ReaderUnavailable)
    return { kind: 'unavailable', message: error.message, retryAfterSeconds: error.retryAfterSeconds };
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
