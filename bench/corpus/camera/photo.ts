import type { Random } from '../random.ts';
import type { Point, Quad, Size } from '../truth.ts';
import { type Ground, groundRaster } from './grounds.ts';
import { apply, type Homography, inverse, ontoQuad } from './homography.ts';
import type { Raster } from './raster.ts';

export interface Shot {
  readonly raster: Raster;
  readonly pageToImage: Homography;
  readonly edgesVisible: boolean;
  readonly made: Readonly<Record<string, string | number | boolean>>;
}

/** How a photo is taken; the rest is left to chance. */
export interface PhotoWish {
  /** Share of the photos taken so close that the page's edges are out of the picture. */
  readonly closeShare?: number;
  /** How far the page lies askew, in degrees. */
  readonly tiltDegrees?: number;
  /** The sensor's size in pixels: the page is made to fit into it. Absent: as large as the page needs. */
  readonly frame?: Size;
}

/** A hand-held photo of a page on a desk: perspective, a soft shadow of the sheet, uneven light. */
export function photograph(random: Random, page: Raster, wish: PhotoWish = {}): Shot {
  const ground = random.weighted<Ground>({ plain: 45, wood: 25, cloth: 15, speckled: 15 });
  const close = random.chance(wish.closeShare ?? 0.1);
  const border = close ? -random.between(0.005, 0.02) : random.between(0.02, 0.11);
  const tilt = ((wish.tiltDegrees ?? 0) * Math.PI) / 180;
  const lying = turnedSize(page, tilt);
  const needed = {
    width: Math.round(lying.width * (1 + 2 * border)),
    height: Math.round(lying.height * (1 + 2 * border)),
  };
  const { width, height } = wish.frame ?? needed;
  const scale = Math.min(width / needed.width, height / needed.height);
  const laid = { width: page.width * scale, height: page.height * scale };
  const quad = tiltedQuad(random, laid, width, height, close ? 0 : Math.min(0.05, border * 0.8), tilt);
  const pageToImage = ontoQuad(page.width, page.height, quad);
  const raster = groundRaster(random, ground, width, height);
  if (random.chance(0.3)) clutter(random, raster);
  castShadow(raster, quad, random);
  layPage(raster, page, pageToImage);
  shade(random, raster);
  return { raster, pageToImage, edgesVisible: !close, made: { ground, close } };
}

/** A page on the scanner's glass, a little askew; its surroundings come out white, gray or black. */
export function scan(random: Random, page: Raster, maxDegrees: number): Shot {
  const degrees = random.chance(0.25) ? 0 : random.between(-maxDegrees, maxDegrees);
  const angle = (degrees * Math.PI) / 180;
  const cx = page.width / 2;
  const cy = page.height / 2;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const pageToImage: Homography = [cos, -sin, cx - cos * cx + sin * cy, sin, cos, cy - sin * cx - cos * cy, 0, 0, 1];
  const beside = random.pick([255, 255, 250, 236, 40]);
  const raster: Raster = {
    width: page.width,
    height: page.height,
    pixels: new Uint8Array(page.pixels.length).fill(beside),
  };
  layPage(raster, page, pageToImage);
  return { raster, pageToImage, edgesVisible: false, made: { skewDegrees: Math.round(degrees * 100) / 100 } };
}

/** Other things on a desk: a second sheet that peeps out from under the page, or a pen. */
function clutter(random: Random, image: Raster): void {
  const { width, height } = image;
  const sheet = random.chance(0.55);
  const center = { x: random.pick([0.06, 0.94]) * width, y: random.between(0.1, 0.9) * height };
  const half = sheet ? { x: width * 0.3, y: height * 0.28 } : { x: width * 0.008, y: height * 0.13 };
  const angle = random.between(-0.5, 0.5);
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([sx, sy]) => {
    const x = sx! * half.x;
    const y = sy! * half.y;
    return {
      x: center.x + x * Math.cos(angle) - y * Math.sin(angle),
      y: center.y + x * Math.sin(angle) + y * Math.cos(angle),
    };
  });
  const color = sheet
    ? random.pick([
        [214, 212, 206],
        [196, 204, 214],
        [222, 214, 180],
      ])
    : random.pick([
        [24, 26, 34],
        [160, 30, 34],
        [30, 50, 120],
      ]);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (outside(corners, x, y) === 0) for (let k = 0; k < 3; k++) image.pixels[(y * width + x) * 3 + k] = color[k]!;
}

/** The bounding size of a rotated page. */
function turnedSize({ width, height }: Raster, angle: number): { width: number; height: number } {
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.cos(angle)];
  return { width: width * cos + height * sin, height: width * sin + height * cos };
}

