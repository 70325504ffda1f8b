import { describe, expect, it } from 'vitest';
import { Grid } from '../../../../../functions/extraction/domain/interpret/grid.ts';
import { headerOf } from '../../../../../functions/extraction/domain/interpret/headers/column-header.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;

function kinds(...rows: (readonly CellSpec[])[]) {
  const grid = new Grid(readTable([...rows, rows[0]!.map(() => '1')]));
  const headerRows = rows.map((_, i) => i);
  return Array.from(
    { length: grid.columnCount },
    (_, column) => headerOf(grid, column, headerRows, template)?.kind ?? null,
  );
}

describe('headerOf', () => {
  it('knows words with blanks, units and letters misread', () => {
    expect(kinds(['No.', '보험 코드', '약품명', '1회 투약량', '단가(원)', '금 엑'])).toEqual([
      'other',
      'drugCode',
      'drugName',
      'quantity',
      'unitPrice',
      'totalAmount',
    ]);
  });

  it('knows Korean words with the English ones that forms in two languages print over them', () => {
    expect(
      kinds(['Medication 처방의약품의 명칭', 'Dose 1회투약량', 'Freq./day 1일횟수', 'Days 총일수', 'Sig. 용법']),
    ).toEqual(['drugName', 'quantity', 'timesPerDay', 'days', 'other']);
    expect(kinds(['EDI코드', '약품명', 'DRUG STORE 강남'])).toEqual(['drugCode', 'drugName', null]);
    // Similar enough to the word alone to be identified without the other one.
    const cell = { rowSpan: 1, columnSpan: 1, text: 'Days총투약일수' };
    expect(headerOf(new Grid(readTable([[cell], ['1']])), 0, [0], template)?.score).toBe(1);
    // The legible part of the Korean word begins another one, too.
    expect(kinds(['DRUG NAME 약품명', 'Dose/time 1회투약량', 'Days총투약'])).toEqual(['drugName', 'quantity', 'days']);
    expect(kinds(['DRUG NAME 약품명', 'Total 총투약량'])).toEqual(['drugName', 'prescribedQty']);
  });

  it('knows one letter, where it is the whole header', () => {
    expect(kinds(['코드', '약품명', '량', '일', '총', '단가', '금액']).slice(2, 5)).toEqual([
      'quantity',
      'days',
      'prescribedQty',
    ]);
    expect(kinds(['약품명', '총', '1일'], ['', '투약일수', ''])).toEqual(['drugName', 'days', 'timesPerDay']);
  });

  it('is not the word of another column if it is the lower of two lines and the upper one was not read', () => {
    expect(kinds(['약품명', '1호', '1일', '총'], ['', '투 여', '량투여횟수', '투여일수'])).toEqual([
      'drugName',
      null,
      'timesPerDay',
      'days',
    ]);
    expect(kinds(['약품명', '투여', '비고'])).toEqual(['drugName', 'other', 'other']);
  });

  it('takes no word of a neighbour in either language for its own', () => {
    expect(kinds(['Dose 1회투약량', 'Tmes/day 1일투약횟수', 'Duration 총투약일수'])).toEqual([
      'quantity',
      'timesPerDay',
      'days',
    ]);
  });

  it('knows names next to the word of another column', () => {
    expect(kinds(['약품명 / 제조사', '제조회사/품명', '1회투약량'])).toEqual(['drugName', 'drugName', 'quantity']);
    expect(kinds(['약품명', '용법/용량'])[1]).not.toBe('quantity');
  });

  it('knows the header of a column that takes up two of the grid, since a rule of another part of the form runs in it', () => {
    const two = (text: string) => [{ text, columnSpan: 2 }, null];
    const rows = [
      ['약품명', ...two('1회 투약량'), '투약일수'],
      ['가나정', ...two('1'), '3'],
      ['다라정', ...two('2'), '5'],
    ];
    const kind = (column: number, body: readonly (readonly CellSpec[])[]) =>
      headerOf(new Grid(readTable([rows[0]!, ...body])), column, [0], template)?.kind ?? null;
    expect(kind(1, rows.slice(1))).toBe('quantity');
    // Over two columns it is the header of a group.
    expect(kind(1, [['가나정', '1', '2', '3']])).toBeNull();
  });

  it('puts words together that were cut at the wrong blank', () => {
    expect(kinds(['1회량 1', '일횟수', '일수 총', '사용량 단', '가(원)'])).toEqual([
      'quantity',
      'timesPerDay',
      'days',
      'prescribedQty',
      'unitPrice',
    ]);
  });

  it('prefers the whole word to a part of it that is another word', () => {
    expect(kinds(['총', '사용량', '금액'])[1]).toBe('prescribedQty');
  });

  it('joins a word over two rows, and knows one that is merged over both', () => {
    expect(kinds(['투약', '총사용량'], ['일수', ''])).toEqual(['days', 'prescribedQty']);
  });

  it('prefers the lower of two equally good rows: above it is a title', () => {
    expect(kinds(['', '의약품 표준코드', '집계'], ['표준코드', '제품명', '금액'])).toEqual([
      'drugCode',
      'drugName',
      'totalAmount',
    ]);
  });

  it('announces nothing if it is not a header', () => {
    expect(kinds(['가나다라', '640500010', ''])).toEqual([null, null, null]);
  });
});
