import { describe, expect, it } from 'vitest';
import { withHighlightedRows } from '../../../../../../functions/extraction/domain/reading/structure/rules/highlighted-rows.ts';
import { rule } from '../../../../../helpers/draw.ts';

const LETTER_HEIGHT = 11;

describe('columns that end where a row is filled', () => {
  const columns = [0, 100, 300, 500].map((at) => rule(at, 0, 80, 40));
  const rows = [0, 20, 40, 60].map((at) => rule(at, 0, 500, 40));
  const added = (below: ReturnType<typeof rule>, vertical = columns) => {
    const all = withHighlightedRows({ horizontal: [...rows, below], vertical }, LETTER_HEIGHT);
    return {
      rows: all.horizontal.slice(rows.length + 1).map(({ at }) => at),
      columns: all.vertical.slice(vertical.length).map(({ at, from, to }) => [at, from, to]),
    };
  };

  it('extend to the next row of their grid, and the rows between are added', () => {
    expect(added(rule(120, 0, 500, 40))).toEqual({
      rows: [80, 100],
      columns: [0, 100, 300, 500].map((at) => [at, 80, 120]),
    });
  });

  it.each([
    ['a rule of something else, longer or shorter', rule(120, 0, 700, 40)],
    ['a rule that is not a whole number of rows away', rule(110, 0, 500, 40)],
    ['a rule too far away', rule(200, 0, 500, 40)],
    ['the rule at which they end', rule(80, 0, 500, 40)],
  ])('do not extend to %s', (_, below) => {
    expect(added(below)).toEqual({ rows: [], columns: [] });
  });

  it('are at least three', () => {
    expect(added(rule(120, 0, 500, 40), columns.slice(2))).toEqual({ rows: [], columns: [] });
  });
});
