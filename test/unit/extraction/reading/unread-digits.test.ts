import { describe, expect, it } from 'vitest';
import type { LineImage } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import type { ReadTable } from '../../../../functions/extraction/domain/reading/table-reader.ts';
import { withUnreadDigits } from '../../../../functions/extraction/domain/reading/unread-digits.ts';
import { type CellSpec, linedCell, readTable } from '../../../helpers/page-reading.ts';

const DIGIT: LineImage = { width: 12, height: 24, pixels: new Uint8Array(12 * 24).fill(200) };

const lined = (text: string, width = 10): CellSpec => {
  const spec = linedCell([text]) as Exclude<CellSpec, string | null>;
  return { ...spec, blank: false, lines: spec.lines!.map((line) => ({ ...line, box: { ...line.box, width } })) };
};
const tableWith = (unread: CellSpec, above: CellSpec = lined('3')) =>
  readTable([
    [lined('가나정'), lined('1'), above],
    [lined('다라정'), lined('2'), unread],
  ]);

/** The readings of the samples, in their order; without an end nothing more. */
async function looked(table: ReadTable, ...seen: readonly (readonly [string, number])[]) {
  const looks: LineImage[] = [];
  const recognise = async (lines: readonly LineImage[]) =>
    lines.map((line) => {
      const [text, confidence] = seen[looks.push(line) - 1] ?? ['', 0];
      return { text: { text, confidence }, numeral: { text, confidence } };
    });
  const [read] = await withUnreadDigits([table], () => DIGIT, { recognise });
  return { looks, cell: read!.cells.find(({ row, column }) => row === 1 && column === 2)! };
}

describe('withUnreadDigits', () => {
  it('gives the digit that most looks see, doubted, with paper around it', async () => {
    const { cell, looks } = await looked(tableWith(lined('')), ['', 0], ['5', 0.8], ['5', 0.4]);
    expect(cell.text).toEqual({ text: '5', confidence: 0.4 });
    expect(cell.numeral).toEqual(cell.text);
    expect(cell.lines![0]).toMatchObject({ text: '5', confidence: 0.4 });
    expect(Math.max(...looks.map(({ width }) => width))).toBe(24 + 2 * 48);
  });

  it.each([
    ['one look', [['5', 0.9]]],
    [
      'two digits',
      [
        ['5', 0.9],
        ['3', 0.4],
        ['5', 0.9],
      ],
    ],
    [
      'letters',
      [
        ['정', 0.9],
        ['정', 0.9],
      ],
    ],
  ] as const)('gives none where %s saw it', async (_, seen) => {
    expect((await looked(tableWith(lined('')), ...seen)).cell.text.text).toBe('');
  });

  it.each([
    ['it was read', tableWith(lined('5'))],
    ['it is wider than a digit', tableWith(lined('', 60))],
    ['its column has no number', tableWith(lined(''), lined('식후'))],
    ['its cell is blank', tableWith('')],
  ])('does not look where %s', async (_, table) => {
    expect((await looked(table)).looks).toEqual([]);
  });
});
