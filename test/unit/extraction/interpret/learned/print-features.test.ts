import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  encodePrints,
  idsOf,
  LETTER_IDS,
  numbersOf,
} from '../../../../../functions/extraction/domain/interpret/learned/print-features.ts';
import type { Print } from '../../../../../functions/extraction/domain/interpret/print.ts';

/** Written by `ids_of` and `numbers_of` of training/tables/features.py: confidence 0.9, 4 by 0.8, the first code listed. */
const TRAINED = JSON.parse(readFileSync('test/fixtures/tables/features.json', 'utf8')) as readonly {
  readonly text: string;
  readonly ids: readonly number[];
  readonly numbers: readonly number[];
}[];

function print(text: string, x: number, y: number): Print {
  const box = { x, y, width: 40, height: 10 };
  return { text, confidence: 1, numeral: null, box, cell: null, table: null, line: null };
}

describe('encodePrints', () => {
  it.each(TRAINED)('encodes $text as the training does', ({ text, ids, numbers }) => {
    expect(idsOf(text)).toEqual(ids);
    const encoded = numbersOf(text, 0.9, text === '645902470', 5);
    for (const [index, number] of numbers.entries()) expect(encoded[index]).toBeCloseTo(number, 5);
  });

  it('measures places in letter heights', () => {
    const { boxes, cells, ids, count } = encodePrints([print('품명', 10, 20), print('1', 30, 40)], {
      pricesOf: () => [],
      isNamed: () => false,
    });
    expect(count).toBe(2);
    expect([...boxes]).toEqual([1, 2, 5, 3, 3, 4, 7, 5]);
    expect([...cells]).toEqual([-1, 0, 0, -1, -1, 0, 0, -1]);
    expect(ids.length).toBe(2 * LETTER_IDS);
  });

  it('marks codes that the list has', () => {
    const known = { pricesOf: (code: string) => (code === '645902470' ? [12] : []), isNamed: () => false };
    const KNOWN = 16;
    const { numbers } = encodePrints([print('비) 645902470 인데놀정', 0, 0), print('645902471', 0, 0)], known);
    expect([numbers[KNOWN], numbers[numbers.length / 2 + KNOWN]]).toEqual([1, 0]);
  });
});
