import type { LineRecogniser } from './line-recogniser.ts';
import type { PreparedPage } from './page/prepare-page.ts';
import { readPage } from './read-page.ts';
import type { PageReading } from './table-reader.ts';

/** Our own reading of a page that lies straight. */
export async function readPrepared(prepared: PreparedPage, recogniser: LineRecogniser): Promise<PageReading> {
  const { geometry, image, structure, corners } = prepared;
  const { width, height } = prepared.page;
  if (!image.readable) return { geometry, image, tables: [], texts: [], page: { width, height, corners } };
  const reading = await readPage(prepared.page, recogniser, structure);
  const legible = reading.tables.length > 0 || reading.texts.length > 0;
  return {
    geometry,
    image: legible ? image : { ...image, readable: false, issues: [...image.issues, 'no_text'] },
    ...reading,
    page: { width, height, corners },
  };
}