/** Where the page's corners come to lie: a small turn, then each corner pushed on its own. */
function tiltedQuad(random: Random, page: Size, width: number, height: number, push: number, tilt: number): Quad {
  const angle = tilt + (random.between(-1, 1) * 100 * push * Math.PI) / 180 / 2;
  const center = { x: width / 2, y: height / 2 };
  const corner = (sx: number, sy: number): Point => {
    const x = (sx * page.width) / 2;
    const y = (sy * page.height) / 2;
    const jitter = () => 1 - random.between(0, 1.4) * push;
    const turned = { x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle) };
    return { x: center.x + turned.x * jitter(), y: center.y + turned.y * jitter() };
  };
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** Paints the page over the image, sampled bilinearly. */
function layPage(image: Raster, page: Raster, pageToImage: Homography): void {
  const [a, b, c, d, e, f, g, h, i] = inverse(pageToImage) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const { width, height, pixels } = image;
  const { pixels: source, width: pageWidth, height: pageHeight } = page;
  const stride = pageWidth * 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const w = g * (x + 0.5) + h * (y + 0.5) + i;
      const u = (a * (x + 0.5) + b * (y + 0.5) + c) / w - 0.5;
      const v = (d * (x + 0.5) + e * (y + 0.5) + f) / w - 0.5;
      if (u <= -1 || v <= -1 || u >= pageWidth || v >= pageHeight) continue;
      // The page's outermost pixels blend with the ground, so that its edges are not stairs.
      const cover = Math.min(1, u + 1, v + 1, pageWidth - u, pageHeight - v);
      const column = Math.min(pageWidth - 2, Math.max(0, u) | 0);
      const row = Math.min(pageHeight - 2, Math.max(0, v) | 0);
      const fx = Math.min(1, Math.max(0, u - column));
      const fy = Math.min(1, Math.max(0, v - row));
      const at = row * stride + column * 3;
      const to = (y * width + x) * 3;
      for (let k = 0; k < 3; k++) {
        const top = source[at + k]! * (1 - fx) + source[at + 3 + k]! * fx;
        const bottom = source[at + stride + k]! * (1 - fx) + source[at + stride + 3 + k]! * fx;
        pixels[to + k] = pixels[to + k]! * (1 - cover) + (top * (1 - fy) + bottom * fy) * cover;
      }
    }
  }
}

/** The sheet's shadow around its edges: darkest at the edge, gone after a finger's width. */
function castShadow(image: Raster, quad: Quad, random: Random): void {
  const reach = image.width * random.between(0.006, 0.02);
  const shiftX = random.between(-0.5, 0.5) * reach;
  const shiftY = random.between(0, 0.6) * reach;
  const shifted = quad.map(({ x, y }) => ({ x: x + shiftX, y: y + shiftY }));
  for (let y = 0; y < image.height; y++)
    for (let x = 0; x < image.width; x++) {
      const distance = outside(shifted, x, y);
      if (distance > reach) continue;
      const factor = 0.55 + 0.45 * Math.max(0, distance / reach);
      const at = (y * image.width + x) * 3;
      for (let k = 0; k < 3; k++) image.pixels[at + k]! *= factor;
    }
}

/** How far a point is outside of a clockwise convex quad; 0 inside. */
function outside(quad: readonly Point[], x: number, y: number): number {
  let farthest = 0;
  for (let i = 0; i < 4; i++) {
    const p = quad[i]!;
    const q = quad[(i + 1) % 4]!;
    const length = Math.hypot(q.x - p.x, q.y - p.y);
    farthest = Math.max(farthest, ((q.y - p.y) * (x - p.x) - (q.x - p.x) * (y - p.y)) / length);
  }
  return farthest;
}

/** Light from one side, a darker corner, and now and then the photographer's own shadow. */
function shade(random: Random, image: Raster): void {
  const { width, height, pixels } = image;
  const direction = random.between(0, 2 * Math.PI);
  const slope = random.between(0.05, 0.28);
  const vignette = random.between(0, 0.18);
  const warmth = random.between(-0.05, 0.07);
  const hand = random.chance(0.4)
    ? {
        x: random.pick([0, width]) + random.between(-0.1, 0.1) * width,
        y: random.between(0.3, 1.1) * height,
        radius: random.between(0.35, 0.7) * width,
        depth: random.between(0.15, 0.4),
      }
    : null;
  const exposure = random.between(0.82, 1.02);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const nx = x / width - 0.5;
      const ny = y / height - 0.5;
      let light =
        exposure *
        (1 + slope * (nx * Math.cos(direction) + ny * Math.sin(direction)) - vignette * (nx * nx + ny * ny) * 2);
      if (hand) {
        const near = (x - hand.x) ** 2 + (y - hand.y) ** 2;
        light *= 1 - hand.depth / (1 + (near / hand.radius ** 2) ** 3);
      }
      const at = (y * width + x) * 3;
      pixels[at] = Math.min(255, pixels[at]! * light * (1 + warmth));
      pixels[at + 1] = Math.min(255, pixels[at + 1]! * light);
      pixels[at + 2] = Math.min(255, pixels[at + 2]! * light * (1 - warmth));
    }
}

/** Corners of the page in the image. */
export function quadOf(page: Raster, pageToImage: Homography): Quad {
  const corner = (x: number, y: number) => apply(pageToImage, { x, y });
  return [corner(0, 0), corner(page.width, 0), corner(page.width, page.height), corner(0, page.height)];
}
