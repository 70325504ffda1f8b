import type { Item } from '../../functions/extraction/domain/extraction.ts';
import { centerY, type Print } from '../../functions/extraction/domain/interpret/print.ts';
import type { ItemValues } from '../corpus/truth.ts';
import { alignRows } from './align-rows.ts';
import { comparedName, NUMERIC_FIELDS } from './values.ts';

export interface LayoutScore {
  /** Rows whose code (name, where no code is printed) and printed numbers are all right. */
  readonly right: number;
  /** Lines of the answer that stand for no row. */
  readonly invented: number;
  readonly green: number;
  /** GREEN lines with a wrong code or number, and GREEN ones that stand for no row. */
  readonly wrongGreen: number;
}

/** @param items of an answer; empty if it found no drugs. */
export function scoreLayout(rows: readonly ItemValues[], items: readonly Item[]): LayoutScore {
  const score = {
    right: 0,
    invented: 0,
    green: items.filter(({ status }) => status === 'GREEN').length,
    wrongGreen: 0,
  };
  for (const pair of alignRows(rows, items)) {
    const item = pair.item === null ? null : items[pair.item]!;
    const row = pair.row === null ? null : rows[pair.row]!;
    const isRight = item !== null && row !== null && isSame(row, item);
    if (isRight) score.right++;
    if (item && !row) score.invented++;
    if (item?.status === 'GREEN' && !isRight) score.wrongGreen++;
  }
  return score;
}

function isSame(row: ItemValues, item: Item): boolean {
  const isDrug =
    row.drugCode === null
      ? comparedName(row.drugName ?? '') === comparedName(item.drugName ?? '')
      : row.drugCode === item.drugCode;
  return isDrug && NUMERIC_FIELDS.every((field) => row[field] === null || row[field] === item[field]);
}

/** In heights of its print: how far from its code a drug's numbers are looked for. */
const NEAR = 4;

/** How many rows have their code and each of their numbers among the prints around it: a lower bound of what can be right. */
export function stringsThere(rows: readonly ItemValues[], prints: readonly Print[]): number {
  return rows.filter((row) => {
    const wanted = row.drugCode ?? comparedName(row.drugName ?? '');
    return prints.some(
      (print) => folded(print).includes(wanted) && NUMERIC_FIELDS.every((field) => isNear(row[field], print, prints)),
    );
  }).length;
}

function isNear(value: number | null, anchor: Print, prints: readonly Print[]): boolean {
  if (value === null) return true;
  const reach = NEAR * anchor.box.height;
  return prints.some(
    (print) => Math.abs(centerY(print.box) - centerY(anchor.box)) <= reach && numbersIn(print).includes(value),
  );
}

function folded({ text }: Print): string {
  return text.replace(/\s/g, '');
}

/** Numbers of both readings of a print, with commas, and with points that group digits, left out. */
function numbersIn({ text, numeral }: Print): readonly number[] {
  return [text, numeral?.text ?? ''].flatMap((one) =>
    (one.match(/\d(?:[\d.,]*\d)?/g) ?? []).flatMap((digits) => [
      Number(digits.replaceAll(',', '')),
      ...(/^\d{1,3}(?:[.,]\d{3})+$/.test(digits) ? [Number(digits.replace(/[.,]/g, ''))] : []),
    ]),
  );
}
