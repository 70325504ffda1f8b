import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { LOOK_HEIGHT } from './look-again.ts';
import { DOUBT } from './reading-parts.ts';
import { resize, resizeToHeight } from './resize-line.ts';
import type { Reading } from './table-reader.ts';

/** A code of a maker that begins a line; and one with a digit too few or too many, or one that no maker's begins with. */
const CODE = /^[^\p{L}\d]{0,3}(?<digits>[06]\d{8})(?!\d)/du;
const ODD_CODE = /^[^\p{L}\d]{0,3}(?<digits>\d{7,10})(?!\d)/du;
/** In heights of the line: nine digits and what stands before them are no longer. */
const LENGTH = 7;
/** How each look stretches the line: a digit that the network passed over is seen where it is wider. */
const LOOKS = [1.15, 1.3, 1.5];
const MAX_CODES = 12;

/**
 * Codes that cannot be right, read again: in small or blurred print the network passes over a digit beside one like it. A whole code takes the place
 * of the odd one where the looks see no other, doubted. A sheet of which most codes are odd prints them so.
 */
export async function withWholeCodes(
  lines: readonly LineImage[],
  readings: readonly LineReading[],
  recogniser: LineRecogniser,
): Promise<readonly LineReading[]> {
  const odd = readings.flatMap(({ text: { text } }, index) => (ODD_CODE.test(text) && !CODE.test(text) ? [index] : []));
  const whole = readings.filter(({ text: { text } }) => CODE.test(text));
  if (odd.length === 0 || odd.length > whole.length) return readings;
  const again = odd.slice(0, MAX_CODES);
  const looks = await recogniser.recognise(again.flatMap((index) => looksAt(lines[index]!)));
  const result = [...readings];
  for (const [n, index] of again.entries()) {
    const own = looks.slice(n * LOOKS.length, (n + 1) * LOOKS.length);
    const codes = new Set(own.flatMap(({ text }) => CODE.exec(text.text)?.groups?.digits ?? []));
    const [code] = codes;
    if (code !== undefined && codes.size === 1) result[index] = withCode(readings[index]!, code);
  }
  return result;
}

function looksAt(line: LineImage): readonly LineImage[] {
  const image = resizeToHeight(begin(line), LOOK_HEIGHT);
  return LOOKS.map((wider) => resize(image, Math.round(image.width * wider), LOOK_HEIGHT));
}

function begin({ width, height, pixels }: LineImage): LineImage {
  const kept = Math.min(width, LENGTH * height);
  const result = new Uint8Array(kept * height);
  for (let y = 0; y < height; y++) result.set(pixels.subarray(y * width, y * width + kept), y * kept);
  return { width: kept, height, pixels: result };
}

/** The reading with the code in the place of the odd one; what stands behind it stays. */
function withCode({ text: reading, numeral }: LineReading, code: string): LineReading {
  const [from, to] = ODD_CODE.exec(reading.text)!.indices!.groups!.digits!;
  const placed = <T>(all: readonly T[], each: T) => [
    ...all.slice(0, from),
    ...new Array<T>(code.length).fill(each),
    ...all.slice(to),
  ];
  const { letters, rivals } = reading;
  const text: Reading = {
    text: reading.text.slice(0, from) + code + reading.text.slice(to),
    confidence: reading.confidence * DOUBT,
    ...(letters && { letters: placed(letters, DOUBT) }),
    ...(rivals && { rivals: placed(rivals, '') }),
  };
  return { text, numeral: numeral.text === reading.text.slice(from, to) ? { text: code, confidence: DOUBT } : numeral };
}
