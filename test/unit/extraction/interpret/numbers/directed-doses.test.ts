import { expect, it } from 'vitest';
import { withoutDirections } from '../../../../../functions/extraction/domain/interpret/numbers/directed-doses.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

function textOf(...lines: readonly string[]): string {
  const { cells, ...table } = readTable([[lines.join('')]]);
  const read = lines.map((text, index) => {
    const box = { x: 0, y: 20 * index, width: 10 * text.length, height: 16 };
    const numeral = /^\d/.test(text) ? { text: text.replace(/[^\d.]/g, ''), confidence: 0.99 } : null;
    return { text, confidence: 0.99, numeral, box };
  });
  return withoutDirections({ ...table, cells: [{ ...cells[0]!, lines: read }] }).cells[0]!.text.text;
}

it.each([
  ['1 T', '오전 9시, 오후 9시'],
  ['0.5', '아침 식후'],
  ['2정', '월수금'],
])('a dose is the print above when to take it: %s', (dose, direction) => {
  expect(textOf(dose, direction)).toBe(dose);
});

it('a name keeps its lines, and so do several numbers', () => {
  expect(textOf('가온정 5mg', '아침 식후')).toBe('가온정 5mg아침 식후');
  expect(textOf('1', '2')).toBe('12');
});
