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

/** Longer than any caller waits: it frees the reader from a page that never ends. */
const PAGE_SECONDS = 100;
const MAX_READER_MEGABYTES = 1200;

/**
 * The reader that the setting READER names. Everything native is loaded here and not before: a cold start that refuses
 * its request pays for none of it. Make it once a runtime.
 */
export async function tableReaderByName({ reader, ocrDirectory, inOwnProcess }: ReaderSettings): Promise<TableReader> {
  const modelFolder = ocrDirectory ?? fileURLToPath(new URL('../../layers/ocr', import.meta.url));
  const threads = availableParallelism();
  if (reader === 'embedded' && inOwnProcess) {
    const { ReaderPool } = await import('./embedded/reader-pool.ts');
    const limits = { pageSeconds: PAGE_SECONDS, maxMemoryMegabytes: MAX_READER_MEGABYTES };
    return new ReaderPool({ processes: 1, modelFolder, threads, ...limits });
  }
  const { OnnxRecogniser } = await import('./embedded/onnx-recogniser.ts');
  const recogniser = await OnnxRecogniser.load(modelFolder, { threads });
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
