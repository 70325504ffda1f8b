import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { resize, resizeToHeight } from './resize-line.ts';

/** Pixels, as the recogniser wants its lines. */
export const LOOK_HEIGHT = 48;

/** A line as the recogniser would scale it. */
export function firstLook(line: LineImage): LineImage {
  return resizeToHeight(line, LOOK_HEIGHT);
}

/** @param image a first look. @param wider how many times. */
export function stretched(image: LineImage, wider: number): LineImage {
  return resize(image, Math.round(image.width * wider), LOOK_HEIGHT);
}

/**
 * Repeats the pixels at the edges outwards.
 * @param margin pixels.
 */
export function withMargins({ width, height, pixels }: LineImage, margin: number): LineImage {
  const wide = width + 2 * margin;
  const result = new Uint8Array(wide * height);
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * width, (y + 1) * width);
    result.fill(row[0]!, y * wide, y * wide + margin);
    result.set(row, y * wide + margin);
    result.fill(row[width - 1]!, y * wide + margin + width, (y + 1) * wide);
  }
  return { width: wide, height, pixels: result };
}

/** Recognises several views of each line in one call (test-time augmentation). @returns for each line the readings of its views, in order. */
export async function readLooks(
  looks: readonly (readonly LineImage[])[],
  recogniser: LineRecogniser,
): Promise<readonly (readonly LineReading[])[]> {
  const readings = await recogniser.recognise(looks.flat());
  const found: (readonly LineReading[])[] = [];
  let next = 0;
  for (const { length } of looks) {
    found.push(readings.slice(next, next + length));
    next += length;
  }
  return found;
}
