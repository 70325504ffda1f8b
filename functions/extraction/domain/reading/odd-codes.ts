import { hasCompanyPrefix } from '../master/drug-code.ts';
import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { firstLook, readLooks, stretched } from './looks.ts';
import { cropRaster } from './raster.ts';
import { DOUBT } from './reading-parts.ts';
import type { Reading } from './table-reader.ts';

/** A code that starts a line, perhaps with a digit too few or too many. */
const CODE = /^[^\p{L}\d]{0,3}(?<digits>\d{7,10})(?!\d)/du;
const DIGITS = 9;
/** In line heights: maximum width of nine digits with the marks before them. */
const LENGTH = 7;
/** Stretch factors of the samples: a wider line shows a digit that the network skipped. */
const LOOKS = [1.15, 1.3, 1.5];
const MAX_CODES = 12;

/**
 * Reads implausible codes again: in small or blurred print the network skips one of two equal adjacent digits. A whole code replaces the
 * implausible one if the samples agree on it; it stays doubted. If most codes of a sheet look implausible, the sheet prints them so.
 */
export async function withWholeCodes(
  lines: readonly LineImage[],
  readings: readonly LineReading[],
  recogniser: LineRecogniser,
): Promise<readonly LineReading[]> {
  const coded = readings.flatMap(({ text: { text } }, index) => (CODE.test(text) ? [index] : []));
  const odd = coded.filter((index) => wholeCodeOf(readings[index]!) === null);
  if (odd.length === 0 || odd.length * 2 > coded.length) return readings;
  const again = odd.slice(0, MAX_CODES);
  const looks = await readLooks(
    again.map((index) => looksAt(lines[index]!)),
    recogniser,
  );
  const result = [...readings];
  for (const [n, index] of again.entries()) {
    const codes = new Set(looks[n]!.flatMap((look) => wholeCodeOf(look) ?? []));
    const [code] = codes;
    if (code !== undefined && codes.size === 1) result[index] = withCode(readings[index]!, code);
  }
  return result;
}

/** The code that starts a line, if a maker may have it. */
function wholeCodeOf({ text: { text } }: LineReading): string | null {
  const digits = CODE.exec(text)?.groups?.digits ?? '';
  return digits.length === DIGITS && hasCompanyPrefix(digits) ? digits : null;
}

function looksAt(line: LineImage): readonly LineImage[] {
  const image = firstLook(cropRaster(line, 0, 0, Math.min(line.width, LENGTH * line.height), line.height));
  return LOOKS.map((wider) => stretched(image, wider));
}

/** The reading with its implausible code replaced; the text behind it stays. */
function withCode({ text: reading, numeral }: LineReading, code: string): LineReading {
  const [from, to] = CODE.exec(reading.text)!.indices!.groups!.digits!;
  const placed = <T>(all: readonly T[], each: T) => [
    ...all.slice(0, from),
    ...new Array<T>(code.length).fill(each),
    ...all.slice(to),
  ];
  const { letters, rivals } = reading;
  const text: Reading = {
    text: reading.text.slice(0, from) + code + reading.text.slice(to),
    confidence: reading.confidence * DOUBT,
    ...(letters && { letters: placed(letters, DOUBT ** (1 / DIGITS)) }),
    ...(rivals && { rivals: placed(rivals, '') }),
  };
  return { text, numeral: numeral.text === reading.text.slice(from, to) ? { text: code, confidence: DOUBT } : numeral };
}
