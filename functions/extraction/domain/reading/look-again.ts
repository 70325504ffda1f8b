import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { resize, resizeToHeight } from './resize-line.ts';
import type { Reading } from './table-reader.ts';

/** What is read more surely than this is seldom wrong. */
const SURE = 0.97;
/** A number or a code, perhaps with its unit and a mark before it; of longer print the rest of the line tells what each letter is. */
const NUMBER = /^\D{0,2}\d[\d.,\s]{0,12}\D{0,3}$/;
/** Of all lines that are looked at again, in their heights: about a hundred numbers, and at worst a few seconds of a core. */
const MAX_LENGTH = 200;

/** Pixels, as the recogniser wants its lines. */
export const LOOK_HEIGHT = 48;
const WIDER = 1.15;
/** In heights of the line, on either side. */
const MARGIN = 0.5;

/**
 * Reads unsure numbers again, each stretched, with more room around it and blurred: a network sees another picture each time, and
 * what most looks agree on is right more often than the first (test-time augmentation).
 * @param lines null where a reading is not to be touched.
 */
export async function lookAgain(
  lines: readonly (LineImage | null)[],
  readings: readonly LineReading[],
  recogniser: LineRecogniser,
): Promise<readonly LineReading[]> {
  const unsure = unsureNumbers(lines, readings);
  const looks = unsure.map(({ line }) => looksAt(line));
  const again = await recogniser.recognise(looks.flat());
  const result = [...readings];
  for (const [n, { index }] of unsure.entries()) {
    const own = again.slice(n * looks[n]!.length, (n + 1) * looks[n]!.length);
    const all = [readings[index]!, ...own];
    result[index] = {
      text: mostSeen(all.map(({ text }) => text)),
      numeral: mostSeen(all.map(({ numeral }) => numeral)),
    };
  }
  return result;
}

function unsureNumbers(lines: readonly (LineImage | null)[], readings: readonly LineReading[]) {
  let length = 0;
  return lines.flatMap((line, index) => {
    const { text, confidence } = readings[index]!.text;
    if (line === null || confidence >= SURE || !NUMBER.test(text)) return [];
    // However narrow, each has room around it in one of its looks.
    length += Math.max(1, line.width / line.height);
    return length <= MAX_LENGTH ? [{ line, index }] : [];
  });
}

function looksAt(line: LineImage): readonly LineImage[] {
  const image = resizeToHeight(line, LOOK_HEIGHT);
  return [
    resize(image, Math.round(image.width * WIDER), LOOK_HEIGHT),
    withMargins(image, Math.round(MARGIN * LOOK_HEIGHT)),
    blurred(image),
  ];
}

/** What stands at the edges goes on to either side. */
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

/** Binomial weights; two passes are near a Gaussian of 1.4 pixels. */
const WEIGHTS = [1, 4, 6, 4, 1];
const PASSES = 2;

function blurred(line: LineImage): LineImage {
  let pixels = line.pixels;
  for (let pass = 0; pass < PASSES; pass++) {
    pixels = smoothed(pixels, line, 1, line.width);
    pixels = smoothed(pixels, line, line.width, line.height);
  }
  return { ...line, pixels };
}

/** @param step between neighbours, of which `count` are in a row. */
function smoothed(pixels: Uint8Array, { width }: LineImage, step: number, count: number): Uint8Array {
  const result = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at++) {
    const place = step === 1 ? at % width : Math.floor(at / width);
    let sum = 0;
    for (let k = -2; k <= 2; k++) {
      const near = Math.min(count - 1, Math.max(0, place + k));
      sum += WEIGHTS[k + 2]! * pixels[at + (near - place) * step]!;
    }
    result[at] = (sum + 8) >> 4;
  }
  return result;
}

/** The first look where all agree; else the reading that has most of the looks' confidence, as sure as all of them are of it. */
function mostSeen(looks: readonly Reading[]): Reading {
  const texts = [...Map.groupBy(looks, ({ text }) => text).values()];
  if (texts.length === 1) return looks[0]!;
  const total = (same: readonly Reading[]) => same.reduce((sum, { confidence }) => sum + confidence, 0);
  const most = texts.reduce((a, b) => (total(b) > total(a) ? b : a));
  const surest = most.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  const confidence = total(most) / looks.length;
  if (surest.confidence === 0) return surest;
  const share = confidence / surest.confidence;
  return { ...surest, confidence, ...(surest.letters && { letters: surest.letters.map((letter) => letter * share) }) };
}
