import { expect, it } from 'vitest';
import { printOverForeignRules } from '../../../../../../functions/extraction/domain/reading/structure/rules/print-over-foreign-rules.ts';
import { fill, flatPicture, rule } from '../../../../../helpers/draw.ts';

it('keeps what print shares with rules of the other side, and nothing of rules, be they its own or cross each other', () => {
  const page = flatPicture(120, 60, 255);
  const foreign = { horizontal: [rule(20, 0, 120, 90)], vertical: [rule(60, 0, 60, 90)] };
  const own = { horizontal: [rule(45, 0, 120, 200)], vertical: [] };
  fill(page, 0, 19, 120, 2, 165);
  fill(page, 59, 0, 2, 60, 165);
  fill(page, 0, 44, 120, 2, 55);
  const mask = page.pixels.map((level) => Number(level < 255));
  fill(page, 59, 19, 2, 2, 90);
  fill(page, 30, 12, 3, 20, 20);
  const frames = [{ horizontal: [...own.horizontal, ...foreign.horizontal], vertical: foreign.vertical }];
  const print = printOverForeignRules(page, mask, frames, [own], 130);
  const found = [...print.keys()].filter((i) => print[i]).map((i) => [i % 120, Math.floor(i / 120)]);
  expect(found).toEqual([19, 20].flatMap((y) => [30, 31, 32].map((x) => [x, y])));
});
