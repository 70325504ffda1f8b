import { environment } from '../shared/environment.ts';
import { lazily } from '../shared/lazily.ts';
import type { TableReader } from './domain/reading/table-reader.ts';

/** The one reader of this runtime, ready to read: whoever asks first waits for its models. */
export const tableReader: () => Promise<TableReader> = lazily(async () => {
  const { READER, OCR_DIR, MANY_AT_A_TIME } = environment('READER', 'OCR_DIR', 'MANY_AT_A_TIME');
  const { tableReaderByName } = await import('../adapters/table-reader-by-name.ts');
  return tableReaderByName({ reader: READER, ocrDirectory: OCR_DIR, inOwnProcess: MANY_AT_A_TIME });
});
