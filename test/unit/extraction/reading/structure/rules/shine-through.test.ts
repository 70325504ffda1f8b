import { describe, expect, it } from 'vitest';
import { withoutShineThrough } from '../../../../../../functions/extraction/domain/reading/structure/rules/shine-through.ts';
import { rule } from '../../../../../helpers/draw.ts';

const LETTER_HEIGHT = 14;
describe('rules of the other side', () => {
  const horizontal = [0, 40, 80, 120, 160].map((at) => rule(at, 0, 400, 180));
  const columns = [0, 100, 200, 400].map((at) => rule(at, 0, 160, 180));
  const columnsKept = (...stray: ReturnType<typeof rule>[]) =>
    withoutShineThrough({ horizontal, vertical: [...columns, ...stray] }, LETTER_HEIGHT)
      .vertical.slice(4)
      .map(({ at }) => at);

  it('are recognised though one or two faint ones are left, and end at rules by chance', () => {
    expect(columnsKept(rule(300, 0, 40, 20))).toEqual([]);
    expect(columnsKept(rule(300, 0, 40, 20), rule(350, 0, 40, 30))).toEqual([]);
  });

  it('differ from a column of a pale form, from many pale ones, and from hardly paler ones', () => {
    expect(columnsKept(rule(300, 0, 160, 20))).toEqual([300]);
    expect(columnsKept(...[250, 300, 350].map((at) => rule(at, 0, 40, 20)))).toEqual([250, 300, 350]);
    expect(columnsKept(rule(300, 0, 40, 100))).toEqual([300]);
  });

  it('end at rules by chance where others of their form cross rules', () => {
    const crossing = [220, 260, 330, 370].map((at) => rule(at, 12, 148, 60));
    expect(columnsKept(...crossing, rule(300, 0, 40, 60))).toEqual([]);
    expect(columnsKept(...crossing, rule(300, 0, 160, 60))).toEqual([300]);
  });
});
