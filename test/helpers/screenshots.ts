import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/**
 * Screenshots that hold on any machine. Pages are shown in a font that a package ships, without hinting, and are compared at a quarter of
 * their size: the edges of letters, which differ between versions of a rasteriser, fade, while a part that has moved or changed its
 * colour stays visible.
 */
const FOLDER = fileURLToPath(new URL('../fixtures/screenshots/', import.meta.url));
const FONT = new URL(import.meta.resolve('@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf'));
const SCALE = 4;
/** Of 255, and of all pixels. */
const VISIBLE_DIFFERENCE = 48;
export const MAX_CHANGED_SHARE = 0.0015;

/** Flags of a browser whose screenshots are compared. */
export const EVEN_TEXT = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

/** Needs a context that bypasses the policy of the page. */
export async function showEvenly(page: Page): Promise<void> {
  const font = (await readFile(FONT)).toString('base64');
  await page.addStyleTag({
    content: `@font-face { font-family: Even; src: url(data:font/ttf;base64,${font}); }
      * { font-family: Even !important; animation: none !important; transition: none !important; caret-color: transparent !important; }`,
  });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

export async function smallScreenshot(page: Page): Promise<Buffer> {
  const { width = 0 } = page.viewportSize() ?? {};
  return sharp(await page.screenshot())
    .resize({ width: Math.round(width / SCALE) })
    .png({ palette: true, colours: 64, dither: 0 })
    .toBuffer();
}

/** The share of pixels that visibly differ; 1 for another size. */
export async function changedShare(a: Buffer, b: Buffer): Promise<number> {
  const [one, other] = await Promise.all([sharp(a).metadata(), sharp(b).metadata()]);
  if (one.width !== other.width || one.height !== other.height) return 1;
  const plain = await sharp(b).removeAlpha().toColourspace('srgb').png().toBuffer();
  const difference = await sharp(a)
    .removeAlpha()
    .toColourspace('srgb')
    .composite([{ input: plain, blend: 'difference' }])
    .png()
    .toBuffer();
  const { channels } = await sharp(difference).removeAlpha().greyscale().threshold(VISIBLE_DIFFERENCE).stats();
  return channels[0]!.mean / 255;
}

/**
 * How much a page differs from its stored screenshot. With UPDATE_SCREENSHOTS=1 it is stored anew.
 * @throws Error where none is stored
 */
export async function differenceFromStored(name: string, shot: Buffer): Promise<number> {
  const stored = join(FOLDER, `${name}.png`);
  if (process.env.UPDATE_SCREENSHOTS) await writeFile(stored, shot);
  if (!existsSync(stored))
    throw new Error(
      `${name} has no screenshot. Store it: UPDATE_SCREENSHOTS=1 npx vitest run test/browser/screenshots.test.ts`,
    );
  const share = await changedShare(await readFile(stored), shot);
  if (share > MAX_CHANGED_SHARE) {
    const folder = join(tmpdir(), 'tripod-screenshots');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${name}.png`), shot);
    console.log(`${name} differs from its screenshot; the page as it is: ${join(folder, `${name}.png`)}`);
  }
  return share;
}
