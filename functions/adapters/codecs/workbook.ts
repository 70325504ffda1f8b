import { strFromU8, unzipSync } from 'fflate';
import { SheetError } from '../../shared/sheet-error.ts';
import { type CellFormat, cellFormats, dayOf, EPOCH_1900_MS, EPOCH_1904_MS } from './number-formats.ts';
import { readXml, relationsOf, resolved } from './xml-events.ts';

/** A list of all drugs that are paid for has some 50,000 rows of 20 columns. */
const MAX_CELLS = 5_000_000;
const WORKBOOK = 'xl/workbook.xml';
const ADDRESS = /^([A-Z]{1,3})(\d{1,7})$/;
const LETTERS = 26;
const MAX_COLUMNS = 16_384;

export interface Sheet {
  readonly name: string;
  /** Cells as text, '' where a sheet has none; every row has the same number. */
  readonly rows: readonly (readonly string[])[];
  /** Whether something of it was left out: the sheet itself, rows, columns or values. */
  readonly hasHidden: boolean;
}

export interface WorkbookOptions {
  readonly maxUnpackedBytes: number;
  readonly sheets: 'first' | 'all';
  /** True: a formula that has no stored value is refused; otherwise its cell is empty. */
  readonly needsValues: boolean;
  /**
   * `stored`: all cells, numbers as the file keeps them. `shown`: as a spreadsheet program shows the sheets, without hidden
   * and filtered parts.
   */
  readonly cells: 'stored' | 'shown';
}

interface Parts {
  readonly shared: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly epochMs: number;
}

/**
 * The sheets of an .xlsx file. What bounds the cells is what reads them, so that a file cannot show them to one and hide them from the other.
 * Formulas are not worked out, and links are not followed: the values that the file keeps count.
 * @throws SheetError, or Error when the file is damaged
 */
export function readWorkbook(bytes: Uint8Array, options: WorkbookOptions): readonly Sheet[] {
  const files = unpacked(bytes, options.maxUnpackedBytes);
  const book = files[WORKBOOK];
  if (book === undefined) throw new Error('The archive has no workbook.');
  const sheets: { readonly name: string; readonly id: string; readonly isHidden: boolean }[] = [];
  const isShown = options.cells === 'shown';
  let epochMs = EPOCH_1900_MS;
  readXml(book, {
    open(tag, { name = '', id = '', state = 'visible', date1904 }) {
      if (tag === 'sheet') sheets.push({ name, id, isHidden: isShown && state !== 'visible' });
      else if (tag === 'workbookPr' && (date1904 === '1' || date1904 === 'true')) epochMs = EPOCH_1904_MS;
    },
  });
  const relations = relationsOf(files['xl/_rels/workbook.xml.rels']);
  const parts = {
    shared: sharedTexts(files['xl/sharedStrings.xml']),
    formats: cellFormats(files['xl/styles.xml'] ?? '', isShown),
    epochMs,
  };
  let cells = 0;
  return sheets.map(({ name, id, isHidden }, index) => {
    if (isHidden || (index > 0 && options.sheets === 'first')) return { name, rows: [], hasHidden: isHidden };
    const target = relations.get(id)?.target;
    const xml = target === undefined ? undefined : files[resolved('xl', target)];
    if (xml === undefined) throw new Error(`The archive has no sheet ${index + 1}.`);
    const { rows, hasHidden } = sheetRows(xml, parts, options, MAX_CELLS - cells);
    cells += rows.length * (rows[0]?.length ?? 0);
    return { name, rows, hasHidden };
  });
}

function unpacked(bytes: Uint8Array, maxBytes: number): Readonly<Record<string, string>> {
  let unpackedBytes = 0;
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!name.startsWith('xl/') || !/\.(?:xml|rels)$/.test(name)) return false;
      unpackedBytes += originalSize;
      if (unpackedBytes > maxBytes)
        throw new SheetError(
          `The file has more than ${maxBytes / 1024 / 1024} MB when it is unpacked. Save the list alone, as CSV.`,
        );
      return true;
    },
  });
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strFromU8(content)]));
}

/** Texts that cells name by their place. Phonetic readings are left out. */
function sharedTexts(xml = ''): string[] {
  const texts: string[] = [];
  let [isText, isPhonetic] = [false, false];
  readXml(xml, {
    open(tag) {
      if (tag === 'si') texts.push('');
      else if (tag === 't') isText = true;
      else if (tag === 'rPh') isPhonetic = true;
    },
    text(words) {
      if (isText && !isPhonetic && texts.length > 0) texts[texts.length - 1] += words;
    },
    close(tag) {
      if (tag === 't') isText = false;
      else if (tag === 'rPh') isPhonetic = false;
    },
  });
  return texts;
}

interface Cell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

