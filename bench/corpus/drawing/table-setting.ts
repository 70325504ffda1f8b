import type { ColumnKind } from '../sheet/layouts.ts';
import type { Sheet, SheetLine } from '../sheet/sheet.ts';
import type { TableStyle } from './table-style.ts';

/** Input for drawing a table and recording its truth. */
export interface Setting {
  readonly sheet: Sheet;
  readonly style: TableStyle;
  readonly columns: readonly SetColumn[];
  readonly rows: readonly SetRow[];
  readonly width: number;
  readonly height: number;
  readonly headerHeight: number;
  readonly grouped: boolean;
}

export interface SetColumn {
  readonly kind: ColumnKind;
  readonly header: readonly string[];
  readonly x: number;
  readonly width: number;
}

export interface SetRow {
  readonly y: number;
  readonly height: number;
  readonly content: SheetLine | 'footer';
  readonly nameLines: readonly string[];
  readonly nameTruncated: boolean;
}

/** Index of the first column with a total: the footer's label spans the columns before it. */
export function firstTotal({ sheet, columns }: Setting): number {
  const index = columns.findIndex(({ kind }) => sheet.footer.row?.totals[kind] !== undefined);
  return Math.max(1, index);
}

export function groupOf(set: Setting, kind: ColumnKind): string | null {
  return set.sheet.layout.groups?.find(({ kinds }) => kinds.includes(kind))?.header ?? null;
}

export function groupSpans(set: Setting): { header: string; from: number; to: number }[] {
  return (set.sheet.layout.groups ?? []).flatMap(({ header, kinds }) => {
    const members = set.columns.filter(({ kind }) => kinds.includes(kind));
    if (members.length === 0) return [];
    const last = members.at(-1)!;
    return [{ header, from: members[0]!.x, to: last.x + last.width }];
  });
}
