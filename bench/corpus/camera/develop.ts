import sharp, { type Sharp } from 'sharp';
import type { Random } from '../random.ts';
import type { Raster } from './raster.ts';

export interface Development {
  readonly blurSigma: number;
  /** Standard deviation of the sensor's noise, in gray levels. */
  readonly noise: number;
  /** 1 keeps the contrast, less fades black to gray. */
  readonly contrast: number;
  readonly gray: boolean;
  /** Null: PNG. */
  readonly jpegQuality: number | null;
  readonly clockwise: number;
  /** The picture's width in pixels after all; absent: as it was taken. */
  readonly width?: number;
  /** Strength of a phone's sharpening, from 0; it leaves bright seams around letters. */
  readonly sharpening?: number;
  /** Carries the orientation tag under which a viewer shows it upright all the same. */
  readonly tagged?: boolean;
}

export interface DevelopedImage {
  readonly bytes: Buffer;
  readonly extension: 'png' | 'jpg';
  readonly width: number;
  readonly height: number;
}

/** Blur, fading, noise, turning and compression: what optics, sensor and encoder do to a picture. */
export async function develop(random: Random, raster: Raster, how: Development): Promise<DevelopedImage> {
  const { width, height } = raster;
  let image = sharp(raster.pixels, { raw: { width, height, channels: 3 } });
  if (how.blurSigma >= 0.3) image = image.blur(how.blurSigma);
  if (how.contrast < 1) image = image.linear(how.contrast, 255 * (1 - how.contrast) * 0.62);
  const pixels = await image.raw().toBuffer();
  if (how.noise > 0) addNoise(random, pixels, how.noise);
  let out = sharp(pixels, { raw: { width, height, channels: 3 } });
  if (how.width !== undefined || how.sharpening !== undefined) out = await resampled(out, how);
  if (how.clockwise !== 0) out = out.rotate(how.clockwise);
  if (how.gray) out = out.grayscale();
  if (how.tagged) out = out.withMetadata({ orientation: ORIENTATION_TAGS[how.clockwise] ?? 1 });
  const encoded = how.jpegQuality === null ? out.png({ compressionLevel: 9 }) : out.jpeg({ quality: how.jpegQuality });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, extension: how.jpegQuality === null ? 'png' : 'jpg', width: info.width, height: info.height };
}

/** Downscaled, then sharpened: each in a separate pass, in this order. */
async function resampled(image: Sharp, { width, sharpening }: Development): Promise<Sharp> {
  let out = width === undefined ? image : image.resize({ width });
  if (sharpening !== undefined) out = out.sharpen({ sigma: 1.1, m1: sharpening, m2: 2.5 * sharpening });
  const { data, info } = await out.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } });
}

/** Orientation tags by the clockwise turn that they undo. */
const ORIENTATION_TAGS: Readonly<Record<number, number>> = { 90: 8, 180: 3, 270: 6 };

function addNoise(random: Random, pixels: Uint8Array, deviation: number): void {
  const table = Float32Array.from({ length: 4096 }, () => random.normal() * deviation);
  for (let i = 0; i < pixels.length; i += 3) {
    // One draw a pixel for its brightness; the channels differ a little.
    const draw = Math.floor(random.next() * 4096);
    for (let k = 0; k < 3; k++) {
      const value = pixels[i + k]! + table[draw]! + 0.35 * table[(draw + 1009 * (k + 1)) & 4095]!;
      pixels[i + k] = value < 0 ? 0 : value > 255 ? 255 : value;
    }
  }
}
