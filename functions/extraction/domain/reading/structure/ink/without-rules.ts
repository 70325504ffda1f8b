import type { Raster } from '../../raster.ts';
import { PRINT } from './ink.ts';
import { forInk, foursOf, nextInk } from './next-ink.ts';

/** In letter heights. A rule is thinner, and between two parts of one letter there is less of it. */
const MAX_THICKNESS = 0.4;
const MAX_BETWEEN = 0.6;

/**
 * A page without its rules, but with what letters share with them: a form is printed over, and the upper stroke of a 0 that
 * is on a rule is as dark as the rule. Where print touches a rule across the page the rule stays, and in between as far as
 * a letter is wide; of a rule down the page stays what has print on both sides.
 * @param mask 1 for every pixel of a rule.
 */
export function withoutRules(flat: Raster, mask: Uint8Array, letterHeight: number): Raster {
  const { width, height, pixels: before } = flat;
  const pixels = before.slice();
  forInk(mask, (i) => {
    pixels[i] = 255;
  });
  const isPrint = (i: number) => mask[i] === 0 && before[i]! < PRINT;
  const thickness = MAX_THICKNESS * letterHeight;
  const touched = new Uint8Array(mask.length);
  // Down from every pixel of a rule that has none above it; the page's first and last rows have no print beyond them.
  const bottom = mask.length - width;
  forInk(mask, (from) => {
    if (from < width || from >= bottom || (from >= 2 * width && mask[from - width])) return;
    let last = from;
    while (last + width < bottom && mask[last + width]) last += width;
    if ((last - from) / width >= thickness || !(isPrint(from - width) || isPrint(last + width))) return;
    for (let at = from; at <= last; at += width) touched[at] = 1;
  });
  const ofRules = foursOf(mask);
  const ofTouched = foursOf(touched);
  for (let y = 0; y < height; y++) {
    const end = (y + 1) * width;
    let last = Number.NEGATIVE_INFINITY;
    for (let i = nextInk(touched, ofTouched, end - width, end); i < end; i = nextInk(touched, ofTouched, i + 1, end)) {
      const start = i - last <= MAX_BETWEEN * letterHeight ? last + 1 : i;
      for (let at = start; at <= i; at++) if (mask[at]) pixels[at] = before[at]!;
      last = i;
    }
    const right = end - 1;
    for (let i = nextInk(mask, ofRules, end - width + 1, right); i < right; i = nextInk(mask, ofRules, i, right)) {
      const from = i;
      while (i < right && mask[i]) i++;
      if (i - 1 - from >= thickness || !(isPrint(from - 1) && isPrint(i))) continue;
      for (let at = from; at < i; at++) pixels[at] = before[at]!;
    }
  }
  return { width, height, pixels };
}
