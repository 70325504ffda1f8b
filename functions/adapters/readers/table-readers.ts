import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TableReader } from '../../extraction/domain/reading/table-reader.ts';
import type { ReaderName } from '../../extraction/domain/reading/template.ts';
import { logger } from '../../shared/logging.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';

export interface ReaderSettings {
  /** Folder with the recogniser's models; absent: the repository's own. */
  readonly ocrDirectory: string | undefined;
  /** Where one process serves many callers at a time, reading must not hold up the others: it gets its own. */
  readonly inOwnProcess: boolean;
  /** Threads that recognition may use; absent: as many as there are cores. Own processes share these. */
  readonly threads?: number;
  readonly bedrockModel?: string | undefined;
}

/**
 * On two cores, two processes of one thread read 35 pages a minute, one process of two threads 28: a third of the work knows
 * no threads. More processes would need more than 1.5 GB in all.
 */
const MAX_PROCESSES = 2;
const MAX_READER_MEGABYTES = 600;
/** At 18 MB each the largest images take as much memory as a reader. */
const MAX_WAITING = 32;
/** Frees the reader from a page that never ends and has no deadline, as those of batches: about what a single call has. */
const PAGE_SECONDS = 30;
/** Services of AWS are asked again when they are too busy: so many tries wait 3 s in all, at most 7, of a call's 29. */
const TRIES = 4;

type ReaderOf = (name: ReaderName) => Promise<TableReader>;

/**
 * The readers by name, each ready to read when it is given. Everything native and every client is loaded for the reader that
 * needs it and not before: a cold start that refuses its request pays for none of it. Make it once a runtime.
 */
export function tableReaders(settings: ReaderSettings): ReaderOf {
  const modelFolder = settings.ocrDirectory ?? fileURLToPath(new URL('../../../layers/ocr', import.meta.url));
  const make = settings.inOwnProcess ? pooled(modelFolder, settings) : inThisProcess(modelFolder, settings);
  const readers: Record<ReaderName, () => Promise<TableReader>> = {
    embedded: memoizeAsync(() => make('embedded')),
    textract: memoizeAsync(() => make('textract')),
    bedrock: memoizeAsync(() => make('bedrock')),
  };
  return (name) => readers[name]();
}

function inThisProcess(modelFolder: string, { threads, bedrockModel }: ReaderSettings): ReaderOf {
  /** What every reader has in common. */
  const own = memoizeAsync(async () => {
    const [{ OnnxRecogniser }, { decodeImage: decode }] = await Promise.all([
      import('./onnx-recogniser.ts'),
      import('../codecs/decode-image.ts'),
    ]);
    const recogniser = await OnnxRecogniser.load(modelFolder, { threads: threads ?? availableParallelism() });
    return { recogniser, decode };
  });
  const make: Record<ReaderName, () => Promise<TableReader>> = {
    async embedded() {
      const [parts, { EmbeddedReader }] = await Promise.all([own(), import('./embedded-reader.ts')]);
      return new EmbeddedReader(parts);
    },
    async textract() {
      const [parts, { TextractReader }, { TextractClient }] = await Promise.all([
        own(),
        import('./textract-reader.ts'),
        import('@aws-sdk/client-textract'),
      ]);
      return new TextractReader({ client: new TextractClient({ maxAttempts: TRIES }), ...parts });
    },
    async bedrock() {
      if (bedrockModel === undefined)
        throw new Error('BEDROCK_MODEL is not set: the reader bedrock needs a vision model.');
      const [parts, { BedrockReader }, { BedrockRuntimeClient }] = await Promise.all([
        own(),
        import('./bedrock-reader.ts'),
        import('@aws-sdk/client-bedrock-runtime'),
      ]);
      const modelId = bedrockModel;
      const onUnusableAnswer = (why: string) => logger().warn('The model gave no usable answer', { modelId, why });
      const client = new BedrockRuntimeClient({ maxAttempts: TRIES });
      return new BedrockReader({ client, modelId, onUnusableAnswer, ...parts });
    },
  };
  return (name) => make[name]();
}

function pooled(modelFolder: string, { bedrockModel }: ReaderSettings): ReaderOf {
  return async (reader) => {
    const { ReaderPool } = await import('./pool/reader-pool.ts');
    const cores = availableParallelism();
    // Who waits for a service leaves the core to another.
    const processes = reader === 'embedded' ? Math.min(MAX_PROCESSES, cores) : MAX_PROCESSES;
    const pool = new ReaderPool({
      reader,
      bedrockModel,
      processes,
      threads: Math.max(1, Math.floor(cores / processes)),
      modelFolder,
      maxWaiting: MAX_WAITING,
      pageSeconds: PAGE_SECONDS,
      maxMemoryMegabytes: MAX_READER_MEGABYTES,
    });
    await pool.warm();
    return pool;
  };
}