function sheetRows(
  xml: string,
  parts: Parts,
  { needsValues, cells: kind }: WorkbookOptions,
  maxCells: number,
): Omit<Sheet, 'name'> {
  const isShown = kind === 'shown';
  const cells: Cell[] = [];
  const hiddenColumns = new Uint8Array(MAX_COLUMNS + 1);
  let [isRowHidden, hasHidden] = [false, false];
  let [rows, columns, row, column] = [0, 0, 0, 0];
  let cell: { readonly type: string; readonly style: number } | null = null;
  let value: string | null = null;
  let inline: string | null = null;
  let [hasFormula, isPhonetic] = [false, false];
  let into: 'v' | 't' | null = null;
  readXml(xml, {
    open(tag, { r, t = 'n', s = '0', hidden, ht, min, max, width }) {
      if (tag === 'row') {
        row = r === undefined ? row + 1 : number(r);
        column = 0;
        isRowHidden = isShown && (isTrue(hidden) || isNone(ht));
      } else if (tag === 'col' && isShown && (isTrue(hidden) || isNone(width)))
        hiddenColumns.fill(1, Math.max(1, Number(min)), Number(max) + 1);
      else if (tag === 'c') {
        const [, letters, digits] = r === undefined ? [] : (ADDRESS.exec(r) ?? wrongAddress(r));
        column =
          letters === undefined ? column + 1 : [...letters].reduce((sum, each) => sum * LETTERS + ordinal(each), 0);
        row = digits === undefined ? Math.max(row, 1) : Number(digits);
        cell = { type: t, style: Number(s) };
        [value, inline, hasFormula] = [null, null, false];
      } else if (tag === 'f') hasFormula = true;
      else if (tag === 'rPh') isPhonetic = true;
      else if (cell !== null && tag === 'v') {
        into = 'v';
        value ??= '';
      } else if (cell !== null && tag === 't' && !isPhonetic) {
        into = 't';
        inline ??= '';
      }
    },
    text(words) {
      if (into === 'v') value += words;
      else if (into === 't') inline += words;
    },
    close(tag) {
      if (tag === 'v' || tag === 't') into = null;
      else if (tag === 'rPh') isPhonetic = false;
      else if (tag === 'c' && cell !== null) {
        if (needsValues && hasFormula && value === null) throw withoutValue(row, column);
        const text = (cell.type === 'inlineStr' ? (inline ?? '') : cellText(cell, value, parts)).trim();
        const isValueHidden = isShown && text === '' && value !== null && value !== '' && cell.type === 'n';
        cell = null;
        if (isValueHidden || (text !== '' && (isRowHidden || hiddenColumns[column] === 1))) {
          hasHidden = true;
          return;
        }
        if (text === '') return;
        [rows, columns] = [Math.max(rows, row), Math.max(columns, column)];
        // Every cell up to the last one of a sheet is made, written or not.
        if (rows * columns > maxCells)
          throw new SheetError(
            `A sheet of the file goes down to row ${rows} and to the right to column ${columns}. Delete cells far from ` +
              'the list, or save the list as CSV.',
          );
        cells.push({ row, column, text });
      }
    },
  });
  const made = Array.from({ length: rows }, () => new Array<string>(columns).fill(''));
  for (const { row: at, column: to, text } of cells) made[at - 1]![to - 1] = text;
  return { rows: made, hasHidden };
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';
/** A width or a height of nothing. */
const isNone = (value: string | undefined) => value !== undefined && Number(value) === 0;

function cellText(
  { type, style }: { readonly type: string; readonly style: number },
  value: string | null,
  { shared, formats, epochMs }: Parts,
): string {
  if (value === null || value === '') return '';
  switch (type) {
    case 's': {
      const text = shared[Number(value)];
      if (text === undefined) throw new Error(`A cell names the text ${value.slice(0, 20)}, which the file lacks.`);
      return text;
    }
    case 'n': {
      const amount = Number(value);
      if (Number.isNaN(amount)) throw new Error('A cell for numbers holds another value.');
      return formats[style]?.(amount, epochMs) ?? String(amount);
    }
    case 'd':
      return dayOf(Date.parse(value));
    case 'b':
      return String(value === '1');
    case 'e':
      return '';
    default:
      return value;
  }
}

function number(text: string): number {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : wrongAddress(text);
}

function wrongAddress(text: string): never {
  throw new Error(`A cell is at ${text.slice(0, 20)}, which is not an address.`);
}

function ordinal(letter: string): number {
  return letter.charCodeAt(0) - 'A'.charCodeAt(0) + 1;
}

function withoutValue(row: number, column: number): SheetError {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / LETTERS))
    letters = String.fromCharCode('A'.charCodeAt(0) + ((left - 1) % LETTERS)) + letters;
  return new SheetError(
    `Cell ${letters}${row} holds a formula without its value. Open the file in a spreadsheet program and save it, or save the list as CSV.`,
  );
}
