import { describe, expect, it } from 'vitest';
import type { DrugLine } from '../../../../../functions/extraction/domain/drug-line.ts';
import { joinHalves } from '../../../../../functions/extraction/domain/interpret/lists/halved-lines.ts';
import { drugLine } from '../../../../helpers/drug-table.ts';

const code = (drugCode: string, drugName: string | null = null) => ({ drugCode, drugName });
const named = (drugName: string, quantity: number) => ({ drugName, quantity, days: 7 });
const lines = (...values: readonly Parameters<typeof drugLine>[0][]) =>
  values.map((each, row) => drugLine(each, row + 1));
const shown = (all: readonly DrugLine[]) =>
  all.map(({ drugCode, drugName, quantity }) => [drugCode.value, drugName.value, quantity.value]);
const DRUGS = [
  ['640500010', '가온정', 1],
  ['653100230', '나래캡슐', 0.5],
];

describe('a list that prints each drug in two lines', () => {
  it('is joined where codes come first', () => {
    const printed = lines(code('640500010'), named('가온정', 1), code('653100230'), named('나래캡슐', 0.5));
    expect(shown(joinHalves(printed))).toEqual(DRUGS);
  });

  it('is joined where names come first and packs follow the codes', () => {
    const printed = lines(
      named('가온정', 1),
      code('640500010', '(5mg/1정)'),
      named('나래캡슐', 0.5),
      code('653100230', '(1캡슐)'),
    );
    expect(shown(joinHalves(printed))).toEqual(DRUGS);
  });

  it.each([
    ['two codes follow each other', [code('640500010'), code('653100230'), named('가온정', 1), named('나래캡슐', 1)]],
    ['one half is missing', [code('640500010'), named('가온정', 1), code('653100230')]],
    ['there is one drug only', [code('640500010'), named('가온정', 1)]],
  ])('stays as it is where %s', (_, values) => {
    const printed = lines(...values);
    expect(joinHalves(printed)).toBe(printed);
  });

  it('leaves whole lines between the halves alone', () => {
    const whole = { drugCode: '651700430', drugName: '다솜시럽', quantity: 15, days: 3 };
    const printed = lines(code('640500010'), named('가온정', 1), whole, code('653100230'), named('나래캡슐', 0.5));
    expect(shown(joinHalves(printed))).toEqual([DRUGS[0], ['651700430', '다솜시럽', 15], DRUGS[1]]);
  });
});
