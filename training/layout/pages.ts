/**
 * Flat pages of the tuned split with their layout, for training: `node training/layout/pages.ts <out> [--seed n] [--share 1]`. Writes
 * `<n>.png`, a page in gray, `<n>-layout.png`, a channel for each of row rules, column rules, print and foreign ink, and
 * `screens.txt`, the numbers of pages that a program shows.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { Drawing } from '../../bench/corpus/drawing/drawing.ts';
import { LAYOUT_CLASSES, type LayoutMaps } from '../../bench/corpus/drawing/drawn-layout.ts';
import { fontsOf } from '../../bench/corpus/fonts.ts';
import { renderPage } from '../../bench/corpus/page.ts';
import { realMaster } from '../../bench/corpus/real-drugs.ts';
import type { PageClass } from '../../bench/corpus/truth.ts';
import { listedDrugs } from '../../bench/listed-drugs.ts';

const COUNTS: readonly (readonly [PageClass, number])[] = [
  ['screen', 50],
  ['scan', 50],
  ['photo', 40],
  ['hard', 30],
  ['prescription', 140],
  ['screen-grids', 50],
  ['guide', 20],
  ['negative', 40],
];
const SCREENS: readonly PageClass[] = ['screen', 'screen-grids'];

/** Ends the drawing of a page before it is photographed. */
class Drawn extends Error {}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, share: { type: 'string', default: '1' } },
});
const [out] = positionals;
if (out === undefined) throw new Error('Usage: node training/layout/pages.ts <out>');
mkdirSync(out, { recursive: true });
const master = realMaster(await listedDrugs());
const fonts = fontsOf('tuned');
const screens: number[] = [];
let next = 0;
let saved: Promise<unknown> = Promise.resolve();
Drawing.onRender = (page, layout) => {
  saved = save(join(out, String(next).padStart(4, '0')), page, layout);
  throw new Drawn();
};
for (const [pageClass, count] of COUNTS)
  for (let index = 0; index < Math.ceil(count * Number(values.share)); index++) {
    const order = { split: 'tuned', class: pageClass, seed: Number(values.seed), index } as const;
    const error = await renderPage(order, master, fonts).catch((thrown: unknown) => thrown);
    if (!(error instanceof Drawn)) throw error;
    await saved;
    if (SCREENS.includes(pageClass)) screens.push(next);
    next++;
  }
writeFileSync(join(out, 'screens.txt'), `${screens.join('\n')}\n`);
console.log(`${next} pages`);

async function save(
  file: string,
  { width, height, pixels }: LayoutMaps['rows'],
  layout: LayoutMaps,
): Promise<void> {
  const labels = Buffer.alloc(width * height * LAYOUT_CLASSES.length);
  LAYOUT_CLASSES.forEach((of, channel) => {
    layout[of].pixels.forEach((value, i) => {
      labels[i * LAYOUT_CLASSES.length + channel] = value;
    });
  });
  await sharp(pixels, { raw: { width, height, channels: 3 } }).grayscale().png().toFile(`${file}.png`);
  await sharp(labels, { raw: { width, height, channels: 4 } }).png().toFile(`${file}-layout.png`);
}
