import type { Box, PageReading, ReadCell, ReadTable } from '../../functions/extraction/domain/reading/table-reader.ts';
import { displayWidth } from '../../functions/extraction/domain/text/display-width.ts';

/** A cell as a test writes it: its text, or more. Null stands for a place covered by a merged cell. */
export type CellSpec =
  | string
  | null
  | (Partial<Omit<ReadCell, 'text' | 'numeral'>> & { text: string; numeral?: string | null; confidence?: number });

const CELL_HEIGHT = 20;

/** A table as a perfect reader would give it; widths follow the longest text of a column. */
export function readTable(rows: readonly (readonly CellSpec[])[], options: Partial<ReadTable> = {}): ReadTable {
  const columnCount = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from(
    { length: columnCount },
    (_, column) => Math.max(...rows.map((row) => textOf(row[column] ?? null).length), 1) * 10,
  );
  const cells = rows.flatMap((row, rowIndex) =>
    row.flatMap((spec, column) => (spec === null ? [] : [readCell(spec, rowIndex, column, widths)])),
  );
  const width = widths.reduce((sum, each) => sum + each, 0);
  return {
    box: { x: 0, y: 0, width, height: rows.length * CELL_HEIGHT },
    rowCount: rows.length,
    columnCount,
    cells,
    bounded: true,
    ...options,
  };
}

export function pageReading(tables: readonly ReadTable[], texts: readonly string[] = []): PageReading {
  const page = { width: 1000, height: 1400 };
  return {
    geometry: { rotation: 0, source: page, oriented: page, crop: null },
    image: { readable: true, issues: [], drawn: false },
    tables: belowEachOther(tables),
    texts: texts.map((text, i) => ({ text, confidence: 0.95, box: { x: 0, y: i * 20, width: 300, height: 18 } })),
    page,
  };
}

/** Tables that would be on each other, one below the other. */
function belowEachOther(tables: readonly ReadTable[]): readonly ReadTable[] {
  const moved: ReadTable[] = [];
  for (const table of tables) {
    const last = moved.at(-1);
    const isHere = last && table.box.x === last.box.x && table.box.y === 0;
    const by = isHere ? last.box.y + last.box.height + 2 * CELL_HEIGHT : 0;
    const down = <T extends { box: Box }>(part: T): T => ({ ...part, box: { ...part.box, y: part.box.y + by } });
    const cells = table.cells.map((cell) => ({ ...down(cell), ...(cell.lines && { lines: cell.lines.map(down) }) }));
    moved.push({ ...down(table), cells });
  }
  return moved;
}

function readCell(spec: CellSpec & {}, row: number, column: number, widths: readonly number[]): ReadCell {
  const { text, confidence = 0.99, numeral, ...rest } = typeof spec === 'string' ? { text: spec } : spec;
  const columnSpan = rest.columnSpan ?? 1;
  const digits = text.replace(/[^\d.,-]/g, '');
  const restricted = numeral === undefined ? (/[가-힣]/.test(text) ? null : digits) : numeral;
  const x = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const y = row * CELL_HEIGHT;
  const width = widths.slice(column, column + columnSpan).reduce((sum, each) => sum + each, 0);
  const lines = rest.lines?.map((line) => ({ ...line, box: { ...line.box, x: line.box.x + x, y: line.box.y + y } }));
  return {
    row,
    column,
    rowSpan: 1,
    columnSpan,
    box: { x, y, width, height: CELL_HEIGHT },
    blank: text === '' && !restricted,
    text: { text, confidence },
    numeral: restricted ? { text: restricted, confidence } : null,
    ...rest,
    // Without a place, a cell gives those of its lines from its corner.
    ...(lines && !rest.box && { lines }),
  };
}

/** A cell of several printed lines, one below the other; the letters of each as wide as given, in pixels. */
export function linedCell(lines: readonly string[], letterWidths: readonly number[] = []): CellSpec {
  return {
    text: lines.join(''),
    numeral: null,
    lines: lines.map((text, index) => ({
      text,
      confidence: 0.99,
      numeral: null,
      box: {
        x: 0,
        y: index * (CELL_HEIGHT / lines.length),
        width: displayWidth(text) * (letterWidths[index] ?? 5),
        height: 0.8 * (CELL_HEIGHT / lines.length),
      },
    })),
  };
}

function textOf(spec: CellSpec): string {
  return spec === null ? '' : typeof spec === 'string' ? spec : spec.text;
}
