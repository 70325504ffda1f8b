import { describe, expect, it } from 'vitest';
import { withHiddenParts } from '../../../../functions/extraction/domain/reading/structure/hidden-parts.ts';
import { rule } from '../../../helpers/draw.ts';

const LETTER_HEIGHT = 14;

describe('a rule that runs along one of the other side', () => {
  const horizontal = [0, 40, 200, 400].map((at) => rule(at, 0, 500, 200));
  const columns = [0, 100, 300, 500].map((at) => rule(at, 40, 400, 200));
  const half = rule(200, 230, 400, 200);
  const partsOf = (own: ReturnType<typeof rule>, ...foreign: ReturnType<typeof rule>[]) => {
    const frame = { horizontal, vertical: [...columns, own] };
    const both = { horizontal, vertical: [...frame.vertical, ...foreign] };
    return withHiddenParts(frame, both, LETTER_HEIGHT).vertical.slice(columns.length + 1);
  };

  it('goes on under it as far as the rules beside it', () => {
    expect(partsOf(half, rule(202, -150, 240, 120))).toMatchObject([{ at: 200, from: 40, to: 230 }]);
    expect(partsOf(rule(200, 40, 170, 200), rule(202, 160, 450, 120))).toMatchObject([{ at: 200, from: 170, to: 400 }]);
  });

  it('ends where it ends at a rule, where none runs along it, and where that one does not go as far', () => {
    expect(partsOf(rule(200, 200, 400, 200), rule(202, -150, 240, 120))).toEqual([]);
    expect(partsOf(half)).toEqual([]);
    expect(partsOf(half, rule(230, -150, 240, 120))).toEqual([]);
    expect(partsOf(half, rule(202, 120, 240, 120))).toEqual([]);
  });
});
