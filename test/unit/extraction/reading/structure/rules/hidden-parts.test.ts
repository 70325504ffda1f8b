import { describe, expect, it } from 'vitest';
import { withHiddenParts } from '../../../../../../functions/extraction/domain/reading/structure/rules/hidden-parts.ts';
import { rule } from '../../../../../helpers/draw.ts';

const LETTER_HEIGHT = 14;

describe('a rule down the page that ends in the middle of a cell', () => {
  const horizontal = [0, 40, 200, 400].map((at) => rule(at, 0, 500, 200));
  const columns = [0, 100, 300, 500].map((at) => rule(at, 40, 400, 200));
  const partsOf = (own: ReturnType<typeof rule>, beside = columns) =>
    withHiddenParts({ horizontal, vertical: [...beside, own] }, LETTER_HEIGHT).vertical.slice(beside.length + 1);

  it('extends as far as the neighbouring rules that end with it', () => {
    expect(partsOf(rule(150, 230, 400, 200))).toMatchObject([{ at: 150, from: 40, to: 230 }]);
    expect(partsOf(rule(150, 40, 170, 200))).toMatchObject([{ at: 150, from: 170, to: 400 }]);
  });

  it('extends nowhere if it ends at a rule, if both its ends are free, and if its neighbours end apart', () => {
    expect(partsOf(rule(150, 200, 400, 200))).toEqual([]);
    expect(partsOf(rule(150, 230, 370, 200))).toEqual([]);
    const apart = [0, 40, 100, 200].map((from, index) => rule(100 * index, from, 400, 200));
    expect(partsOf(rule(150, 230, 400, 200), apart)).toEqual([]);
  });
});
