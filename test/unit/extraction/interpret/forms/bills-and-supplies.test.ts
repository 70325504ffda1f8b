import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { judgeTable } from '../../../../../functions/extraction/domain/judging/judge-table.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { drugMaster } from '../../../../helpers/drug-table.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { type Printed, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;
const master = drugMaster({ '640500010': ['가온정5밀리그램', 112], '642900120': ['나래캡슐200밀리그램', 402] });

function judged(rows: readonly (readonly string[])[]) {
  const { table } = interpretPage(pageReading([readTable(rows)]), template);
  return judgeTable(table!, master, '2026-11-21').items;
}

describe('an itemised bill (진료비 세부산정내역)', () => {
  const header = ['항목', '코드', '명칭', '일자', '금액', '단위', '횟수', '일수', '총액', '본인부담금'];
  const bill = (totals: readonly [string, string, string]) => [
    header,
    ['투약료', '640500010', '가온정5밀리그램', '2026-11-20', '112', '정', '3', '7', totals[0], '700'],
    ['투약료', '642900120', '나래캡슐200밀리그램', '2026-11-20', '402', '정', '0.5', '6', totals[1], '360'],
    ['투약료', '640500010', '가온정5밀리그램', '2026-11-21', '112', '정', '2', '5', totals[2], '330'],
  ];

  it('has its price under 금액, is proven by price × times × days, also by half a tablet a day, and counts by its times', () => {
    const items = judged(bill(['2,352', '1,206', '1,120']));
    expect(items.map(({ quantity, days, unitPrice, totalAmount }) => [quantity, days, unitPrice, totalAmount])).toEqual(
      [
        [3, 7, 112, 2352],
        [0.5, 6, 402, 1206],
        [2, 5, 112, 1120],
      ],
    );
    expect(items.map(({ status, review }) => [status, review])).toEqual(items.map(() => ['GREEN', []]));
  });

  it('is not GREEN where they do not come out', () => {
    expect(judged(bill(['2,352', '1,206', '1,720'])).at(-1)!.status).toBe('RED');
  });
});

describe("a supplier's list", () => {
  it('names the trade with each number', () => {
    const items = judged([
      ['연번', '약품코드', '약품명/규격', '구입처', '구입일', '구입수량', '구입단가', '구입금액'],
      ['1', '640500010', '가온정5밀리그램', '대성약품', '2026-02-03', '1,000', '112', '112,000'],
      ['2', '642900120', '나래캡슐200밀리그램', '한길팜', '2026-02-28', '30', '402', '12,060'],
    ]);
    expect(items.map(({ quantity, unitPrice, totalAmount }) => [quantity, unitPrice, totalAmount])).toEqual([
      [1000, 112, 112_000],
      [30, 402, 12_060],
    ]);
  });

  it('is read by the codes of the drugs, not by those of their packages next to them', () => {
    const items = judged([
      ['순번', '표준코드', '보험코드', '품목명', '수량', '단가', '금액'],
      ['1', '8806405000107', '640500010', '가온정5밀리그램', '10', '112', '1,120'],
      ['2', '8806429001205', '642900120', '나래캡슐200밀리그램', '20', '402', '8,040'],
    ]);
    expect(items.map(({ drugCode, drugName }) => [drugCode, drugName])).toEqual([
      ['640500010', '가온정5밀리그램'],
      ['642900120', '나래캡슐200밀리그램'],
    ]);
  });
});

describe('a list without rules', () => {
  const HEADER: readonly Printed[] = [
    ['[청구번호](증번호)', 0, 30],
    ['코드', 40, 60],
    ['처', 170, 60],
    ['방', 195, 60],
    ['명', 220, 60],
    ['총량', 400, 60],
    ['단가', 500, 60],
    ['합계', 600, 60],
    ['비고', 700, 60],
  ];
  const row = (
    y: number,
    remark: string,
    ...[code, name, total, price, amount]: readonly string[]
  ): readonly Printed[] => [
    [code!, 0, y],
    [name!, 110, y],
    // Numbers end right of their headers.
    [total!, 435 - 10 * total!.length, y],
    [price!, 535 - 10 * price!.length, y],
    [amount!, 650 - 10 * amount!.length, y],
    ...(remark === '' ? [] : [[remark, 690, y] as const]),
  ];
  const texts = [
    ...HEADER,
    ...row(90, '', '640500010', '가온정5밀리그램', '21', '112', '2,352'),
    ...row(120, '저함량', '642900120', '나래캡슐200밀리그램', '30', '402', '12,060'),
    ...row(150, '', '640500010', '가온정5밀리그램', '10', '112', '1,120'),
  ];

  it('has its amounts, where few lines have a remark behind them, and a header that is set wide below one in brackets', () => {
    const { table } = interpretPage(printedForm([], texts), template);
    expect(
      table!.lines.map(({ drugCode, drugName, prescribedQty, totalAmount }) =>
        [drugCode, drugName, prescribedQty, totalAmount].map(({ value }) => value),
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 21, 2352],
      ['642900120', '나래캡슐200밀리그램', 30, 12_060],
      ['640500010', '가온정5밀리그램', 10, 1120],
    ]);
  });
});
