import type { TableReader } from '../../extraction/domain/reading/table-reader.ts';
import type { ReaderName, Template } from '../../extraction/domain/reading/template.ts';
import { logger } from '../../shared/logging.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { READER_FAILURES } from '../../shared/metric-names.ts';
import { countMetric } from '../shared/count-metric.ts';

export interface ReaderSettings {
  /** Folder with the recogniser's models; absent: the repository's own. */
  readonly ocrDirectory?: string | undefined;
  /** Threads that recognition may use; absent: as many as there are cores. */
  readonly threads?: number;
  readonly bedrockModel?: string | undefined;
}

/** AWS services are retried while they are too busy: these tries wait 3 s in total, at most 7, of a call's 29. */
const TRIES = 4;

/** Our own reader reads the page, and a metric alerts the operator. */
async function onFallback(error: unknown): Promise<void> {
  logger().warn('A service that reads pages failed; our own reader reads instead', { error: error as Error });
  await countMetric(READER_FAILURES);
}

export type ReaderOf = (name: ReaderName) => Promise<TableReader>;

/**
 * The readers by name, each ready to read when it is given. Everything native and every client is loaded for the reader that
 * needs it and not before: a cold start that refuses its request pays for none of it. Make it once a runtime.
 */
export function tableReaders({ ocrDirectory, threads, bedrockModel }: ReaderSettings): ReaderOf {
  /** Settings that all readers share. */
  const own = memoizeAsync(async () => {
    const [{ onnxModels }, { decodeImage: decode }] = await Promise.all([
      import('./onnx-models.ts'),
      import('../codecs/decode-image.ts'),
    ]);
    return { ...(await onnxModels(ocrDirectory, threads === undefined ? {} : { threads })), decode };
  });
  const readers: Record<ReaderName, () => Promise<TableReader>> = {
    embedded: memoizeAsync(async () => {
      const [parts, { EmbeddedReader }] = await Promise.all([own(), import('./embedded-reader.ts')]);
      return new EmbeddedReader(parts);
    }),
    textract: memoizeAsync(async () => {
      const [parts, { TextractReader }, { TextractClient }] = await Promise.all([
        own(),
        import('./textract-reader.ts'),
        import('@aws-sdk/client-textract'),
      ]);
      return new TextractReader({ client: new TextractClient({ maxAttempts: TRIES }), onFallback, ...parts });
    }),
    bedrock: memoizeAsync(async () => {
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
      return new BedrockReader({ client, modelId, onUnusableAnswer, onFallback, ...parts });
    }),
  };
  return (name) => readers[name]();
}

export interface ReaderChoice {
  /** The deployment's reader. */
  readonly usual: ReaderName;
  /** Whether the services of AWS that templates may ask for are within reach: not where everything runs on one machine. */
  readonly servicesReachable: boolean;
}

/** The reader of a template's sheets. */
export function readerFor({ reader }: Template, { usual, servicesReachable }: ReaderChoice): ReaderName {
  return servicesReachable ? (reader ?? usual) : usual;
}
