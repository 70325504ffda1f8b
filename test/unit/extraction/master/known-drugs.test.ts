import { describe, expect, it } from 'vitest';
import { knownDrugsOf } from '../../../../functions/extraction/domain/master/known-drugs.ts';
import { master } from '../../../helpers/two-drugs.ts';

const known = knownDrugsOf(master);

describe('what the drug list knows', () => {
  it('are all prices that a code ever had', () => {
    expect(['642900120', '999999999'].map(known.pricesOf)).toEqual([[450, 402, 390], []]);
  });

  it.each([
    ['the whole name', '나래캡슐200밀리그램(세레콕시브)_(0.2g/1캡슐)', true],
    ['a name without its brackets', '가온정 5mg', true],
    ['another strength', '가온정 10mg', false],
    ['a name with a wrong letter', '가은정 5mg', false],
    ['other goods', '복사용지 A4 80g', false],
  ])('a name as far as it is printed: %s', (_, printed, expected) => {
    expect(known.isNamed(printed)).toBe(expected);
  });
});
