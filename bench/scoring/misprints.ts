import type { Item } from '../../functions/extraction/domain/extraction.ts';
import type { PageReading } from '../../functions/extraction/domain/reading/table-reader.ts';
import type { RowTruth } from '../corpus/truth.ts';
import { comparedName } from './values.ts';

/** Names that a page misprints, as they came back. */
export interface MisprintScore {
  readonly names: number;
  readonly asPrinted: number;
  /** Of those that the recogniser read as printed, the ones that came back otherwise: the printed name, and the returned one. */
  readonly changed: readonly string[];
  readonly green: number;
}

export function scoreMisprints(
  lines: readonly { readonly row: RowTruth; readonly item: Item | null }[],
  reading: PageReading | null,
): MisprintScore {
  const texts = textsOf(reading).map(comparedName);
  const misprinted = lines.filter(({ row }) => row.errors.includes('name_misprint'));
  const printed = ({ row }: { row: RowTruth }) => comparedName(row.item.drugName ?? '');
  const isAsPrinted = (line: { row: RowTruth; item: Item | null }) =>
    comparedName(line.item?.drugName ?? '') === printed(line);
  return {
    names: misprinted.length,
    asPrinted: misprinted.filter(isAsPrinted).length,
    changed: misprinted
      .filter((line) => line.item && !isAsPrinted(line) && texts.some((text) => isReadSo(text, printed(line))))
      .map(({ row, item }) => `${row.item.drugName}: ${item!.drugName}`),
    green: misprinted.filter(({ item }) => item?.status === 'GREEN').length,
  };
}

/** Whether a text holds the name, and not as the end of another. */
function isReadSo(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** Every print of a page as the recogniser read it. */
function textsOf(reading: PageReading | null): readonly string[] {
  if (!reading) return [];
  const cells = reading.tables.flatMap((table) => table.cells);
  return [...cells.flatMap(({ text, lines = [] }) => [text, ...lines]), ...reading.texts].map(({ text }) => text);
}
