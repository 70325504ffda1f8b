import type { PageReading, ReadCell, TableReader } from '../functions/extraction/domain/reading/table-reader.ts';
import type { Random } from './corpus/random.ts';

/** Shares of the letters that are misread, one for a page. */
const SHARES = [0.002, 0.01, 0.05] as const;

/** Another reader's result with letters misread all over the page, at full confidence: the worst case. */
export function misreadingReader(reader: TableReader, random: Random): TableReader {
  const share = random.pick(SHARES);
  return {
    read: async (image, template) => misreadPage(await reader.read(image, template), share, () => random.next()),
  };
}

/** Letters misread all over the page, whole cells overlooked. */
export function misreadPage(reading: PageReading, share: number, random: () => number): PageReading {
  const overlook = (cell: ReadCell): ReadCell =>
    random() < share / 2 ? { ...cell, blank: true, text: { text: '', confidence: 0 }, numeral: null } : cell;
  return {
    ...reading,
    tables: reading.tables.map((table) => ({
      ...table,
      cells: table.cells.map((cell) => overlook(misreadCell(cell, share, random))),
    })),
  };
}

function misreadCell(cell: ReadCell, share: number, random: () => number): ReadCell {
  const text = [...cell.text.text].map((letter) => (random() < share ? misread(letter, random) : letter)).join('');
  const numeral = text.replace(/[^0-9.,-]/g, '');
  const { confidence } = cell.text;
  return {
    ...cell,
    text: { text, confidence },
    numeral: cell.numeral && numeral ? { text: numeral, confidence } : null,
  };
}

function misread(letter: string, random: () => number): string {
  if (/\d/.test(letter)) return String((Number(letter) + 1 + Math.floor(random() * 9)) % 10);
  // The syllable with the next vowel or the next final consonant.
  if (/[가-힐]/.test(letter)) return String.fromCharCode(letter.charCodeAt(0) + (random() < 0.5 ? 1 : 28));
  return letter === ',' ? '.' : '';
}
