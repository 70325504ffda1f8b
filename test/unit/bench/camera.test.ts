import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type CaptureKind, capture } from '../../../bench/corpus/camera/capture.ts';
import { type Development, develop } from '../../../bench/corpus/camera/develop.ts';
import { apply } from '../../../bench/corpus/camera/homography.ts';
import { photograph, quadOf } from '../../../bench/corpus/camera/photo.ts';
import type { Raster } from '../../../bench/corpus/camera/raster.ts';
import { crease, curl, glare, shineThrough, whiten } from '../../../bench/corpus/camera/wear.ts';
import { conditionedDevelopment, largeFrame, suitsClass } from '../../../bench/corpus/condition.ts';
import { Random } from '../../../bench/corpus/random.ts';
import { PAGE_CLASSES } from '../../../bench/corpus/truth.ts';

/** A white page with a black bar across its upper half. */
const page: Raster = sheet(200, 280);
const plain: Development = { blurSigma: 0, noise: 0, contrast: 1, gray: false, jpegQuality: null, clockwise: 0 };

function sheet(width: number, height: number): Raster {
  const pixels = new Uint8Array(width * height * 3).fill(255);
  pixels.fill(0, width * 60 * 3, width * 70 * 3);
  return { width, height, pixels };
}

const darkest = ({ pixels }: Raster) => pixels.reduce((least, value) => Math.min(least, value), 255);
const brightest = ({ pixels }: Raster) => pixels.reduce((most, value) => Math.max(most, value), 0);
const mean = ({ pixels }: Raster) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length;

describe('develop', () => {
  it('makes a picture smaller', async () => {
    const { width, height } = await develop(new Random('a'), page, { ...plain, width: 100, sharpening: 2 });
    expect({ width, height }).toEqual({ width: 100, height: 140 });
  });

  it('stores pixels sideways under the tag that turns them back', async () => {
    const upright = await develop(new Random('a'), page, { ...plain, jpegQuality: 90 });
    for (const clockwise of [90, 180, 270] as const) {
      const image = await develop(new Random('a'), page, { ...plain, jpegQuality: 90, clockwise, tagged: true });
      expect(image.width).toBe(clockwise === 180 ? 200 : 280);
      const seen = await sharp(image.bytes).autoOrient().raw().toBuffer();
      const meant = await sharp(upright.bytes).raw().toBuffer();
      expect(seen.length).toBe(meant.length);
      const off = seen.reduce((sum, value, i) => sum + Math.abs(value - meant[i]!), 0) / seen.length;
      expect(off).toBeLessThan(2);
    }
  });
});

describe('worn paper', () => {
  it('keeps its size, and its print', () => {
    for (const worn of [curl(new Random('w'), page, 1), crease(new Random('w'), page), glare(new Random('w'), page)]) {
      expect([worn.width, worn.height, worn.pixels.length]).toEqual([200, 280, page.pixels.length]);
      expect(worn.pixels).not.toEqual(page.pixels);
      expect(darkest(worn)).toBeLessThan(170);
    }
  });

  it('shows its back darker than the white of the paper and paler than print', () => {
    const blank: Raster = { ...page, pixels: new Uint8Array(page.pixels.length).fill(255) };
    const through = shineThrough(new Random('s'), blank, page);
    expect(darkest(through)).toBeGreaterThan(150);
    expect(mean(through)).toBeLessThan(255);
  });

  it('comes out white of a scanning app', () => {
    const gray: Raster = { ...page, pixels: page.pixels.map((value) => (value === 0 ? 40 : 242)) };
    expect(brightest(whiten(new Random('x'), gray))).toBe(255);
  });
});

describe('photograph', () => {
  it('lays a page askew by the angle that is asked for, all of it in the picture', () => {
    const { raster, pageToImage } = photograph(new Random('t'), page, { closeShare: 0, tiltDegrees: 12 });
    const from = apply(pageToImage, { x: 0, y: 140 });
    const to = apply(pageToImage, { x: 200, y: 140 });
    const degrees = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    expect(Math.abs(degrees - 12)).toBeLessThan(4);
    for (const { x, y } of quadOf(page, pageToImage)) {
      expect(x).toBeGreaterThan(-2);
      expect(x).toBeLessThan(raster.width + 2);
      expect(y).toBeGreaterThan(-2);
      expect(y).toBeLessThan(raster.height + 2);
    }
  });
});

describe('a photo of a given size', () => {
  it.each([0, 12])('holds all of a page that lies %i degrees askew', (tiltDegrees) => {
    for (const frame of [
      { width: 400, height: 300 },
      { width: 150, height: 200 },
    ]) {
      const { raster, pageToImage } = photograph(new Random('f'), page, { closeShare: 0, tiltDegrees, frame });
      expect({ width: raster.width, height: raster.height }).toEqual(frame);
      const corners = quadOf(page, pageToImage);
      for (const { x, y } of corners) {
        expect(x).toBeGreaterThan(-2);
        expect(x).toBeLessThan(frame.width + 2);
        expect(y).toBeGreaterThan(-2);
        expect(y).toBeLessThan(frame.height + 2);
      }
    }
  });

  it('is of 12 megapixels, held as the page lies, seldom the other way, neither turned nor made smaller', () => {
    const held = Array.from({ length: 200 }, (_, index) => largeFrame(new Random(`h ${index}`), page));
    const upright = held.filter(({ width, height }) => width === 3024 && height === 4032).length;
    const across = held.filter(({ width, height }) => width === 4032 && height === 3024).length;
    expect(upright + across).toBe(held.length);
    expect(upright).toBeGreaterThan(4 * across);
    expect(across).toBeGreaterThan(0);
    const small = { ...plain, width: 100, clockwise: 90, tagged: true, jpegQuality: 60 };
    const { jpegQuality, ...rest } = conditionedDevelopment(new Random('d'), 'large', small);
    expect(jpegQuality).toBeGreaterThanOrEqual(80);
    expect(rest).toEqual({ blurSigma: 0, noise: 0, contrast: 1, gray: false, clockwise: 0, tagged: false });
  });

  it('is what prescriptions and guides can be drawn for', () => {
    expect(PAGE_CLASSES.filter((name) => suitsClass('large', name))).toEqual(['prescription', 'guide']);
    expect(PAGE_CLASSES.every((name) => suitsClass('stamped', name) && suitsClass(undefined, name))).toBe(true);
  });
});

describe('capture', () => {
  it.each<CaptureKind>(['photo', 'app', 'scan', 'web', 'screen'])('is the same for the same label: %s', (kind) => {
    const [one, other] = [1, 2].map(() => capture(new Random(`label ${kind}`), kind, page, null));
    expect(one!.development).toEqual(other!.development);
    expect(one!.shot.raster.pixels).toEqual(other!.shot.raster.pixels);
  });

  it('leaves a program’s window as it is', () => {
    expect(capture(new Random('screen'), 'screen', page, null).shot.raster).toBe(page);
  });
});
