import { format } from 'numfmt';
import { readXml } from './xml-events.ts';

/** Excel allows no more. */
const MAX_FORMAT_LENGTH = 255;
const GENERAL = 'General';
/** Digits that Excel keeps of a number. */
const DIGITS = 15;
const DAY_MS = 86_400_000;
/** Day 0 of serial dates, by the calendar that a workbook counts in. */
export const EPOCH_1900_MS = Date.UTC(1899, 11, 30);
export const EPOCH_1904_MS = Date.UTC(1904, 0, 1);

/** Formats that files name by numbers alone. Those of dates depend on the country of the reader. */
const BUILT_IN: Readonly<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 5: '#,##0', 6: '#,##0', 7: '#,##0.00', 8: '#,##0.00' },
  ...{ 9: '0%', 10: '0.00%', 11: '0.00E+00', 12: '# ?/?', 13: '# ??/??' },
  ...{ 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss', 22: 'yyyy-mm-dd h:mm' },
  ...{ 37: '#,##0;(#,##0)', 38: '#,##0;(#,##0)', 39: '#,##0.00;(#,##0.00)', 40: '#,##0.00;(#,##0.00)' },
  ...{ 41: '#,##0', 42: '#,##0', 43: '#,##0.00', 44: '#,##0.00', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0' },
  ...{ 48: '##0.0E+0', 49: '@' },
};
const DATE = 'yyyy-mm-dd';

/** A number of a cell, as a text. */
export type CellFormat = (amount: number, epochMs: number) => string;

/**
 * The format of each style of cells in `styles.xml`.
 * @param isShown true: numbers as a spreadsheet program shows them, and `''` for those that a format hides; false: numbers as they are stored.
 *   Days are ISO dates in either case.
 */
export function cellFormats(xml: string, isShown: boolean): readonly CellFormat[] {
  /** Of each format that the file defines, made once: many styles name the same one. */
  const defined = new Map<string, CellFormat>();
  const formats: CellFormat[] = [];
  let isInCells = false;
  readXml(xml, {
    open(tag, { numFmtId = '0', formatCode = '' }) {
      if (tag === 'numFmt') defined.set(numFmtId, formatOf(formatCode.slice(0, MAX_FORMAT_LENGTH), isShown));
      else if (tag === 'cellXfs') isInCells = true;
      else if (tag === 'xf' && isInCells) {
        if (!defined.has(numFmtId)) defined.set(numFmtId, formatOf(builtIn(Number(numFmtId)), isShown));
        formats.push(defined.get(numFmtId)!);
      }
    },
    close(tag) {
      if (tag === 'cellXfs') isInCells = false;
    },
  });
  return formats;
}

function builtIn(id: number): string {
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? DATE : (BUILT_IN[id] ?? GENERAL);
}

function formatOf(code: string, isShown: boolean): CellFormat {
  const letters = dateLetters(code);
  const isDate = letters !== '';
  if (!isShown) return isDate ? (amount, epochMs) => dayOf(epochMs + Math.round(amount * DAY_MS)) : stored;
  const hasTime = /[hs]/i.test(letters);
  // A month without a day is a month; next to hours it may be minutes.
  if (isDate && (/[dy]/i.test(letters) || !hasTime))
    return (amount, epochMs) => dateOf(epochMs + Math.round(amount * DAY_MS), hasTime);
  if (code === GENERAL || code === '@' || code === '') return plain;
  return (amount) => {
    try {
      return format(code, amount, { locale: 'ko' }).trim();
    } catch {
      return plain(amount);
    }
  };
}

/** The letters of a format that stand for parts of a date: without words in quotes, escaped letters, colours and currencies. */
function dateLetters(code: string): string {
  return code
    .replace(/"[^"]{0,255}"|\\.|[_*].|General|AM\/PM|A\/P/gi, '')
    .replace(/\[(h{1,9}|m{1,9}|s{1,9})\]/gi, '$1')
    .replace(/\[[^\]]{0,255}\]/g, '')
    .replace(/[^dmyhs]/gi, '');
}

const stored = (amount: number) => String(amount);

/** Without the last digits, in which 0.1 + 0.2 is not 0.3. */
const plain = (amount: number) => String(Number(amount.toPrecision(DIGITS)));

/** The day of a time in milliseconds, as an ISO date; `''` without one. */
export function dayOf(ms: number): string {
  return dateOf(ms, false);
}

function dateOf(ms: number, hasTime: boolean): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().split('T');
  return hasTime ? `${day} ${time.slice(0, 5)}` : day;
}
