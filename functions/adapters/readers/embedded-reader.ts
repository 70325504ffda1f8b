import type { ImageDecoder } from '../../extraction/domain/reading/decoded-image.ts';
import { preparePage } from '../../extraction/domain/reading/page/prepare-page.ts';
import type { PageModels } from '../../extraction/domain/reading/page-models.ts';
import { readPrepared } from '../../extraction/domain/reading/read-prepared.ts';
import type { PageReading, ReadOptions, TableReader } from '../../extraction/domain/reading/table-reader.ts';
import type { Template } from '../../extraction/domain/reading/template.ts';

export interface EmbeddedReaderParts extends PageModels {
  readonly decode: ImageDecoder;
}

/** Reads pages with our own pipeline alone: no service, no network, only the recogniser's model. */
export class EmbeddedReader implements TableReader {
  readonly #parts: EmbeddedReaderParts;

  constructor(parts: EmbeddedReaderParts) {
    this.#parts = parts;
  }

  async read(bytes: Uint8Array, _template?: Template, { page }: ReadOptions = {}): Promise<PageReading> {
    const { decode, recogniser, layouts } = this.#parts;
    return readPrepared(await preparePage(await decode(bytes, page), { recogniser, layouts }), recogniser);
  }
}
