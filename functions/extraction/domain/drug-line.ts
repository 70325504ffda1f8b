import type { TableField } from './reading/template.ts';

/** One row of a drug table after its columns were recognised and its numbers parsed, not yet judged. */
export interface DrugLine {
  readonly drugCode: TextField;
  readonly drugName: TextField;
  readonly quantity: Field<number>;
  readonly timesPerDay: Field<number>;
  readonly days: Field<number>;
  readonly prescribedQty: Field<number>;
  readonly unitPrice: Field<number>;
  readonly totalAmount: Field<number>;
  /** Whether the name reaches the end of its column, so that the column may have cut it. */
  readonly nameFillsColumn?: boolean;
  /** Whether the last of several lines of the name ends before another of them does. */
  readonly nameHasRoom?: boolean;
  /** End of the name on the page; absent if unknown, or if the name has several lines. */
  readonly nameEnd?: NameEnd;
  /** 0-based row of the grid, to distinguish neighbours from a gap. */
  readonly row: number;
}

/** Evidence on whether letters may be missing at a name's end. */
export interface NameEnd {
  /** In pixels of the page. */
  readonly right: number;
  /** Width of a half-width letter of it, in pixels. */
  readonly letterWidth: number;
  /** False where something was read behind the name that is not a part of it, or a stroke is over the line. */
  readonly isClear: boolean;
}

/** `value` null: the cell is empty or could not be read. `confidence` 0 to 1. */
export interface Field<T> {
  readonly value: T | null;
  /** As printed, for review notes; empty when nothing was read. */
  readonly text: string;
  readonly confidence: number;
  /** Why a value that was read surely may be another one; absent where nothing speaks against it. */
  readonly doubt?: Doubt;
}

export interface TextField extends Field<string> {
  /** Confidence of each letter of `value`, where the reader rates them one by one. */
  readonly letters?: readonly number[];
  /** Of each letter of `value`, the others that it may be; absent where the reader names none. */
  readonly rivals?: readonly string[];
  /** Chance that one more letter is printed behind `value`, in part or whole; absent where nothing shows one. */
  readonly unreadEnd?: number;
}

/**
 * `crossed`: a pen's stroke, a stamp or a column's rule is over it. `beside`: it is closer to the next column's numbers. `shifted`: its
 * position suggests a missing digit. `joined`: its cell prints several numbers, one below the other. `small`: its digits are a few pixels
 * high, and nothing on the sheet checks them.
 */
export type Doubt = 'crossed' | 'beside' | 'shifted' | 'joined' | 'small';

/** A page's drug table, interpreted. */
export interface DrugTable {
  readonly lines: readonly DrugLine[];
  /** Lines of fees between them, which totals and counts of the sheet may include; absent: none. */
  readonly fees?: readonly DrugLine[];
  /** Fields that the sheet has a column for: only these can be missing from a line. */
  readonly columns: ReadonlySet<TableField>;
  /** Columns whose header word could not be read: what they hold was inferred from their values. */
  readonly inferredColumns: ReadonlySet<TableField>;
  /** Totals that the sheet prints in its footer, if any. */
  readonly printedTotals: { readonly totalAmount: number | null; readonly lineCount: number | null };
  /** Rows of the table that hold ink but gave no line, by grid row. */
  readonly unreadRows: readonly number[];
  /** False when the table is cut off by the edge of the picture. */
  readonly bounded: boolean;
}
