import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { DRUGS, drugLinesOf, LINES, type Printed, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

/** A receipt of 360 pixels: the header in two lines, and every drug. */
function receipt(drugs: readonly (typeof DRUGS)[number][], below: readonly Printed[]): readonly Printed[] {
  const header: readonly Printed[] = [
    ['보험코드', 20, 40],
    ['약품명', 130, 40],
    ['1회', 20, 70],
    ['횟수', 90, 70],
    ['일수', 160, 70],
    ['금액', 300, 70],
  ];
  const body = drugs.flatMap(([code, name, quantity, times, days], index): readonly Printed[] => {
    const y = 110 + index * 60;
    return [
      [`${code} ${name}`, 20, y],
      [quantity, 25, y + 28],
      [times, 95, y + 28],
      [days, 165, y + 28],
      [`1,${index}00`, 300, y + 28],
    ];
  });
  return [['약제비 계산서', 120, 10], ...header, ...body, ...below];
}

const TOTAL: readonly Printed[] = [
  ['약품비 소계', 20, 300],
  ['3,300', 300, 300],
  ['카드승인 30021984', 20, 330],
];

describe('a receipt that prints the numbers of each drug below its name', () => {
  it('gives them, and nothing of the lines below the list', () => {
    const { table } = interpretPage(printedForm([], receipt(DRUGS, TOTAL)), template);
    expect(drugLinesOf({ table } as ReturnType<typeof interpretPage>)).toEqual(LINES);
    expect(table!.lines.map(({ totalAmount }) => totalAmount.value)).toEqual([1000, 1100, 1200]);
    expect(table!.printedTotals.totalAmount).toBe(3300);
  });

  it('gives them without codes, and with signs between the numbers', () => {
    const signs = DRUGS.flatMap((_, index): readonly Printed[] => {
      const y = 110 + index * 60 + 28;
      return [
        ['x', 60, y],
        ['X', 130, y],
      ];
    });
    const withoutCodes = receipt(DRUGS, TOTAL).map(
      ([text, ...place]): Printed => [text.replace(/^\d{9} /, ''), ...place],
    );
    const page = printedForm([], [...withoutCodes.filter(([text]) => text !== '보험코드'), ...signs]);
    expect(drugLinesOf(interpretPage(page, template))).toEqual(LINES.map(([, ...values]) => [null, ...values]));
  });

  it('is left as it is with one drug: a line of numbers below a name may be anything', () => {
    const lines = drugLinesOf(interpretPage(printedForm([], receipt(DRUGS.slice(0, 1), [])), template));
    expect(lines?.map(([, , quantity]) => quantity) ?? []).not.toContain(1);
  });
});
