import { describe, expect, it } from 'vitest';
import { printOnColumnRule } from '../../../../../../functions/extraction/domain/reading/structure/cells/on-column-rule.ts';
import { fill, flatPicture } from '../../../../../helpers/draw.ts';

const RULE = { x: 50, width: 2 };
const ROWS = { top: 40, height: 16 };

/** Where print ends, with its rule: a rule down the page and a stroke of a digit from `left` on, which the rule has taken as far as they touch. */
function onRule(left: number, width: number, extent = { left: left + 1, right: left + 20 }, gray = 60) {
  const page = flatPicture(120, 100, 250);
  fill(page, RULE.x, 0, RULE.width, 100, gray);
  fill(page, left, ROWS.top + 2, width, ROWS.height - 4, 20);
  const mask = new Uint8Array(120 * 100);
  for (let y = 0; y < 100; y++) mask.fill(1, y * 120 + RULE.x, y * 120 + RULE.x + RULE.width);
  const found = printOnColumnRule(
    { ...extent, top: ROWS.top, bottom: ROWS.top + ROWS.height },
    {
      clean: page,
      components: [],
      letterHeight: ROWS.height,
      words: [],
      close: [],
      tables: [],
      ruled: { page, mask, rows: [] },
    },
  );
  return found && [found.left, found.right];
}

describe('print next to a rule down the page', () => {
  it('touches it where a stroke is along it, on either side, and is read with it', () => {
    expect(onRule(52, 3)).toEqual([50, 72]);
    expect(onRule(47, 3, { left: 30, right: 49 })).toEqual([30, 52]);
  });

  it('touches one that is thinner and paler than print', () => {
    expect(onRule(50, 3, { left: 30, right: 50 }, 170)).toEqual([30, 53]);
    expect(onRule(50, 2, { left: 30, right: 50 }, 170)).toEqual([30, 52]);
  });

  it('is clear of it behind a hair of white', () => {
    expect(onRule(54, 3)).toBeNull();
    expect(onRule(45, 3, { left: 28, right: 48 })).toBeNull();
  });

  it('has the rule that runs through it and along a stroke of one of its letters', () => {
    expect(onRule(50, 3, { left: 30, right: 72 })).toEqual([30, 72]);
    expect(onRule(62, 3, { left: 30, right: 72 })).toBeNull();
  });

  it('has none far from rules', () => {
    expect(onRule(80, 3)).toBeNull();
  });
});
