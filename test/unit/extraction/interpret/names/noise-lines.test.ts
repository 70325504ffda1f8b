import { describe, expect, it } from 'vitest';
import { withoutNoiseLines } from '../../../../../functions/extraction/domain/interpret/names/noise-lines.ts';
import type { ReadCell } from '../../../../../functions/extraction/domain/reading/table-reader.ts';

const LINE = 20;

type Line = readonly [text: string, confidence: number, y?: number];

/** The one cell of a table, with lines below each other where nothing else is said. */
function cellOf(lines: readonly Line[]): ReadCell {
  const read = lines.map(([text, confidence, y], n) => {
    return { text, confidence, numeral: null, box: { x: 0, y: y ?? n * LINE, width: 200, height: LINE - 2 } };
  });
  const cell: ReadCell = {
    row: 0,
    column: 0,
    rowSpan: 1,
    columnSpan: 1,
    box: { x: 0, y: 0, width: 200, height: 60 },
    blank: false,
    text: { text: lines.map(([text]) => text).join(''), confidence: 0.3 },
    numeral: null,
    lines: read,
  };
  const table = { box: cell.box, rowCount: 1, columnCount: 1, cells: [cell], bounded: true };
  return withoutNoiseLines(table).cells[0]!;
}

describe('the lines of a name', () => {
  const name = '653100230 나래캡슐200mg(나래';

  it.each<[string, ...Line[]]>([
    ['specks below it', [name, 0.97], ['*2', 0.3]],
    ['the same print found twice', [name, 0.97], ['53100230 나래캡슐200mg(나래', 0.95, 3]],
    ["a pen's stroke below it", [name, 0.97], ['22', 0.67]],
    ['a stroke above it, read as a digit', ['2', 0.46, -6], [name, 0.97]],
    ['its lower half found once more', [name, 0.97], ['53100280 니내갭슬200m', 0.6, 6]],
  ])('are not a part of %s, and more may have been printed there', (_, ...lines) => {
    expect(cellOf(lines)).toMatchObject({ text: { text: name, confidence: 0.97 }, crossed: true });
  });

  it.each<[string, ...Line[]]>([
    ['a sure reading', [name, 0.97], ['염산염)', 0.6]],
    ['a line below one that is not surer', [name, 0.4], ['염산염)', 0.3]],
    ['a digit above it that was read surely', ['2', 0.9], [name, 0.97]],
    ['a line below a number', ['10', 0.97], ['5', 0.2]],
  ])('stay as they are: %s', (_, ...lines) => {
    const cell = cellOf(lines);
    expect([cell.lines?.length, cell.text.text, cell.crossed]).toEqual([
      2,
      lines.map(([text]) => text).join(''),
      undefined,
    ]);
  });
});
