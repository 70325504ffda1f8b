import { hasCompanyPrefix, isOldCode, isWholeCode } from '../../master/drug-code.ts';
import type { Box } from '../../reading/table-reader.ts';
import type { InterpretedTable } from '../interpret-table.ts';
import { isRemarkLine } from '../lists/remark-lines.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { overlap } from '../print.ts';
import { MEASURES } from './other-lines.ts';
import { standBeside, withNext } from './reading-order.ts';

/** A table of drugs and its place. */
export interface PlacedTable extends InterpretedTable {
  readonly box: Box;
}

const REPORTED = [...MEASURES, 'unitPrice'] as const;
/** A code says which drug it is; everything else can be looked up or missing. */
const CODE_WEIGHT = 3;
/** Several numbers that no header announces, as where those of others were misread, are no better than one that one does. */
const INFERRED_WEIGHT = 0.25;
/** Closes a bracket that it does not open. */
const ENDS_NAME = /^[^()[\]\p{L}]*\p{L}[^()[\]]*[)\]]/u;
/** Of the smaller table's area: what two readings found at one place. */
const SAME_PLACE = 0.1;

/** The reading of a page in which most was understood; the first of several as good. */
export function bestReading<T extends readonly InterpretedTable[]>(readings: readonly T[]): T {
  return readings.reduce((best, next) => (isBetter(next, best) ? next : best));
}

/** A reading of a page with what others understood more of: each list of the page as it was read best. */
export function withBetterLists(
  reading: readonly PlacedTable[],
  others: readonly (readonly PlacedTable[])[],
): readonly PlacedTable[] {
  let best = reading;
  for (const other of others)
    for (const [own, alternative] of samePlaces(best, other))
      if (isBetter(alternative, own)) best = replaced(best, own, alternative);
  for (const list of others.flat()) if (isMissedBy(best, list)) best = withNext(best, list);
  return best;
}

/** Lines that a list must have with whole codes to be one that a reading has missed. */
const MIN_MISSED = 2;

/**
 * Whether a list of drugs lies next to one of a reading that has found nothing there, nor its codes elsewhere: the other half of a form.
 */
function isMissedBy(reading: readonly PlacedTable[], list: PlacedTable): boolean {
  const codesOf = ({ lines }: PlacedTable) => lines.flatMap(({ drugCode: { value } }) => value ?? []);
  const own = codesOf(list).filter((code) => isWholeCode(code) && hasCompanyPrefix(code));
  const known = new Set(reading.flatMap(codesOf));
  return (
    reading.some(({ box }) => standBeside(box, list.box)) &&
    own.length >= MIN_MISSED &&
    own.length === list.lines.length &&
    !own.some((code) => known.has(code)) &&
    !reading.some(({ box }) => sharesPlace(box, list.box))
  );
}

/** The tables of two readings at one place, as far as each overlaps one of the other reading. */
function samePlaces(
  first: readonly PlacedTable[],
  second: readonly PlacedTable[],
): readonly (readonly [readonly PlacedTable[], readonly PlacedTable[]])[] {
  const places: [PlacedTable[], PlacedTable[]][] = [];
  for (const table of first) {
    const there = second.filter((other) => sharesPlace(table.box, other.box));
    const shared = places.filter(([, others]) => others.some((other) => there.includes(other)));
    const joined: [PlacedTable[], PlacedTable[]] = [
      [...shared.flatMap(([own]) => own), table],
      [...new Set([...shared.flatMap(([, others]) => others), ...there])],
    ];
    places.splice(0, places.length, ...places.filter((place) => !shared.includes(place)), joined);
  }
  return places.filter(([, others]) => others.length > 0);
}

function sharesPlace(a: Box, b: Box): boolean {
  const width = Math.max(0, overlap(a.x, a.x + a.width, b.x, b.x + b.width));
  const height = Math.max(0, overlap(a.y, a.y + a.height, b.y, b.y + b.height));
  return width * height > SAME_PLACE * Math.min(a.width * a.height, b.width * b.height);
}

function replaced(
  tables: readonly PlacedTable[],
  own: readonly PlacedTable[],
  others: readonly PlacedTable[],
): readonly PlacedTable[] {
  return tables.flatMap((table) => (table === own[0] ? others : own.includes(table) ? [] : [table]));
}

/** Whether more was understood; or as much, and more columns seen: that a column's numbers were not read is worth knowing. */
function isBetter(next: readonly InterpretedTable[], best: readonly InterpretedTable[]): boolean {
  const columnsOf = (tables: readonly InterpretedTable[]) =>
    new Set(tables.flatMap(({ columns }) => [...columns])).size;
  const more = weightOf(next) - weightOf(best);
  return more > 0 || (more === 0 && columnsOf(next) > columnsOf(best));
}

/** Amount of understood drug lines: codes, names, and their numbers. */
function weightOf(tables: readonly InterpretedTable[]): number {
  let weight = 0;
  for (const { lines, inferredColumns } of tables) {
    for (const line of lines) {
      const code = line.drugCode.value ?? '';
      const isCoded = hasCompanyPrefix(code);
      // A remark below a name is not a name.
      const name = isRemarkLine(line.drugName.value ?? '') ? null : line.drugName.value;
      const isLikeCode = isOldCode(code) || isWholeCode(code);
      // The end of a wrapped name is not a separate drug.
      if (!isCoded && !isLikeCode && ENDS_NAME.test(name ?? '')) continue;
      weight += (isCoded ? CODE_WEIGHT : isLikeCode ? 1 : 0) + (name !== null ? 1 : 0);
      // Numbers next to a date or a diagnosis do not belong to a drug, and unannounced ones may mean anything.
      if (!isCoded && !looksLikeDrugName(name ?? '')) continue;
      for (const field of REPORTED)
        if (line[field].value !== null) weight += inferredColumns.has(field) ? INFERRED_WEIGHT : 1;
    }
  }
  return weight;
}
