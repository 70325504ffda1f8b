import type { ExecutionId } from './execution.ts';
import type { OutputFile, RunOutcome } from './run.ts';

/** Files of results that are too large for a response. They are forgotten with their execution. */
export interface OutputFileStore {
  /** @param index of the file within its execution. @returns what `link` takes */
  put(id: ExecutionId, index: number, file: StoredFile): Promise<string>;
}

export interface StoredFile {
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Download addresses of stored files, for readers of a result. */
export interface OutputFileLinks {
  /** Valid for an hour. */
  link(object: string): Promise<string>;
}

export const LINK_SECONDS = 60 * 60;
/** In base64, of all files of a response: the rest is for what programs print. */
export const MAX_INLINE_BYTES = 2.5 * 1024 * 1024;

/** Files of one run; the runner sends no more. */
export const MAX_OUTPUT_FILES = 20;

/**
 * The outcome with its files as they are kept: small ones in it, as many as may be, large ones in the store. One that cannot be stored is
 * left out, and the outcome says so.
 */
export async function withKeptFiles(
  outcome: RunOutcome,
  id: ExecutionId,
  { store, maxInlineBytes = MAX_INLINE_BYTES }: { store: OutputFileStore; maxInlineBytes?: number },
): Promise<RunOutcome> {
  if (outcome.kind === 'invalid_syntax' || outcome.outputs === undefined) return outcome;
  const inline = smallOnes(outcome.outputs.files, maxInlineBytes);
  const skipped = [...outcome.outputs.skipped];
  const kept = await Promise.all(
    outcome.outputs.files.map(async (file, index): Promise<readonly OutputFile[]> => {
      if (inline.has(file) || file.base64 === undefined) return [file];
      const { path, size, base64 } = file;
      try {
        const bytes = Buffer.from(base64, 'base64');
        return [{ path, size, object: await store.put(id, index, { path, mediaType: mediaTypeOf(path), bytes }) }];
      } catch {
        skipped.push({ path, reason: 'it could not be stored' });
        return [];
      }
    }),
  );
  return { ...outcome, outputs: { files: kept.flat(), skipped } };
}

function smallOnes(files: readonly OutputFile[], maxBytes: number): ReadonlySet<OutputFile> {
  const small = new Set<OutputFile>();
  let bytes = 0;
  for (const file of files.toSorted((a, b) => a.size - b.size)) {
    bytes += file.base64?.length ?? 0;
    if (bytes <= maxBytes && maxBytes > 0) small.add(file);
  }
  return small;
}

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ...[
    ['bmp', 'image/bmp'],
    ['gif', 'image/gif'],
    ['jpeg', 'image/jpeg'],
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
    ['svg', 'image/svg+xml'],
    ['webp', 'image/webp'],
  ],
  ...[
    ['csv', 'text/csv'],
    ['html', 'text/html'],
    ['md', 'text/markdown'],
    ['tsv', 'text/tab-separated-values'],
    ['txt', 'text/plain'],
    ['xml', 'application/xml'],
  ],
  ...[
    ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['json', 'application/json'],
    ['pdf', 'application/pdf'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['zip', 'application/zip'],
  ],
] as [string, string][]);

/** By the end of its name, as far as it is a known one. */
export function mediaTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return MEDIA_TYPES.get(ending) ?? 'application/octet-stream';
}
