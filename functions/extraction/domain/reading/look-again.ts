import { histogramOf, quantileLevel } from './levels.ts';
import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { resize } from './resize-line.ts';
import type { Reading } from './table-reader.ts';

/** A line of letters that was read less surely is looked at again. */
const SURE = 0.95;
/** Shorter ones are words of headers, which are known with a letter misread. */
const MIN_LETTERS = 4;

/** The line as another camera or another cut of its cell would have shown it. */
const OTHER_LOOKS: readonly ((line: LineImage) => LineImage)[] = [
  (line) => stretched(line, 1.12),
  (line) => stretched(line, 0.92),
  (line) => withMargin(line, 0.08),
];

/**
 * Recognises lines; those of Hangul that were read with doubt in other looks too. Looks that agree outvote one that is surer
 * than each of them, and the confidence is what all looks together have in the text: one that they dispute is not sure.
 */
export async function recogniseWithDoubt(
  recogniser: LineRecogniser,
  lines: readonly LineImage[],
): Promise<readonly LineReading[]> {
  const readings = await recogniser.recognise(lines);
  const doubted = [...readings.keys()].filter((index) => isDoubted(readings[index]!.text));
  if (doubted.length === 0) return readings;
  const looks = doubted.flatMap((index) => OTHER_LOOKS.map((look) => look(lines[index]!)));
  const again = await recogniser.recognise(looks);
  const result = [...readings];
  doubted.forEach((index, n) => {
    const others = again.slice(n * OTHER_LOOKS.length, (n + 1) * OTHER_LOOKS.length);
    const first = readings[index]!;
    result[index] = { ...first, text: elected([first, ...others].map(({ text }) => text)) };
  });
  return result;
}

function isDoubted({ text, confidence }: Reading): boolean {
  return confidence < SURE && text.length >= MIN_LETTERS && /\p{Script=Hangul}/u.test(text);
}

function elected(readings: readonly Reading[]): Reading {
  const votes = new Map<string, number>();
  for (const { text, confidence } of readings) votes.set(text, (votes.get(text) ?? 0) + confidence);
  const [text, sum] = [...votes].reduce((best, next) => (next[1] > best[1] ? next : best));
  return { text, confidence: sum / readings.length };
}

function stretched(line: LineImage, factor: number): LineImage {
  return resize(line, Math.max(1, Math.round(line.width * factor)), line.height);
}

/** @param share of the line's height, in the colour of its ground. */
function withMargin(line: LineImage, share: number): LineImage {
  const margin = Math.max(1, Math.round(line.height * share));
  const width = line.width + 2 * margin;
  const height = line.height + 2 * margin;
  const pixels = new Uint8Array(width * height).fill(quantileLevel(histogramOf(line.pixels), 0.8));
  for (let y = 0; y < line.height; y++)
    pixels.set(line.pixels.subarray(y * line.width, (y + 1) * line.width), (y + margin) * width + margin);
  return { width, height, pixels };
}
