import type {
  PageReading,
  ReadCell,
  ReadTable,
  TableReader,
} from '../functions/extraction/domain/reading/table-reader.ts';
import type { GridCellTruth, PageTruth, TableTruth } from './corpus/truth.ts';

/**
 * A reader that misreads nothing: what the page's truth says is printed. With it the benchmark measures interpreting and
 * judging alone, and the corpus' own expectations against them.
 */
export function truthReader(truth: PageTruth): TableReader {
  return {
    read: async (): Promise<PageReading> => ({
      geometry: {
        rotation: truth.geometry.rotation,
        source: { width: truth.image.width, height: truth.image.height },
        oriented: orientedSize(truth),
        crop: null,
      },
      image: { readable: true, issues: [], drawn: true },
      tables: readTables(truth.table),
      texts: (truth.texts ?? []).map(({ text, box }) => ({ text, box, confidence: 1 })),
      page: truth.geometry.page,
    }),
  };
}

function readTables(table: TableTruth | null): readonly ReadTable[] {
  if (!table) return [];
  const bounded = !table.rows.some(({ cut }) => cut);
  return [table, ...(table.beside ? [table.beside] : [])]
    .filter(({ grid }) => grid.cells.length > 0)
    .map(({ box, grid: { rowCount, columnCount, cells } }) => {
      return { box, rowCount, columnCount, cells: cells.map(readCell), bounded };
    });
}

function readCell({ text, ...place }: GridCellTruth): ReadCell {
  const numeral = text.replace(/[^0-9.,-]/g, '');
  return {
    ...place,
    blank: text === '',
    text: { text: text.replaceAll('\n', ''), confidence: 1 },
    numeral: numeral === '' ? null : { text: numeral, confidence: 1 },
  };
}

function orientedSize({ image, geometry }: PageTruth) {
  const { width, height } = image;
  return geometry.rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}
