import { expect, it } from 'vitest';
import { splitDoseLines } from '../../../../../functions/extraction/domain/interpret/doses/split-dose-lines.ts';
import { printsOf } from '../../../../../functions/extraction/domain/interpret/print.ts';
import type { ReadLine, ReadPiece } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

const piece = (text: string, x: number, y: number): ReadPiece => {
  return {
    text,
    confidence: text === '' ? 0 : 0.99,
    numeral: null,
    box: { x, y, width: 12 * text.length, height: 20 },
  };
};
const line = (text: string, y: number, pieces?: readonly ReadPiece[]): ReadLine => ({
  ...piece(text, 700, y),
  ...(pieces && { pieces }),
});

it('a dose with wide blanks around its marks is the whole line’s, though a mark of a part was misread and of one alone nothing was read', () => {
  const { cells, ...table } = readTable([['1회투약량/횟수/일수'], ['doses']]);
  const parted = [piece('0.3333T 1', 700, 100), piece('4회', 830, 100), piece('', 880, 100), piece('90일', 900, 100)];
  const lines = [
    [line('1회투약량/횟수/일수', 20)],
    [line('0.75T / 3회 / 90일', 70), line('0.3333T / 4회 / 90일', 100, parted)],
  ];
  const [head, body] = cells.map((cell, row) => {
    return { ...cell, lines: lines[row]!, box: { x: 690, y: row * 50, width: 300, height: row === 0 ? 50 : 200 } };
  });
  const prints = printsOf({ tables: [{ ...table, cells: [head!, body!] }], texts: [] });
  const numbers = splitDoseLines(prints, findTemplate('default')!).filter(({ numeral }) => numeral !== null);
  expect(numbers.map(({ text }) => text)).toEqual(['0.75', '3', '90', '0.3333', '4', '90']);
});
