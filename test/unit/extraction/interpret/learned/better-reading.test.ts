import { describe, expect, it } from 'vitest';
import type { DrugLine } from '../../../../../functions/extraction/domain/drug-line.ts';
import { isBetterReading } from '../../../../../functions/extraction/domain/interpret/learned/better-reading.ts';
import { type KnownDrugs, NO_KNOWN_DRUGS } from '../../../../../functions/extraction/domain/master/known-drugs.ts';
import type { NumericField } from '../../../../../functions/extraction/domain/sheet-arithmetic.ts';

interface Printed extends Partial<Record<NumericField, number>> {
  readonly code?: string;
  readonly name?: string;
}

function lineOf({ code, name, ...numbers }: Printed, row: number): DrugLine {
  const text = (value: string | undefined) => ({ value: value ?? null, text: value ?? '', confidence: 1 });
  const number = (field: NumericField) => ({
    value: numbers[field] ?? null,
    text: String(numbers[field] ?? ''),
    confidence: 1,
  });
  return {
    drugCode: text(code),
    drugName: text(name),
    quantity: number('quantity'),
    timesPerDay: number('timesPerDay'),
    days: number('days'),
    prescribedQty: number('prescribedQty'),
    unitPrice: number('unitPrice'),
    totalAmount: number('totalAmount'),
    row,
  };
}

const CODE = '645902470';
const NAME = '인데놀정10mg';
const proven = (printed: readonly Printed[], greens = 0) => ({ lines: printed.map(lineOf), greens });
const better = (learned: readonly Printed[], rules: readonly Printed[], known: KnownDrugs = NO_KNOWN_DRUGS) =>
  isBetterReading(proven(learned), proven(rules), known);

describe('isBetterReading', () => {
  it('prefers the reading that has more numbers', () => {
    const fewer = [{ code: CODE, name: NAME, quantity: 1 }];
    const more = [{ code: CODE, name: NAME, quantity: 1, days: 7 }];
    expect([better(more, fewer), better(fewer, more)]).toEqual([true, false]);
  });

  it('keeps the rules if both prove as much', () => {
    const same = [{ code: CODE, name: NAME, quantity: 1, days: 7 }];
    expect(better(same, same)).toBe(false);
  });

  it('prefers a reading of any drug to none', () => {
    expect(better([{ code: CODE, quantity: 1 }], [])).toBe(true);
  });

  it('prefers on a page of names the reading with more of the list, then that with more numbers', () => {
    const known: KnownDrugs = { pricesOf: () => [], isNamed: (name) => name === NAME };
    const fewer = [{ name: NAME, quantity: 1 }];
    const more = [{ name: NAME, quantity: 1, days: 7 }];
    const misread = [{ name: '인데놀정1Omg', quantity: 1, days: 7 }];
    expect([better(more, fewer, known), better(misread, fewer, known)]).toEqual([true, false]);
  });

  it('prefers no lines without a code on a page of codes', () => {
    const coded = [{ code: CODE, quantity: 1 }];
    const parts = [...coded, { name: NAME, quantity: 1, days: 7 }];
    expect([better(parts, coded), better(coded, parts)]).toEqual([false, true]);
  });

  it('counts GREEN lines', () => {
    const same = [{ code: CODE, quantity: 1 }];
    const byGreens = (learned: number, rules: number) =>
      isBetterReading(proven(same, learned), proven(same, rules), NO_KNOWN_DRUGS);
    expect([byGreens(1, 0), byGreens(0, 1)]).toEqual([true, false]);
  });

  it('counts equations that hold', () => {
    const holds = [{ code: CODE, quantity: 2, unitPrice: 100, totalAmount: 200 }];
    const fails = [{ code: CODE, quantity: 100, unitPrice: 2, totalAmount: 210 }];
    expect([better(holds, fails), better(fails, holds)]).toEqual([true, false]);
  });

  it('never gives up a code of the list that the rules read', () => {
    const known: KnownDrugs = { pricesOf: (code) => (code === '643500590' ? [31] : []), isNamed: () => false };
    const rules = [{ code: '643500590', quantity: 1 }];
    const learned = [{ code: CODE, name: NAME, quantity: 1, days: 7, unitPrice: 3, totalAmount: 21 }];
    expect(better(learned, rules, known)).toBe(false);
    expect(better([...learned, ...rules], rules, known)).toBe(true);
    expect(better(learned, rules)).toBe(true);
  });

  it('counts neither names nor numbers of other goods', () => {
    expect(better([{ name: 'A4 복사용지', quantity: 1, unitPrice: 100, totalAmount: 100 }], [])).toBe(false);
  });

  it('prefers codes of the list', () => {
    const known: KnownDrugs = { pricesOf: (code) => (code === CODE ? [31] : []), isNamed: () => false };
    const rules = [{ name: NAME, quantity: 1, days: 7 }];
    const [listed, unlisted] = [CODE, '645902479'].map((code) => [{ code, name: NAME, quantity: 1 }]);
    expect(better(listed!, rules, known)).toBe(true);
    expect(better(unlisted!, listed!, known)).toBe(false);
  });
});
