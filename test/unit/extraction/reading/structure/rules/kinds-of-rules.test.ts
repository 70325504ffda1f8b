import { describe, expect, it } from 'vitest';
import { alikeInKind } from '../../../../../../functions/extraction/domain/reading/structure/rules/kinds-of-rules.ts';
import type { RuledLine } from '../../../../../../functions/extraction/domain/reading/structure/rules/ruled-lines.ts';
import { rule } from '../../../../../helpers/draw.ts';

const SLACK = 6;

function inked(at: number, from: number, to: number, ink: number): RuledLine {
  return { ...rule(at, from, to, ink / 2), ink };
}

describe('rules of the other side that are hardly paler than the page’s own', () => {
  const own = {
    horizontal: [0, 40, 80, 160, 200].map((at) => inked(at, 0, 400, 300)),
    vertical: [0, 100, 200, 400].map((at) => inked(at, 0, 240, 310)),
  };
  const pale = {
    sameAsOthers: inked(120, 0, 400, 220),
    joinedToWhatStandsBeside: inked(240, -12, 400, 220),
    betweenRules: inked(20, 100, 200, 220),
  };
  const stray = inked(310, 18, 178, 210);
  // They end at a column of this side by chance.
  const rows = [18, 58, 98, 138, 178].map((at) => inked(at, -6, 399, 220));
  const frameOfOtherSide = inked(-6, 18, 178, 265);
  const column = inked(250, 18, 130, 260);
  const frame = {
    horizontal: [...own.horizontal, ...Object.values(pale), ...rows],
    vertical: [...own.vertical, stray, frameOfOtherSide, column],
  };

  it('are those that begin and end where others do, the frame that these end at, and what ends at them alone', () => {
    const foreign = alikeInKind(frame, new Set([stray]), SLACK);
    expect([...foreign].toSorted((a, b) => a.at - b.at)).toEqual(
      [stray, frameOfOtherSide, column, ...rows].toSorted((a, b) => a.at - b.at),
    );
  });

  it('are no column of the page, at which theirs end too: it ends at a row of the page', () => {
    const shared = inked(300, -9, 200, 312);
    const ending = [30, 70, 110, 150].map((at) => inked(at, 300, 452, 220));
    const page = { horizontal: [...frame.horizontal, ...ending], vertical: [...frame.vertical, shared] };
    const foreign = alikeInKind(page, new Set([stray]), SLACK);
    expect([foreign.has(shared), ending.every((row) => foreign.has(row))]).toEqual([false, true]);
  });

  it('are not looked for where the known ones have as much ink as those of the page, or are part of its grid', () => {
    const dark = { ...stray, ink: 260 };
    expect([...alikeInKind({ ...frame, vertical: [...own.vertical, dark] }, new Set([dark]), SLACK)]).toEqual([dark]);
    const thin = inked(310, 0, 200, 150);
    expect([...alikeInKind({ ...frame, vertical: [...own.vertical, thin] }, new Set([thin]), SLACK)]).toEqual([thin]);
  });

  it('may be most of all rules where the others make a grid by themselves, and one of the known is darker for a fold', () => {
    const closed = {
      horizontal: [0, 80, 160, 240].map((at) => inked(at, 0, 400, 300)),
      vertical: [0, 200, 400].map((at) => inked(at, 0, 240, 310)),
    };
    const others = [18, 38, 58, 98, 118, 138, 178, 198, 218].map((at) => inked(at, -60, 460, 150));
    const [fold, known] = [inked(130, -60, 460, 250), inked(310, 18, 178, 140)];
    const page = { horizontal: [...closed.horizontal, ...others, fold], vertical: [...closed.vertical, known] };
    const foreign = alikeInKind(page, new Set([fold, known, others[0]!]), SLACK);
    expect(foreign).toEqual(new Set([fold, known, ...others]));
    const open = { ...page, vertical: [...page.vertical, inked(100, 20, 60, 310), inked(300, 100, 140, 310)] };
    expect(alikeInKind(open, new Set([fold, known, others[0]!]), SLACK).size).toBe(3);
  });

  it('may be most of all rules next to an open grid if most of them are known; a thick frame that they end at is the page’s', () => {
    const own = {
      horizontal: [0, 80, 160, 240].map((at) => inked(at, 0, 380, 300)),
      vertical: [0, 200].map((at) => inked(at, 0, 240, 310)),
    };
    const frameSide = inked(400, 0, 240, 490);
    const others = [18, 38, 58, 98, 118, 138, 178, 198, 218].map((at) => inked(at, -60, 400, 150));
    const columns = [inked(100, 18, 118, 150), inked(310, 38, 178, 140)];
    const page = { horizontal: [...own.horizontal, ...others], vertical: [...own.vertical, frameSide, ...columns] };
    expect(alikeInKind(page, new Set([...columns, ...others.slice(0, 5)]), SLACK)).toEqual(
      new Set([...columns, ...others]),
    );
    expect(alikeInKind(page, new Set(columns), SLACK)).toEqual(new Set(columns));
  });

  it('end where the page’s own do by chance, next to a whole page of theirs; more of them are columns of the page', () => {
    const many = Array.from({ length: 14 }, (_, n) => inked(15 * n + 7, -60, 460, 150));
    const [known, byChance] = [inked(310, 18, 178, 140), inked(250, 0, 240, 150)];
    const closed = {
      horizontal: [0, 40, 80, 120, 160, 200, 240].map((at) => inked(at, 0, 400, 300)),
      vertical: [0, 200, 400].map((at) => inked(at, 0, 240, 310)),
    };
    const found = (...columns: RuledLine[]) =>
      alikeInKind(
        { horizontal: [...closed.horizontal, ...many], vertical: [...closed.vertical, known, ...columns] },
        new Set([known, ...many]),
        SLACK,
      );
    expect(found(byChance).has(byChance)).toBe(true);
    expect(found(byChance, inked(100, 0, 240, 150), inked(300, 0, 240, 150)).has(byChance)).toBe(false);
  });

  it('are not most of all rules where the others make no grid', () => {
    const more = [30, 70, 110, 150].map((at) => inked(at, -6, 399, 220));
    const vertical = frame.vertical.filter(({ at }) => at !== 400);
    const mostlyPale = { horizontal: [...frame.horizontal, ...more], vertical };
    expect([...alikeInKind(mostlyPale, new Set([stray]), SLACK)]).toEqual([stray]);
  });
});
