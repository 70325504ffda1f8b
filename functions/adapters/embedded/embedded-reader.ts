import type { LineRecogniser } from '../../extraction/domain/reading/line-recogniser.ts';
import { readPage } from '../../extraction/domain/reading/read-page.ts';
import type { PageReading, TableReader } from '../../extraction/domain/reading/table-reader.ts';
import { preparePage } from './prepare-page.ts';

/** Reads pages with our own pipeline alone: no service outside of this process. */
export class EmbeddedReader implements TableReader {
  readonly #recogniser: () => Promise<LineRecogniser>;

  /** @param recogniser loads the model at the first page; called once a page, so it should remember. */
  constructor(recogniser: () => Promise<LineRecogniser>) {
    this.#recogniser = recogniser;
  }

  async read(image: Uint8Array): Promise<PageReading> {
    const recogniser = await this.#recogniser();
    const prepared = await preparePage(image, recogniser);
    const { tables, texts, page } = await readPage(prepared.page, recogniser);
    const { readable, issues } = prepared.image;
    const nothing = readable && tables.length === 0 && texts.length === 0;
    return {
      geometry: prepared.geometry,
      image: nothing ? { readable: false, issues: [...issues, 'no_text'] } : { readable, issues },
      tables,
      texts,
      page,
    };
  }
}
