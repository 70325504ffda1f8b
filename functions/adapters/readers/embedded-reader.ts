import type { LineRecogniser } from '../../extraction/domain/reading/line-recogniser.ts';
import { readPage } from '../../extraction/domain/reading/read-page.ts';
import type { PageReading, TableReader } from '../../extraction/domain/reading/table-reader.ts';
import { type PreparedPage, preparePage } from './prepare-page.ts';

/** Reads pages with our own pipeline alone: no service, no network, only the recogniser's model. */
export class EmbeddedReader implements TableReader {
  readonly #recogniser: LineRecogniser;

  constructor(recogniser: LineRecogniser) {
    this.#recogniser = recogniser;
  }

  async read(bytes: Uint8Array): Promise<PageReading> {
    return readPrepared(await preparePage(bytes, this.#recogniser), this.#recogniser);
  }
}

/** Our own reading of a page that lies straight. */
export async function readPrepared(prepared: PreparedPage, recogniser: LineRecogniser): Promise<PageReading> {
  const { geometry, image } = prepared;
  const { width, height } = prepared.page;
  if (!image.readable) return { geometry, image, tables: [], texts: [], page: { width, height } };
  const reading = await readPage(prepared.page, recogniser);
  const legible = reading.tables.length > 0 || reading.texts.length > 0;
  return {
    geometry,
    image: legible ? image : { readable: false, issues: [...image.issues, 'no_text'] },
    ...reading,
  };
}
