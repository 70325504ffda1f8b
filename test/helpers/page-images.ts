import { readFile } from 'node:fs/promises';
import sharp from 'sharp';

const SAMPLE = new URL('../../docs/sample-page.png', import.meta.url);
/** Header and first three lines of the sample page, down to the rule below them. */
const TOP_OF_TABLE = { left: 40, top: 148, width: 1250, height: 170 };
const WHITE = '#fcfcfa';

/** Twelve drugs of the sample master. */
export function samplePage(): Promise<Buffer> {
  return readFile(SAMPLE);
}

/** Three drugs of the sample master: a page that is read quickly. */
export async function shortPage(): Promise<Buffer> {
  const margin = 40;
  return sharp(await samplePage())
    .extract(TOP_OF_TABLE)
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: WHITE })
    .png()
    .toBuffer();
}

/** A picture of nothing but a flat ground. */
export function blankPage(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: WHITE } })
    .png()
    .toBuffer();
}
