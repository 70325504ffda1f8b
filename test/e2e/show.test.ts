import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortPage } from '../helpers/page-images.ts';

const run = promisify(execFile);
let folder: string;
/** The command's output for the page; the picture is in the same folder. */
let printed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripod-show-'));
  await writeFile(join(folder, 'page.png'), await shortPage());
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><cachedir>${folder}/fonts</cachedir></fontconfig>`,
  );
  printed = (await show([join(folder, 'page.png')])).stdout;
});
afterAll(() => rm(folder, { recursive: true }));

const show = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, ['bin/show.ts', ...args], { env: { ...process.env, TRIPOD_DATA_DIR: folder, ...env } });

/** Pixels of about this colour. */
async function countPixels(picture: Buffer, [red, green, blue]: readonly [number, number, number]): Promise<number> {
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let i = 0; i < data.length; i += 3)
    if (Math.abs(data[i]! - red) + Math.abs(data[i + 1]! - green) + Math.abs(data[i + 2]! - blue) < 40) count++;
  return count;
}

/** The part of a picture with the notes. */
async function grayPixels(file: string): Promise<Buffer> {
  const { width, height } = await sharp(file).metadata();
  const notes = { left: width - 600, top: 0, width: 600, height };
  return sharp(file).extract(notes).grayscale().raw().toBuffer();
}

describe('npm run show', () => {
  it("show writes a picture into the image's folder, in the colours of the lights", async () => {
    const file = join(folder, 'page.shown.png');
    const [lights, explanation, ...rest] = printed.split('\n');
    expect(lights).toBe('3 lines: 3 GREEN, 0 YELLOW, 0 RED.');
    expect(explanation).toMatch(/^Table 1, .*: a table of drugs .*\(drugCode\).*3 line/);
    expect(rest).toEqual([
      "The network's reading, 3 lines, proves no more; the rules are answered.",
      ...[1, 2, 3].map((line) =>
        expect.stringMatching(new RegExp(`^Line ${line} of the network: \\d{9} \\(drugCode\\), `)),
      ),
      file,
      '',
    ]);
    const picture = await readFile(file);
    const page = await sharp(await shortPage()).metadata();
    const shown = await sharp(picture).metadata();
    expect(shown.width).toBeGreaterThan(page.width + 500);
    expect(shown.height).toBeGreaterThanOrEqual(page.height);
    expect(await countPixels(picture, [0x15, 0x80, 0x3d])).toBeGreaterThan(2000);
    expect(await countPixels(picture, [0xb9, 0x1c, 0x1c])).toBe(0);
  });

  it('needs no font of the machine', async () => {
    const out = join(folder, 'without-fonts.png');
    await show([join(folder, 'page.png'), '--out', out], { FONTCONFIG_FILE: join(folder, 'fonts.conf') });
    const [without, usual] = await Promise.all([out, join(folder, 'page.shown.png')].map(grayPixels));
    expect(without!.length).toBe(usual!.length);
    // The machine's settings may smooth letters otherwise; boxes in the place of letters would hardly agree anywhere.
    const ink = [...without!.keys()].filter((i) => without![i]! < 128 || usual![i]! < 128);
    const agreeing = ink.filter((i) => Math.abs(without![i]! - usual![i]!) < 100);
    expect(agreeing.length / ink.length).toBeGreaterThan(0.95);
  });

  it.each([
    ['no image', [], /Name exactly one image\.[\s\S]*Usage/],
    ['an image that is not there', ['no/such/page.png'], /cannot be read: ENOENT.*no\/such\/page\.png/],
    ['a file that is not an image', ['README.md'], /Only these are read/],
    ['an unknown template', ['README.md', '--template', 'other'], /There is no template "other"/],
    ['an unknown option', ['README.md', '--colour'], /Unknown option '--colour'/],
  ])('show reports %s', async (_, args, message) => {
    await expect(show(args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  });
});
