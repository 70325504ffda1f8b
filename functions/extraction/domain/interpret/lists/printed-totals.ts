import type { DrugLine, DrugTable } from '../../drug-line.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import type { ColumnAssignment } from '../columns/assign-columns.ts';
import type { Grid } from '../grid.ts';
import { numberField, numeralOf, parseNumeral, readingOf } from '../numbers/cell-values.ts';

/** A total that is read less surely than this is not ground to doubt the lines. */
const MIN_TOTAL_CONFIDENCE = 0.8;

/** The totals that rows among and below the lines print. */
export class PrintedTotals {
  #grandAmount: number | null = null;
  #subAmount: number | null = null;
  #lineCount: number | null = null;

  add(kind: 'grand' | 'sub', cells: readonly ReadCell[], grid: Grid, columns: ColumnAssignment): void {
    const amount = this.#amountOf(cells, grid, columns.get('totalAmount'));
    if (kind === 'grand') this.#grandAmount ??= amount;
    else if (amount !== null) this.#subAmount = (this.#subAmount ?? 0) + amount;
    for (const { text } of cells) {
      const count = /(?<!\d)(\d+)\s*(?:건|품목|종|개\s*품목)/.exec(text.text)?.[1];
      if (count !== undefined && text.confidence >= MIN_TOTAL_CONFIDENCE) this.#lineCount = Number(count);
    }
  }

  printed(): DrugTable['printedTotals'] {
    return { totalAmount: this.#grandAmount ?? this.#subAmount, lineCount: this.#lineCount };
  }

  /** From the amount's own column, else from the row's last number: a merged footer keeps no columns. */
  #amountOf(cells: readonly ReadCell[], grid: Grid, amountColumn: number | undefined): number | null {
    if (amountColumn === undefined) return null;
    const own = grid.covering(cells[0]!.row, amountColumn);
    const candidates = [own, ...cells.slice().reverse()];
    for (const cell of candidates) {
      if (!cell || cell.blank) continue;
      const numeral = numeralOf(cell) || lastNumeral(cell.text.text);
      const amount = parseNumeral(numeral, 'whole');
      if (amount) return amount.confidence * readingOf(cell).confidence >= MIN_TOTAL_CONFIDENCE ? amount.value : null;
    }
    return null;
  }
}

/** A last row without code whose amount is the sum of those above, though its label could not be read. */
export function isUnlabelledTotal(
  cells: readonly ReadCell[],
  grid: Grid,
  columns: ColumnAssignment,
  lines: readonly DrugLine[],
): boolean {
  const codeColumn = columns.get('drugCode');
  const amountColumn = columns.get('totalAmount');
  const row = cells[0]!.row;
  if (lines.length < 2 || amountColumn === undefined) return false;
  const code = codeColumn === undefined ? undefined : grid.at(row, codeColumn);
  if (code && !code.blank && code.columnSpan === 1 && /\d{6}/.test(code.text.text)) return false;
  const amount = numberField(grid.at(row, amountColumn), 'whole').value;
  const sum = lines.reduce((total, line) => total + (line.totalAmount.value ?? 0), 0);
  return amount !== null && amount === sum;
}

/** The digits and separators that a text ends with, before a possible 원; empty where it ends otherwise. */
function lastNumeral(text: string): string {
  const bare = text.trimEnd().replace(/원$/, '').trimEnd();
  return /(?<![\d,.])[\d,.]+$/.exec(bare)?.[0].replace(/^[,.]+/, '') ?? '';
}
