import type { DrugLine, TextField } from '../drug-line.ts';
import type { Box, ReadTable } from '../reading/table-reader.ts';
import type { TableField, Template } from '../reading/template.ts';
import { Grid } from './grid.ts';
import type { ColumnKind } from './headers/column-kinds.ts';
import { matchHeader } from './headers/header-words.ts';
import type { InterpretedTable } from './interpret-table.ts';
import { headerRows, isRepeatedHeader, isSection, totalKind } from './lists/row-kinds.ts';
import { looksNumeric } from './numbers/cell-values.ts';

/** A table that may be one of drugs, with the evidence for it. */
export interface Candidate {
  readonly read: ReadTable;
  readonly interpreted: InterpretedTable;
  /** In points for codes, header words and names; a table of drugs has at least `required`. */
  readonly evidence: number;
  readonly required: number;
}

/** Why a table was taken for one of drugs, or not. */
export interface TableTrace {
  readonly box: Box;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly headerWords: readonly { readonly row: number; readonly text: string; readonly kind: ColumnKind }[];
  /** Fields that a column was found for; `inferred` ones by their values, without a header. */
  readonly columns: readonly { readonly field: TableField; readonly inferred: boolean }[];
  readonly sections: readonly string[];
  /** By index of row. */
  readonly rows: readonly RowKind[];
  readonly lines: readonly LineTrace[];
  readonly evidence: number;
  readonly required: number;
  readonly verdict: 'drug_table' | 'no_lines' | 'too_little_evidence';
}

/** A drug line next to the print that it was made of. */
export interface LineTrace {
  /** 0-based row of the table. */
  readonly row: number;
  /** The row's cells as the recogniser read them, from left to right. */
  readonly read: readonly string[];
  /** Before a list decides between digits that print left open. */
  readonly drugCode: string | null;
  readonly drugName: string | null;
  /** Letters of code and name for which print shows several. */
  readonly openLetters: readonly OpenLetter[];
}

export interface OpenLetter {
  readonly letter: string;
  /** The chance that print gives it, 0 to 1. */
  readonly chance: number;
  /** The others that it may be. */
  readonly others: string;
}

export type RowKind = 'header' | 'line' | 'total' | 'section' | 'unread' | 'blank' | 'ignored';

export function traceTable({ read, interpreted, evidence, required }: Candidate, template: Template): TableTrace {
  const grid = new Grid(read);
  const rows = Array.from({ length: grid.rowCount }, (_, row) => row);
  const kinds = rowKinds(grid, interpreted, template);
  const words = rows.flatMap((row) =>
    grid.inked(row).flatMap((cell) => {
      const match = looksNumeric(cell) ? null : matchHeader(cell.text.text, template);
      return match ? [{ row, text: cell.text.text, kind: match.kind }] : [];
    }),
  );
  return {
    box: read.box,
    rowCount: read.rowCount,
    columnCount: read.columnCount,
    headerWords: words,
    columns: [...interpreted.columns].map((field) => ({ field, inferred: interpreted.inferredColumns.has(field) })),
    sections: rows.filter((row) => kinds[row] === 'section').map((row) => grid.inked(row)[0]!.text.text),
    rows: kinds,
    lines: interpreted.lines.map((line) => traceLine(line, grid)),
    evidence,
    required,
    verdict: interpreted.lines.length === 0 ? 'no_lines' : evidence < required ? 'too_little_evidence' : 'drug_table',
  };
}

function traceLine({ row, drugCode, drugName }: DrugLine, grid: Grid): LineTrace {
  return {
    row,
    read: grid.inked(row).map(({ text }) => text.text),
    drugCode: drugCode.value,
    drugName: drugName.value,
    openLetters: [...openLetters(drugCode), ...openLetters(drugName)],
  };
}

function openLetters({ value, letters = [], rivals = [] }: TextField): readonly OpenLetter[] {
  return [...(value ?? '')].flatMap((letter, at) =>
    rivals[at] ? [{ letter, chance: letters[at] ?? 1, others: rivals[at] }] : [],
  );
}

function rowKinds(grid: Grid, { lines, unreadRows }: InterpretedTable, template: Template): readonly RowKind[] {
  const header = new Set(headerRows(grid, template));
  const lineRows = new Set(lines.map(({ row }) => row));
  return Array.from({ length: grid.rowCount }, (_, row): RowKind => {
    const cells = grid.inked(row);
    if (cells.length === 0) return 'blank';
    if (lineRows.has(row)) return 'line';
    if (unreadRows.includes(row)) return 'unread';
    if (header.has(row) || isRepeatedHeader(cells, template)) return 'header';
    if (totalKind(cells) !== null) return 'total';
    return isSection(cells, grid) ? 'section' : 'ignored';
  });
}
