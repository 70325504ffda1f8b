import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, linedCell, pageReading, readTable } from '../../../../helpers/page-reading.ts';

const HEADER = ['처방의약품의 명칭 및 코드', '1회투약량', '1일투여횟수', '총투약일수'];
const NAMES = ['가나정5mg', '다라정', '마바시럽'];

/** Codes and names of a list in whose first column these are printed. */
function drugsIn(column: readonly CellSpec[]) {
  const rows = column.map((cell, row) => [cell, '1', '3', `${row + 3}`]);
  const { table } = interpretPage(pageReading([readTable([HEADER, ...rows])]), findTemplate('default')!);
  return table?.lines.map(({ drugCode, drugName }) => [drugCode.value, drugName.value]);
}

const DRUGS = NAMES.map((name, row) => [`6501000${row + 1}0`, name]);

describe('codes in the column of the names', () => {
  it.each<[string, readonly CellSpec[]]>([
    ['right before the name', ['650100010가나정5mg', '650100020다라정', '650100030마바시럽']],
    ['in brackets', ['(650100010)가나정5mg', '[650100020] 다라정', '(650100030)마바시럽']],
    ['behind a serial number', ['1 650100010 가나정5mg', '2 650100020 다라정', '3 650100030 마바시럽']],
    ['above the name', DRUGS.map((lines) => linedCell(lines))],
    ['below the name', DRUGS.map(([code, name]) => linedCell([name!, `(${code})`]))],
  ])('are read %s', (_, column) => {
    expect(drugsIn(column)).toEqual(DRUGS);
  });

  it('are null for a line whose code was not read', () => {
    const column = ['650100010 가나정5mg', '다라정', '650100030 마바시럽'];
    expect(drugsIn(column)).toEqual(DRUGS.with(1, [null as never, '다라정']));
  });

  it('are those of a code alone, in an old form too', () => {
    expect(drugsIn(['650100010 가나정5mg', 'A50100030 마바시럽'])?.[1]).toEqual(['A50100030', '마바시럽']);
  });
});
