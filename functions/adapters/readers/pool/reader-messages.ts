import { DrugMasterMissing } from '../../../extraction/domain/master/drug-master-source.ts';
import type { Judgement, JudgeOptions } from '../../../extraction/domain/page-judge.ts';
import { type ImageRefusal, ImageRefused } from '../../../extraction/domain/reading/image-refused.ts';
import { ReaderUnavailable } from '../../../extraction/domain/reading/reader-unavailable.ts';
import type { Template } from '../../../extraction/domain/reading/template.ts';
import type { JudgeSettings } from '../open-judge.ts';

/** Options of a reader process, passed as JSON in its first argument. */
export interface ReaderWorkerOptions extends JudgeSettings {
  readonly threads: number;
}

/** A message to a reader process; the next one follows the outcome. */
export interface PageToJudge
  extends Pick<JudgeOptions, 'today' | 'serviceDate' | 'explained' | 'workspaceId' | 'page'> {
  readonly image: Uint8Array;
  readonly template: Template;
  /** Processor time that the page may use. */
  readonly processorSeconds: number;
}

/** The outcome of a page. */
export type PageOutcome =
  | { readonly kind: 'judged'; readonly judgement: Judgement }
  | { readonly kind: 'refused'; readonly refusal: ImageRefusal; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string; readonly retryAfterSeconds: number }
  | { readonly kind: 'master_missing'; readonly message: string }
  /** The reader itself failed, and may be broken for the next page too. */
  | { readonly kind: 'failed'; readonly message: string };

/** A message from a reader process. */
export type ReaderMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'cannot_start'; readonly message: string }
  /** @property memoryMegabytes the process's memory after the page, also after a failure. */
  | { readonly kind: 'page'; readonly outcome: PageOutcome; readonly memoryMegabytes: number };

/** Errors lose their class on the way to another process: what callers tell apart travels as data. */
export function describeFailure(error: unknown): PageOutcome {
  if (error instanceof ImageRefused) return { kind: 'refused', refusal: error.refusal, message: error.message };
  if (error instanceof ReaderUnavailable)
    return { kind: 'unavailable', message: error.message, retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof DrugMasterMissing) return { kind: 'master_missing', message: error.message };
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
