import { createHash } from 'node:crypto';
import type { OutputFileLinks, OutputFileStore } from '../output-files.ts';
import { mediaTypeOf } from '../output-files.ts';
import { printable } from './markdown-document.ts';

/** A file to make, as the tools describe it. */
export type FileWork =
  | { readonly kind: 'docx' | 'pdf'; readonly markdown: string; readonly title: string | null }
  | { readonly kind: 'chart'; readonly chart: Readonly<Record<string, unknown>> };

export interface FileRenderer {
  /**
   * Files of one workspace are made one after another.
   * @throws ExecutionRefused for a description that is invalid, or takes too much time or memory
   */
  render(workspaceId: string, work: FileWork, signal: AbortSignal): Promise<Uint8Array>;
}

export interface FileToMake {
  readonly workspaceId: string;
  /** The same work under the same key is stored in one place. */
  readonly onceKey: string;
  readonly work: FileWork;
  /** As the caller wishes; its end is that of the kind. */
  readonly name: string | null;
}

export interface MadeFile {
  readonly path: string;
  readonly size: number;
  readonly mediaType: string;
  /** Valid for an hour. */
  readonly url: string;
}

const ENDINGS = { docx: 'docx', pdf: 'pdf', chart: 'svg' } as const;
const DEFAULT_NAMES = { docx: 'document', pdf: 'document', chart: 'chart' } as const;
const MAX_NAME_LENGTH = 80;

/** Makes a file, and stores it as the output of a program is stored. @throws ExecutionRefused */
export async function makeFile(
  { workspaceId, onceKey, work, name }: FileToMake,
  signal: AbortSignal,
  { renderer, files }: { readonly renderer: FileRenderer; readonly files: OutputFileStore & OutputFileLinks },
): Promise<MadeFile> {
  const path = fileName(name, work.kind);
  const bytes = await renderer.render(workspaceId, work, signal);
  const digest = createHash('sha256')
    .update(JSON.stringify([onceKey, path, work]))
    .digest('hex');
  const mediaType = mediaTypeOf(path);
  const object = await files.put({ workspaceId, executionId: `file_${digest}` }, 0, { path, mediaType, bytes });
  return { path, mediaType, size: bytes.byteLength, url: await files.link(object) };
}

/** Without folders, and with the end of its kind. */
function fileName(given: string | null, kind: FileWork['kind']): string {
  const ending = ENDINGS[kind];
  const safe = printable((given ?? '').slice(0, 10 * MAX_NAME_LENGTH)).replaceAll(/[^\p{L}\p{M}\p{N}._ ()-]/gu, '_');
  const stem = (safe.toLowerCase().endsWith(`.${ending}`) ? safe.slice(0, -ending.length - 1) : safe)
    .replace(/^[. ]+/, '')
    .trim();
  const short = stem.slice(0, MAX_NAME_LENGTH).toWellFormed();
  return `${/[\p{L}\p{N}]/u.test(short) ? short : DEFAULT_NAMES[kind]}.${ending}`;
}
