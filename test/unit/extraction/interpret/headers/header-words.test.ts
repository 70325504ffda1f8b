import { describe, expect, it } from 'vitest';
import { matchHeader } from '../../../../../functions/extraction/domain/interpret/headers/header-words.ts';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { DRUGS, drugLinesOf, type FormCell, LINES, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

describe('a header', () => {
  it.each([
    ['1회', 'quantity'],
    ['1일', 'timesPerDay'],
    ['회/일', 'timesPerDay'],
    ['Day', 'days'],
    ['처방량', 'prescribedQty'],
    ['한번에 (1회량)', 'quantity'],
    ['며칠(일수)', 'days'],
    ['약가(원)', 'unitPrice'],
    ['약품명(성분명)_규격', 'drugName'],
    ['복용 기간', 'days'],
    ['반품 품목 (규격)', 'drugName'],
    ['현재고', 'quantity'],
    ['Dose', 'quantity'],
    ['Freq', 'timesPerDay'],
    ['투약', 'quantity'],
    ['EDI Code', 'drugCode'],
    ['Medication', 'drugName'],
    ['Total Qty', 'prescribedQty'],
    ['Unit Price', 'unitPrice'],
    ['Amount', 'totalAmount'],
    ['Duration', 'days'],
    ['품명 및 규격', 'drugName'],
    ['처방일자', 'other'],
    ['투약시간', 'other'],
    ['기간', 'days'],
    ['하루', 'timesPerDay'],
    ['1회투약', 'quantity'],
    ['총투', 'days'],
    ['Freq/day', 'timesPerDay'],
    ['Code', 'drugCode'],
    ['Order Code', 'drugCode'],
    ['보험EDI', 'drugCode'],
    ['비치수량', 'quantity'],
    ['특별 단가', 'unitPrice'],
    ['인정금액', 'other'],
  ])('%s announces %s', (text, kind) => {
    expect(matchHeader(text, template)?.kind).toBe(kind);
  });

  it.each(['16일', '단가수량일수', '점유율'])('%s announces none', (text) => {
    expect(matchHeader(text, template)).toBeNull();
  });

  it('in brackets belongs to its own column, not to that of the next', () => {
    const table = readTable([
      ['약 이름', '한번에 (1회량)', '하루 (횟수)', '며칠 (일수)'],
      ['가온정0.1밀리그램', '1', '1', '90'],
      ['나래정2.5mg', '4', '1', '4'],
    ]);
    expect(drugLinesOf(interpretPage(pageReading([table]), template))).toEqual([
      [null, '가온정0.1밀리그램', 1, 90],
      [null, '나래정2.5mg', 4, 4],
    ]);
  });
});

it('two grids side by side that were read as one have separate lists, though one has shorter words', () => {
  const table = readTable([
    ['코드', '명칭', '1회', '1일', '일수', '교부번호', '코드', '명칭', '1회투약량', '1일횟수', '총일수'],
    ['640500010', '가온주5mg', '1.00', '1', '1', '', '651700430', '다솜정', '1.00', '3', '5'],
    ['653100230', '나래주2mL', '0.50', '1', '1', '', '642900120', '라온캡슐', '0.3333', '3', '5'],
  ]);
  expect(drugLinesOf(interpretPage(pageReading([table]), template))).toEqual([
    ['640500010', '가온주5mg', 1, 1],
    ['653100230', '나래주2mL', 0.5, 1],
    ['651700430', '다솜정', 1, 5],
    ['642900120', '라온캡슐', 0.3333, 5],
  ]);
});

it.each([
  ['Medicaion 처방의약품의 명칭', 'drugName'],
  ['Dosc/imc 1회투약량', 'quantity'],
  ['Frcq. 1일투여횟수', 'timesPerDay'],
])('announces by its Korean words the field of misread small print in another language: %s', (text, kind) => {
  expect(matchHeader(text, template)?.kind).toBe(kind);
});

it.each(['복 용', '투약량'])(
  'in two rows is one, though its lower row is printed below all other words: %s',
  (group) => {
    const rows = DRUGS.map(([, name, quantity, times, days], index): readonly FormCell[] => {
      const top = 80 + 30 * index;
      const sides = [0, 300, 400, 500, 600];
      return [name, quantity, times, days].map((text, column) => ({
        box: [sides[column]!, top, sides[column + 1]!, top + 30],
        prints: [[text, sides[column]! + 5, top + 7]],
        row: index + 2,
        column,
      }));
    });
    const page = printedForm([
      { box: [0, 0, 300, 80], prints: [['약 품 명', 100, 22]], rowSpan: 2 },
      { box: [300, 0, 600, 40], prints: [[group, 430, 12]], column: 1, columnSpan: 3 },
      ...['1회', '1일횟수', '일수'].map(
        (text, index): FormCell => ({
          box: [300 + 100 * index, 40, 400 + 100 * index, 80],
          prints: [[text, 310 + 100 * index, 52]],
          row: 1,
          column: 1 + index,
        }),
      ),
      ...rows.flat(),
    ]);
    expect(drugLinesOf(interpretPage(page, template))).toEqual(LINES.map(([, ...values]) => [null, ...values]));
  },
);
