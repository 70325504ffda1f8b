import {
  type DocumentType,
  DocumentUnreadable,
  type FailureCode,
  MAX_PASSAGES,
} from '../../knowledge/domain/knowledge-base.ts';
import type { ReadDocument, SegmentMaker } from '../../knowledge/domain/knowledge-ports.ts';
import { type Passage, passagesOf } from '../../knowledge/domain/passages.ts';
import { encodeSegment, mergeSegments, Segment, type SegmentDocument } from '../../knowledge/domain/segment.ts';
import { memoize } from '../../shared/memoize.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import { maskedTexts } from '../../shared/resident-numbers.ts';
import { BoundedThreads, serveThread, type ThreadLimits, ThreadStopped } from '../threads/bounded-threads.ts';
import { documentBlocks, tooLong } from './formats/document-blocks.ts';
import type { ScannedTexts } from './formats/pdf-blocks.ts';

/** The heap is JavaScript's only; PDFium has a separate limit. */
const LIMITS: ThreadLimits = { seconds: 120, heapMb: 1024 };
/** Pages that are pictures, of one document: each takes a processor a second or more. */
const MAX_SCANS = 40;
/** Multiple of the time allowed for everything else of a document. */
const SCAN_TIMES = 2;
/** Of a text that is passed on as a whole: to a workflow, or to a model. */
const MAX_WHOLE_LENGTH = 4_000_000;

const NAME = 'tripod-segment-thread';
const OPTIONS = { module: import.meta.url, name: NAME, threads: 4, threadsPerTenant: 2, areKept: false } as const;

type Job =
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      readonly type: DocumentType;
      readonly document: Pick<SegmentDocument, 'documentId' | 'title'>;
      readonly isMasked: boolean;
      /** Null: they are not known yet, and pages that need them are named. */
      readonly scanned: ScannedTexts | null;
    }
  | { readonly kind: 'text'; readonly bytes: Uint8Array; readonly type: DocumentType }
  | { readonly kind: 'merge'; readonly segments: readonly Uint8Array[]; readonly without: ReadonlySet<string> };

type Outcome =
  | { readonly kind: 'done'; readonly result: ReadDocument | ScansNeeded | ReadText | Uint8Array | null }
  | { readonly kind: 'unreadable'; readonly code: FailureCode; readonly message: string };

/** The document has pages that are pictures. */
interface ScansNeeded {
  readonly withoutText: readonly number[];
  readonly pages: number;
}

export interface ReadText {
  readonly text: string;
  /** Null where the document has none. */
  readonly pages: number | null;
}

/** Types that are always read in milliseconds at these sizes: starting a thread takes longer. */
const TEXTS: readonly DocumentType[] = ['text', 'markdown', 'html'];
export const SMALL_TEXT_BYTES = 32 * 1024;
export const SMALL_MERGE_BYTES = 256 * 1024;

/**
 * Reads each document and makes its segments in a separate thread, unless it is small. The thread is ended when it takes too much time or
 * memory: a malicious document breaks nothing else, and the event loop stays free.
 */
export function threadedSegmentMaker(
  limits: ThreadLimits = LIMITS,
  { ocrDirectory = null }: { readonly ocrDirectory?: string | null } = {},
): SegmentMaker {
  const threads = limits === LIMITS ? shared() : threadsWithin(limits);
  const scansOf = async (bytes: Uint8Array, pages: readonly number[] | null): Promise<ScannedTexts> => {
    const { readScans } = await import('./scan-process.ts');
    const texts = await readScans({ bytes, pages, ocrDirectory }, SCAN_TIMES * limits.seconds);
    return new Map(texts.map((text, index) => [pages?.[index] ?? 0, text]));
  };
  return {
    async read(bytes, type, document, { isMasked = false, ...caller }) {
      const job = { kind: 'read', bytes, type, document, isMasked } as const;
      const first = (await run(
        { ...job, scanned: type === 'image' ? await scansOf(bytes, null) : null },
        caller,
        threads,
      )) as ReadDocument | ScansNeeded;
      if (!('withoutText' in first)) return first;
      const { withoutText, pages } = first;
      if (withoutText.length > MAX_SCANS && withoutText.length === pages)
        throw new DocumentUnreadable(
          'too_large',
          `All ${pages} pages of the PDF are pictures; at most ${MAX_SCANS} are read of a document. Split it, or add one with a text layer.`,
        );
      const scanned = await scansOf(bytes, withoutText.slice(0, MAX_SCANS));
      return (await run({ ...job, scanned }, caller, threads)) as ReadDocument;
    },
    merge: async (segments, without, caller) =>
      (await run(
        { kind: 'merge', segments: segments.map(({ bytes }) => bytes), without },
        caller,
        threads,
      )) as Uint8Array | null,
  };
}

type Threads = BoundedThreads<Job, Outcome>;

