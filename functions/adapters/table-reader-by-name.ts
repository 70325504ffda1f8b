import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TableReader } from '../extraction/domain/reading/table-reader.ts';

export interface ReaderSettings {
  readonly reader: 'embedded' | 'textract';
  /** Folder with the recogniser's models; absent: the repository's own. */
  readonly ocrDirectory: string | undefined;
  /** Where one process serves many callers at a time, reading must not hold up the others: it gets its own. */
  readonly inOwnProcess: boolean;
}

/**
 * On two cores, two processes of one thread read 35 pages a minute, one process of two threads 28: a third of the work knows
 * no threads. More processes would need more than 1.5 GB in all.
 */
const MAX_PROCESSES = 2;
const MAX_READER_MEGABYTES = 600;
/** At 18 MB each the largest images take as much memory as a reader. */
const MAX_WAITING = 32;
/** Frees the reader from a page that never ends and that nobody's deadline ends. */
const PAGE_SECONDS = 100;

/**
 * The reader that the setting READER names. Everything native is loaded here and not before: a cold start that refuses
 * its request pays for none of it. Make it once a runtime.
 */
export async function tableReaderByName({ reader, ocrDirectory, inOwnProcess }: ReaderSettings): Promise<TableReader> {
  const modelFolder = ocrDirectory ?? fileURLToPath(new URL('../../layers/ocr', import.meta.url));
  const cores = availableParallelism();
  if (reader === 'embedded' && inOwnProcess) {
    const { ReaderPool } = await import('./embedded/reader-pool.ts');
    const processes = Math.min(MAX_PROCESSES, cores);
    const pool = new ReaderPool({
      processes,
      threads: Math.floor(cores / processes),
      modelFolder,
      maxWaiting: MAX_WAITING,
      pageSeconds: PAGE_SECONDS,
      maxMemoryMegabytes: MAX_READER_MEGABYTES,
    });
    await pool.warm();
    return pool;
  }
  const { OnnxRecogniser } = await import('./embedded/onnx-recogniser.ts');
  const recogniser = await OnnxRecogniser.load(modelFolder, { threads: cores });
  if (reader === 'embedded') {
    const { EmbeddedReader } = await import('./embedded/embedded-reader.ts');
    return new EmbeddedReader(recogniser);
  }
  const [{ TextractReader }, { TextractClient }, { preparePage }] = await Promise.all([
    import('./aws/textract-reader.ts'),
    import('@aws-sdk/client-textract'),
    import('./embedded/prepare-page.ts'),
  ]);
  return new TextractReader({
    client: new TextractClient({}),
    preparePage: (image) => preparePage(image, recogniser),
    recogniser,
  });
}
