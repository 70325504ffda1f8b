import { expect, it } from 'vitest';
import { headersOverCodes } from '../../../../../functions/extraction/domain/interpret/codes/coded-rows.ts';
import { printsOf } from '../../../../../functions/extraction/domain/interpret/print.ts';
import { type Printed, printedForm } from '../../../../helpers/printed-form.ts';

/** Lines of a half of a form that starts at `x`: a code with its name, and its numbers. */
const half = (x: number, ...lines: (readonly [drug: string, ...numbers: string[]])[]): readonly Printed[] =>
  lines.flatMap(([drug, ...numbers], row): Printed[] => [
    [drug, x, 200 + 40 * row],
    ...numbers.map((number, index): Printed => [number, x + 280 + 50 * index, 200 + 40 * row]),
  ]);

it('lists of codes side by side have a header each, over their own numbers, even if a remark below repeats codes', () => {
  const page = printedForm(
    [],
    [
      ...half(20, ['640500010 가온정5밀리그램', '1', '3', '14'], ['653100230 나래캡슐200mg', '2', '2', '7']),
      ...half(520, ['651700430 다솜정10mg', '1', '1', '5'], ['651700440 라온정10mg', '1', '3', '5']),
      ['640500010 사유코드 A', 20, 700],
      ['653100230 사유코드 B', 20, 740],
    ],
  );
  const headers = headersOverCodes(printsOf(page)).toSorted((a, b) => a.box.x - b.box.x);
  expect(headers.map(({ cells }) => cells.length)).toEqual([4, 4]);
  const [left, right] = headers;
  expect(left!.to).toBeLessThanOrEqual(520);
  expect(right!.from).toBeGreaterThan(left!.box.x + left!.box.width);
});
