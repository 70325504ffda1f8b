import { describe, expect, it } from 'vitest';
import { joinCutNames } from '../../../../../functions/extraction/domain/interpret/columns/join-cut-names.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, linedCell, readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;
const wide = (text: string): CellSpec => ({ text, columnSpan: 2 });
const HEADER = [wide('처방의약품의 명칭'), null, '1회투약량', '투여횟수', '투약일수'];
const WHOLE = [wide('다라정5밀리그램(모사프리드)'), null, '1', '3', '7'];

function namesOf(...rows: readonly (readonly CellSpec[])[]) {
  const { cells } = joinCutNames(readTable([HEADER, ...rows]), template);
  return rows.map((_, index) =>
    cells.filter(({ row, column }) => row === index + 1 && column < 2).map(({ text }) => text.text),
  );
}

describe('joinCutNames', () => {
  it('joins the name that one row alone parts, line by line', () => {
    const cut = [linedCell(['가나정1밀리그램', '675100840']), linedCell(['(로수바스타틴)']), '1', '3', '7'];
    expect(namesOf(cut, WHOLE)).toEqual([['가나정1밀리그램(로수바스타틴)675100840'], ['다라정5밀리그램(모사프리드)']]);
  });

  it('leaves the columns of a table whose rows separate them, although one row reaches over', () => {
    const coded = (code: string, name: string) => [code, name, '1', '3', '7'];
    expect(namesOf(coded('(640500010)가나정', '5mg'), coded('(640500020)마바정', '5mg'), WHOLE)).toEqual([
      ['(640500010)가나정', '5mg'],
      ['(640500020)마바정', '5mg'],
      ['다라정5밀리그램(모사프리드)'],
    ]);
  });

  it('joins a name with its code if other cells hold both, though the header begins next to them', () => {
    const coded = (code: string, name: string) => [wide(`${code} ${name}`), null, '1', '3', '7'];
    const cut = [linedCell(['640500010']), linedCell(['1가나정5mg']), '1', '3', '7'];
    const rows = [cut, coded('640500020', '다라정5mg'), coded('640500030', '마바정5mg')];
    const { cells } = joinCutNames(readTable([['', '처방의약품의 명칭', '1회량', '횟수', '일수'], ...rows]), template);
    const first = cells.filter(({ row, column }) => row === 1 && column < 2);
    expect(first.map(({ columnSpan, text }) => [columnSpan, text.text])).toEqual([[2, '640500010 1가나정5mg']]);
  });
});
