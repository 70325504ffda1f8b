import type { KnownDrugs } from '../../master/known-drugs.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import type { Print } from '../print.ts';
import type { EncodedPrints } from './table-network.ts';

/** Sizes of the network's input. `training/tables/features.py` has the same. */
export const LETTER_IDS = 40;
export const NUMBERS = 20;
const BUCKETS = 2048;

const NUMBER = /^-?\d[\d,]*(\.\d+)?$/;
const CODE = /(?<!\d)(?:880)?(0[5-9]\d\d|62\d\d|6[4-9]\d\d)\d{5}(?!\d{5})/;
/** Longer texts are not header words, and share no shape with another. */
const [WHOLE, SHAPED] = [12, 14];
/** Cells of a table have numbers below this. */
const TABLE = 10_000;

/**
 * Prints as the network sees them.
 * @param known marks codes that the list has.
 */
export function encodePrints(prints: readonly Print[], known: KnownDrugs): EncodedPrints {
  const heights = prints.map(({ box }) => box.height).sort((a, b) => a - b);
  const unit = heights[Math.floor(heights.length / 2)] || 1;
  const count = prints.length;
  const ids = new BigInt64Array(count * LETTER_IDS);
  const numbers = new Float32Array(count * NUMBERS);
  const boxes = new Float32Array(count * 4);
  const cells = new Float32Array(count * 4);
  const tables = [...new Set(prints.map(({ table }) => table))].filter((table) => table !== null);
  for (const [index, { text, confidence, box, cell, table }] of prints.entries()) {
    ids.set(idsOf(text).map(BigInt), index * LETTER_IDS);
    const code = splitCodeAndName({ text, confidence })?.code.text;
    const isKnown = code !== undefined && known.pricesOf(code).length > 0;
    numbers.set(numbersOf(text, confidence, isKnown, box.width / Math.max(1, box.height)), index * NUMBERS);
    const edges = [box.x, box.y, box.x + box.width, box.y + box.height];
    boxes.set(
      edges.map((edge) => edge / unit),
      index * 4,
    );
    const at = table === null ? -1 : tables.indexOf(table);
    const number = table && cell ? at * TABLE + table.cells.indexOf(cell) : -1;
    cells.set([at, cell?.row ?? 0, cell?.column ?? 0, number], index * 4);
  }
  return { count, ids, numbers, boxes, cells };
}

/** Buckets of a text: of the whole, of its letters and of its pairs of letters, in which all digits are alike. */
export function idsOf(printed: string): readonly number[] {
  const text = printed.replaceAll(' ', '').toUpperCase();
  const letters = [...text];
  const alike = [...text.replace(/\d/g, '0')];
  const parts = [
    letters.length <= WHOLE ? `=${text}` : '=long',
    ...(alike.length <= SHAPED ? [`~${alike.join('')}`] : []),
    `^${alike.slice(0, 2).join('')}`,
    `$${alike.slice(-2).join('')}`,
    ...alike.slice(1).map((letter, index) => alike[index]! + letter),
    ...letters,
  ];
  return [...new Set(parts.map(bucketOf))].slice(0, LETTER_IDS);
}

/** FNV-1a of the code points' lower halves. */
function bucketOf(text: string): number {
  let hash = 2_166_136_261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0)! & 0xffff), 16_777_619) >>> 0;
  return 1 + ((hash >>> 5) % (BUCKETS - 1));
}

/** Properties of a text. @param shape its width in its heights. */
export function numbersOf(text: string, confidence: number, isKnown: boolean, shape: number): readonly number[] {
  const letters = [...text];
  const length = Math.max(1, letters.length);
  const share = (of: RegExp) => letters.filter((letter) => of.test(letter)).length / length;
  const plain = text.replaceAll(' ', '');
  const isNumber = NUMBER.test(plain);
  const value = isNumber && plain.length < 16 ? Math.abs(Number(plain.replaceAll(',', ''))) : 0;
  const digits = letters.filter((letter) => /\d/.test(letter)).length;
  const has = (of: RegExp) => Number(of.test(text));
  return [
    Math.min(length, 40) / 20,
    digits / length,
    share(/[가-힣]/),
    share(/[a-z]/i),
    has(/\./),
    has(/,/),
    has(/[/xX*×-]/),
    Number(isNumber),
    Number(CODE.test(plain)),
    Number(digits >= 12),
    Number(digits === length && digits === 9),
    Math.log10(1 + value) / 6,
    Number(isNumber && Number.isInteger(value)),
    Number(isNumber && value === 1),
    Number(isNumber && value <= 5),
    confidence,
    Number(isKnown),
    has(/[([]/),
    has(/:/),
    Math.min(3, shape / length),
  ];
}
