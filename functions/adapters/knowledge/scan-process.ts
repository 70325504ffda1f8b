import { fork } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { DecodedImage } from '../../extraction/domain/reading/decoded-image.ts';
import { ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import { DocumentUnreadable } from '../../knowledge/domain/knowledge-base.ts';

/** The pages of a PDF to read, by their places; null for a picture. */
export interface Scans {
  readonly bytes: Uint8Array;
  readonly pages: readonly number[] | null;
  /** Folder of the reader's models; null: the repository's own. */
  readonly ocrDirectory: string | null;
}

type Outcome =
  | { readonly kind: 'read'; readonly texts: readonly string[] }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Marks the processes of this module among others. */
const PROCESS = 'tripod-scan-process';

/**
 * The text of each page, by our own reader of pages; empty where nothing can be read. It runs in a separate process, the only
 * way to end the recogniser in the middle of its work, at a lower priority than requests.
 * @throws DocumentUnreadable
 */
export async function readScans(scans: Scans, seconds: number): Promise<readonly string[]> {
  const child = fork(fileURLToPath(import.meta.url), [PROCESS], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = Promise.withResolvers<Outcome>();
  const timer = setTimeout(
    () =>
      ended.reject(
        new DocumentUnreadable(
          'took_too_long',
          `Reading the pictures takes more than ${seconds} seconds. Split the document.`,
        ),
      ),
    seconds * 1000,
  );
  child.once('message', (outcome: Outcome) => ended.resolve(outcome));
  child.once('error', ended.reject);
  child.once('exit', (code, signal) => ended.reject(new Error(`The reader of pictures ended (${signal ?? code}).`)));
  child.send(scans, (error) => error && ended.reject(error));
  try {
    const outcome = await ended.promise;
    if (outcome.kind === 'read') return outcome.texts;
    if (outcome.kind === 'unreadable') throw new DocumentUnreadable('unreadable', outcome.message);
    throw new Error(`The pictures could not be read: ${outcome.message}`);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

async function textsOf({ bytes, pages, ocrDirectory }: Scans): Promise<Outcome> {
  const [{ onnxModels }, { preparePage }, { readLines }] = await Promise.all([
    import('../readers/onnx-models.ts'),
    import('../../extraction/domain/reading/page/prepare-page.ts'),
    import('../../extraction/domain/reading/read-lines.ts'),
  ]);
  // One thread: the other cores are for those who wait for an answer.
  const models = await onnxModels(ocrDirectory ?? undefined, { threads: 1 });
  const read = async (image: DecodedImage): Promise<string> => {
    try {
      const { structure } = await preparePage(image, models);
      return structure === null ? '' : (await readLines(structure, models.recogniser)).join('\n');
    } catch (error) {
      // More of what looks like print than any page holds: a drawing.
      if (error instanceof ImageRefused) return '';
      throw error;
    }
  };
  try {
    const texts: string[] = [];
    for await (const image of picturesOf(bytes, pages)) texts.push(await read(image));
    return { kind: 'read', texts };
  } catch (error) {
    if (error instanceof ImageRefused) return { kind: 'unreadable', message: error.message };
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function* picturesOf(bytes: Uint8Array, pages: readonly number[] | null): AsyncGenerator<DecodedImage> {
  const { decodeImage, workingScale } = await import('../codecs/decode-image.ts');
  if (pages === null) {
    yield await decodeImage(bytes);
    return;
  }
  const { pdfPictures } = await import('../codecs/decode-pdf.ts');
  yield* pdfPictures(bytes, pages, workingScale);
}

if (process.argv[2] === PROCESS && process.send !== undefined) {
  const { endWithParent } = await import('../readers/pool/end-with-parent.ts');
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + constants.priority.PRIORITY_BELOW_NORMAL));
  endWithParent();
  process.once('disconnect', () => process.exit());
  process.on('SIGINT', () => undefined);
  process.once('message', async (scans: Scans) => process.send?.(await textsOf(scans)));
}
