import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { firstLook, LOOK_HEIGHT, readLooks, stretched, withMargins } from './looks.ts';
import type { Reading } from './table-reader.ts';

/** Readings surer than this are seldom wrong. */
const SURE = 0.97;
/** A number or a code, perhaps with its unit and a mark before it. In longer print the rest of the line helps to identify each letter. */
const NUMBER = /^\D{0,2}\d[\d.,\s]{0,12}\D{0,3}$/;
/** Of all lines that are looked at again, in their heights: about a hundred numbers, and at worst a few seconds of a core. */
const MAX_LENGTH = 200;

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
  const again = await readLooks(
    unsure.map(({ line }) => looksAt(line)),
    recogniser,
  );
  const result = [...readings];
  for (const [n, { index }] of unsure.entries()) {
    const all = [readings[index]!, ...again[n]!];
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
    // Each gets a margin in one of its samples, however narrow it is.
    length += Math.max(1, line.width / line.height);
    return length <= MAX_LENGTH ? [{ line, index }] : [];
  });
}

function looksAt(line: LineImage): readonly LineImage[] {
  const image = firstLook(line);
  return [stretched(image, WIDER), withMargins(image, Math.round(MARGIN * LOOK_HEIGHT)), blurred(image)];
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

/** @param step between neighbours; `count` of them are in a row. */
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

/** The first sample if all agree; otherwise the reading with the highest total confidence, divided by the number of samples. */
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
