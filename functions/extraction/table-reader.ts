import { environment } from '../shared/environment.ts';
import { memoizeAsync } from '../shared/memoize-async.ts';
import type { TableReader } from './domain/reading/table-reader.ts';

/** The one reader of this runtime, ready to read: whoever asks first waits for its models. */
export const tableReader: () => Promise<TableReader> = memoizeAsync(async () => {
  const settings = environment('READER', 'OCR_DIR', 'BEDROCK_MODEL', 'TRIPOD_LOCAL', 'MANY_AT_A_TIME');
  const { tableReaders } = await import('../adapters/readers/table-readers.ts');
  const readerOf = tableReaders({
    ocrDirectory: settings.OCR_DIR,
    inOwnProcess: settings.MANY_AT_A_TIME,
    bedrockModel: settings.BEDROCK_MODEL,
  });
  const usual = await readerOf(settings.READER);
  // On one machine there is no service that a template could ask for.
  if (settings.TRIPOD_LOCAL) return usual;
  return {
    async read(image, template, options) {
      const reader = template.reader === undefined ? usual : await readerOf(template.reader);
      return reader.read(image, template, options);
    },
  };
});
