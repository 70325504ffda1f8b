import type { ReadCell, ReadTable } from '../reading/table-reader.ts';

/** A table's cells by place. */
export class Grid {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly #starting: (ReadCell | undefined)[];
  readonly #covering: (ReadCell | undefined)[];

  constructor(table: ReadTable) {
    this.rowCount = table.rowCount;
    this.columnCount = table.columnCount;
    this.#starting = new Array(this.rowCount * this.columnCount);
    this.#covering = new Array(this.rowCount * this.columnCount);
    for (const cell of table.cells) {
      const lastRow = Math.min(this.rowCount, cell.row + cell.rowSpan);
      const lastColumn = Math.min(this.columnCount, cell.column + cell.columnSpan);
      for (let row = cell.row; row < lastRow; row++)
        for (let column = cell.column; column < lastColumn; column++)
          this.#covering[row * this.columnCount + column] = cell;
      this.#starting[cell.row * this.columnCount + cell.column] = cell;
    }
  }

  /** The cell that starts here; undefined inside a merged cell. */
  at(row: number, column: number): ReadCell | undefined {
    return this.#starting[row * this.columnCount + column];
  }

  /** The cell that covers this place, merged or not. */
  covering(row: number, column: number): ReadCell | undefined {
    return this.#covering[row * this.columnCount + column];
  }

  /** Cells with ink that start in a row, from left to right. */
  inked(row: number): readonly ReadCell[] {
    const cells: ReadCell[] = [];
    for (let column = 0; column < this.columnCount; column++) {
      const cell = this.at(row, column);
      if (cell && !cell.blank) cells.push(cell);
    }
    return cells;
  }
}
