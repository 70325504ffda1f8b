import { describe, expect, it } from 'vitest';
import { splitNameColumn } from '../../../../../functions/extraction/domain/interpret/columns/split-name-column.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;

/** Texts of the rows of a table of these names with the times a day behind them. */
function split(...names: readonly string[]) {
  const { cells, columnCount } = splitNameColumn(readTable(names.map((name) => [name, '3'])), template);
  return names.map((_, row) =>
    Array.from({ length: columnCount }, (_, column) => {
      const cell = cells.find((each) => each.row === row && each.column === column)!;
      return cell.blank ? '' : cell.text.text;
    }),
  );
}

describe('names and doses that were read as one column', () => {
  it('are two', () => {
    expect(split('가온정60mg(나래) 2.00정', '다솜건조시럽100g 10.00cc', '라온연질캡슐5mg(마루·바다1.00캡슐')).toEqual([
      ['가온정60mg(나래)', '2.00정', '3'],
      ['다솜건조시럽100g', '10.00cc', '3'],
      ['라온연질캡슐5mg(마루·바다', '1.00캡슐', '3'],
    ]);
  });

  it('are two where a row shows no dose, or a piece of the rule before it', () => {
    expect(split('가온정60mg 2.00정', '다솜건조시럽100g', '라온정5mg 1 0.50정', '마루정5mg 1.00정')).toEqual([
      ['가온정60mg', '2.00정', '3'],
      ['다솜건조시럽100g', '', '3'],
      ['라온정5mg', '0.50정', '3'],
      ['마루정5mg', '1.00정', '3'],
    ]);
  });

  it.each([
    ['the names end in their packs', ['가온정5mg/1.00정', '나래정5mg/1.00정', '다솜정5mg/1.00정']],
    ['the names end in whole numbers of units', ['가온정5mg 1정', '나래정5mg 2정', '다솜정5mg 3정']],
    ['two names end so', ['가온정5mg 1.00정', '나래정5mg 2.00정', '다솜정5mg']],
    [
      'most names do not',
      ['가온정5mg 1.00정', '나래정5mg 2.00정', '다솜정5mg 1.00정', '라온정5mg', '마루정5mg', '바다정5mg'],
    ],
  ])('are one where %s', (_, names) => {
    expect(split(...names)).toEqual(names.map((name) => [name, '3']));
  });

  it('are one of names alone where a header announces the doses', () => {
    const vials = ['가온주0.5mL', '나래프리필드시린지주 0.5mL', '다솜주 0.5mL'].map((name) => [name, '1', '1']);
    const table = readTable([['약품명', '1회투약량', '일수'], ...vials]);
    expect(splitNameColumn(table, template)).toBe(table);
    expect(splitNameColumn(readTable([['약품명', '가나', '일수'], ...vials]), template).columnCount).toBe(4);
  });
});