/** A document waits as long as the longest one takes. */
const threadsWithin = (limits: ThreadLimits): Threads =>
  new BoundedThreads({ ...OPTIONS, ...limits, maxWaitSeconds: limits.seconds });

/** Those of this process, for documents of all workspaces. */
const shared = memoize(() => threadsWithin(LIMITS));

/** The text of a document, its headings marked as Markdown marks them. @throws DocumentUnreadable, TooBusy */
export async function readText(bytes: Uint8Array, type: DocumentType, caller: JobCaller): Promise<ReadText> {
  return (await run({ kind: 'text', bytes, type }, caller, shared())) as ReadText;
}

/** @throws DocumentUnreadable, TooBusy */
async function run(
  job: Job,
  caller: JobCaller,
  threads: Threads,
): Promise<Extract<Outcome, { kind: 'done' }>['result']> {
  const outcome = await (isSmall(job) ? outcomeOf(job) : threads.run(job, caller)).catch((error: unknown) => {
    throw error instanceof ThreadStopped ? stopped(error) : error;
  });
  if (outcome.kind === 'unreadable') throw new DocumentUnreadable(outcome.code, outcome.message);
  return outcome.result;
}

function stopped(cause: ThreadStopped): DocumentUnreadable {
  return cause.reason === 'time'
    ? new DocumentUnreadable('took_too_long', 'Reading the document takes too much time. Split it.', { cause })
    : new DocumentUnreadable('too_large', 'Reading the document takes too much memory. Split it.', { cause });
}

function isSmall(job: Job): boolean {
  if (job.kind !== 'merge') return TEXTS.includes(job.type) && job.bytes.byteLength <= SMALL_TEXT_BYTES;
  return job.segments.reduce((sum, { byteLength }) => sum + byteLength, 0) <= SMALL_MERGE_BYTES;
}

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    return {
      kind: 'done',
      result: job.kind === 'merge' ? merge(job) : await (job.kind === 'read' ? read : wholeText)(job as never),
    };
  } catch (error) {
    if (!(error instanceof DocumentUnreadable)) throw error;
    return { kind: 'unreadable', code: error.code, message: error.message };
  }
}

async function read({
  bytes,
  type,
  document,
  isMasked,
  scanned,
}: Extract<Job, { kind: 'read' }>): Promise<ReadDocument | ScansNeeded> {
  const { blocks, pages, withoutText = null, hasHidden } = await documentBlocks(bytes, type, scanned ?? undefined);
  if (scanned === null && withoutText !== null && withoutText.length > 0) return { withoutText, pages: pages! };
  const passages: Passage[] = [];
  for (const passage of passagesOf(blocks)) {
    if (passages.push(isMasked ? maskedTexts(passage) : passage) > MAX_PASSAGES) throw tooLong();
  }
  if (passages.length === 0 && hasHidden) throw allHidden();
  if (passages.length === 0)
    throw new DocumentUnreadable(
      'no_text',
      type === 'pdf'
        ? 'The PDF has no text that can be read, neither as text nor in its pictures.'
        : type === 'image'
          ? 'The picture has no text that can be read. Send one that is sharp and straight, 200 dots an inch or more.'
          : 'The document has no text.',
    );
  const shown = isMasked ? maskedTexts(document) : document;
  const segment = encodeSegment([{ ...shown, passages }]);
  return { segment, passages: passages.length, pages, pagesWithoutText: withoutText?.length ?? null };
}

async function wholeText({ bytes, type }: Extract<Job, { kind: 'text' }>): Promise<ReadText> {
  const { blocks, pages, hasHidden } = await documentBlocks(bytes, type);
  const pieces: string[] = [];
  let length = 0;
  let isAllHidden = hasHidden === true;
  for (const block of blocks) {
    if (block.kind === 'text') isAllHidden = false;
    const piece = block.kind === 'heading' ? `${'#'.repeat(block.level)} ${block.text}` : block.text;
    length += piece.length;
    if (length > MAX_WHOLE_LENGTH)
      throw new DocumentUnreadable(
        'too_large',
        `The document has more than ${MAX_WHOLE_LENGTH} characters of text, with its columns' names in every row. Split it.`,
      );
    pieces.push(piece);
  }
  if (isAllHidden) throw allHidden();
  return { text: pieces.join('\n\n'), pages };
}

function allHidden(): DocumentUnreadable {
  return new DocumentUnreadable(
    'no_text',
    'All text of the document is hidden, and hidden text is left out. Unhide the sheets, rows, columns, slides or words that may be quoted.',
  );
}

function merge({ segments, without }: Extract<Job, { kind: 'merge' }>): Uint8Array | null {
  return mergeSegments(
    segments.map((bytes) => new Segment(bytes)),
    without,
  );
}

serveThread<Job>(NAME, outcomeOf);
