import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from '../../../helpers/page-reading.ts';
import { drugLinesOf, type Printed, printedForm } from '../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

function linesOf(...rows: (readonly CellSpec[])[]) {
  const { table } = interpretPage(pageReading([readTable(rows)]), template);
  return table?.lines.map((line) => [
    line.drugCode.value,
    line.drugName.value,
    line.quantity.value,
    line.timesPerDay.value,
    line.days.value,
  ]);
}

describe('a column of doses', () => {
  it('holds the dose, times a day and days, with whatever mark between them', () => {
    expect(
      linesOf(
        ['처방의약품의 명칭', '1회량 / 횟수 / 일수', '용법'],
        ['640500010 가온정5밀리그램', '1.00 / 3 / 7', '식후 30분'],
        ['653100230 나래캡슐200mg', '0.5정x2회x5일', '식후 30분'],
        ['651700430 다솜시럽', '15mL × 3 × 3', '식전'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 1, 3, 7],
      ['653100230', '나래캡슐200mg', 0.5, 2, 5],
      ['651700430', '다솜시럽', 15, 3, 3],
    ]);
  });

  it('is none where its header names no dose, or few cells hold three numbers', () => {
    expect(
      linesOf(
        ['약품코드', '약품명', '1회량', '횟수', '일수', '단가/금액/비고'],
        ['640500010', '가온정5밀리그램', '1', '3', '7', '1/2/3'],
        ['653100230', '나래캡슐200mg', '0.5', '2', '5', '4/5/6'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 1, 3, 7],
      ['653100230', '나래캡슐200mg', 0.5, 2, 5],
    ]);
  });
});

describe('a list in two halves', () => {
  const HALF = ['No', '약품코드', '약품명', '1회투약량', '1일투여횟수', '총투약일수'];

  it('is read down the left one, then down the right one', () => {
    expect(
      linesOf(
        [...HALF, ...HALF],
        ['1', '640500010', '가온정', '1', '3', '7', '3', '651700430', '다솜시럽', '15', '3', '3'],
        ['2', '653100230', '나래캡슐', '0.5', '2', '5', '4', '642900040', '라온연고', '2', '1', '9'],
      ),
    ).toEqual([
      ['640500010', '가온정', 1, 3, 7],
      ['653100230', '나래캡슐', 0.5, 2, 5],
      ['651700430', '다솜시럽', 15, 3, 3],
      ['642900040', '라온연고', 2, 1, 9],
    ]);
  });

  it('is read so where no rows part it, and a code stands before its name', () => {
    const half = (x: number, rows: readonly (readonly string[])[]): readonly Printed[] => [
      ['처방의약품의 명칭', x + 60, 400],
      ['1회투약량', x + 230, 400],
      ['1일투여횟수', x + 300, 400],
      ['총투약일수', x + 380, 400],
      ...rows.flatMap(([name, ...numbers], row): readonly Printed[] => [
        [name!, x, 440 + row * 30],
        ...numbers.map((text, n): Printed => [text, x + [250, 330, 400][n]!, 440 + row * 30]),
      ]),
    ];
    const page = printedForm(
      [],
      [
        ['처방전', 440, 70],
        ...half(20, [
          ['640500010 가온정', '1', '3', '7'],
          ['653100230 나래캡슐', '0.5', '2', '5'],
          ['651700430 다솜시럽', '15', '3', '3'],
        ]),
        ...half(500, [['642900040 라온연고', '2', '1', '9']]),
      ],
    );
    expect(drugLinesOf(interpretPage(page, template))).toEqual([
      ['640500010', '가온정', 1, 7],
      ['653100230', '나래캡슐', 0.5, 5],
      ['651700430', '다솜시럽', 15, 3],
      ['642900040', '라온연고', 2, 9],
    ]);
  });

  it('is one list where the words behind the numbers are others', () => {
    expect(
      linesOf(
        ['약품명', '1회투약량', '1일투여횟수', '총투약일수', '코드'],
        ['가온정5밀리그램', '1', '3', '7', '640500010'],
        ['나래캡슐200mg', '0.5', '2', '5', '653100230'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 1, 3, 7],
      ['653100230', '나래캡슐200mg', 0.5, 2, 5],
    ]);
  });
});
