import { partOf } from '../../reading/reading-parts.ts';
import type { ReadCell, Reading, ReadTable } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { matchHeader } from '../headers/header-words.ts';
import { COUNT_UNIT } from '../numbers/drug-units.ts';
import { splitColumn } from './split-column.ts';

/**
 * Behind a name, a dose with the decimals and the unit that a program writes, `2.00정`, perhaps behind a piece of the rule. Names end in a strength
 * or a pack, `5mg/1정`.
 */
const NAME_AND_DOSE = new RegExp(
  String.raw`^(?<name>.*[^\d\s.,/(~_-])(?: [1Il|](?= ))?[\s_]{0,3}(?<dose>\d{1,3}\.\d{1,4} ?(?:${COUNT_UNIT}|c\.c|T|C|P))$`,
  'd',
);
const WORD = /\p{L}{2}/u;
const MIN_CELLS = 3;
const MIN_SHARE = 0.6;

/**
 * If the rule between names and doses was missed, both were read as one column. Doses behind nearly every name become a separate column.
 * If a header announces doses elsewhere, names with such endings are those of vials.
 */
export function splitNameColumn(table: ReadTable, template: Template): ReadTable {
  const isHeader = ({ text }: ReadCell) => matchHeader(text.text, template)?.kind === 'quantity';
  for (let column = 0; column < table.columnCount; column++) {
    const inked = table.cells.filter((cell) => cell.column === column && cell.columnSpan === 1 && !cell.blank);
    const dosed = inked.filter((cell) => partsOf(cell.text) !== null);
    const worded = inked.filter(({ text }) => /\d/.test(text.text) && WORD.test(text.text));
    if (dosed.length >= MIN_CELLS && dosed.length >= worded.length * MIN_SHARE)
      return table.cells.some(isHeader) ? table : splitColumn(table, column, splitCell);
  }
  return table;
}

function partsOf(text: Reading): { readonly name: Reading; readonly dose: Reading } | null {
  const { name, dose } = NAME_AND_DOSE.exec(text.text)?.indices?.groups ?? {};
  return name && dose && WORD.test(text.text.slice(...name))
    ? { name: partOf(text, ...name), dose: partOf(text, ...dose) }
    : null;
}

function splitCell(cell: ReadCell): readonly [ReadCell, ReadCell] | null {
  if (cell.columnSpan > 1) return null;
  const parts = partsOf(cell.text);
  const { lines: _, ...whole } = cell;
  const width = parts ? (cell.box.width * parts.name.text.length) / cell.text.text.length : cell.box.width;
  const rest = { ...cell.box, x: cell.box.x + width, width: cell.box.width - width };
  const empty = { text: '', confidence: 1 };
  return [
    {
      ...(parts ? whole : cell),
      box: { ...cell.box, width },
      text: parts?.name ?? cell.text,
      ...(parts && { numeral: null }),
    },
    { ...whole, box: rest, blank: !parts, text: parts?.dose ?? empty, numeral: null },
  ];
}
