import type { Development } from './camera/develop.ts';
import type { Raster } from './camera/raster.ts';
import { curl } from './camera/wear.ts';
import { Drawing } from './drawing/drawing.ts';
import { drawSeal } from './drawing/marks.ts';
import type { Font } from './fonts.ts';
import type { Random } from './random.ts';
import type { PageClass, Size } from './truth.ts';

/** One condition that every page of a run is given, to measure what it costs; the rest of the page stays as it is. */
export const CONDITIONS = ['stamped', 'curved', 'small', 'turned', 'tagged', 'large'] as const;

export type Condition = (typeof CONDITIONS)[number];

/** A phone's 12 megapixels. */
const LARGE = { long: 4032, short: 3024 };
/** Classes whose pages can be drawn as large as such a photo shows them. */
const LARGE_CLASSES: readonly PageClass[] = ['prescription', 'guide'];

export function suitsClass(condition: Condition | undefined, pageClass: PageClass): boolean {
  return condition !== 'large' || LARGE_CLASSES.includes(pageClass);
}

/** The size of a large photo of a page: held as the page lies, seldom the other way. */
export function largeFrame(random: Random, { width, height }: Size): Size {
  const held = width > height !== random.chance(0.15);
  return held ? { width: LARGE.long, height: LARGE.short } : { width: LARGE.short, height: LARGE.long };
}

/** Before the picture is taken. */
export async function conditioned(
  random: Random,
  condition: Condition | undefined,
  page: Raster,
  fonts: readonly Font[],
): Promise<Raster> {
  if (condition === 'curved') return curl(random, page, random.between(1.2, 2));
  return condition === 'stamped' ? stamped(random, page, fonts) : page;
}

/** Adds the condition's effects on the finished picture. */
export function conditionedDevelopment(
  random: Random,
  condition: Condition | undefined,
  development: Development,
): Development {
  switch (condition) {
    case 'small':
      return { ...development, width: random.int(480, 650), jpegQuality: random.int(45, 80) };
    case 'turned':
      return { ...development, clockwise: random.pick([90, 180, 270]), tagged: false };
    case 'tagged':
      return { ...development, clockwise: random.pick([90, 180, 270]), tagged: true };
    case 'large': {
      const { width: _, ...whole } = development;
      return { ...whole, jpegQuality: random.int(80, 92), clockwise: 0, tagged: false };
    }
    default:
      return development;
  }
}

/** Red seals all over the print, which shows through their ink. */
async function stamped(random: Random, page: Raster, fonts: readonly Font[]): Promise<Raster> {
  const { width, height } = page;
  const drawing = new Drawing();
  const size = width / random.between(28, 42);
  for (let i = 0; i < random.int(4, 8); i++)
    drawSeal(
      random,
      drawing,
      width * random.between(0.08, 0.92),
      height * random.between(0.1, 0.9),
      size,
      random.pick(fonts),
    );
  const ink = await drawing.render(width, height, '#ffffff');
  return { width, height, pixels: page.pixels.map((value, i) => Math.round((value * ink.pixels[i]!) / 255)) };
}
