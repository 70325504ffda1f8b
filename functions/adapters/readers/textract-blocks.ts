import type { Block, Point as BlockPoint } from '@aws-sdk/client-textract';
import type { Rotation, Size } from '../../extraction/domain/reading/geometry.ts';
import type { Extent, GridCell, GridTable } from '../../extraction/domain/reading/structure/tables/grid.ts';
import type { Reading } from '../../extraction/domain/reading/table-reader.ts';

/** A table of AnalyzeDocument's answer; places are pixels of the upright picture. */
export interface TextractTable extends GridTable {
  readonly cells: readonly TextractCell[];
}

export interface TextractCell extends GridCell {
  /** Textract's reading; empty if it found no word. */
  readonly reading: Reading;
}

/**
 * By which counter-clockwise turn the picture becomes upright. A text line's polygon starts at the top left of the text,
 * however it lies; long lines are surer than short ones.
 */
export function turnOf(blocks: readonly Block[]): Rotation {
  const lengths = new Map<Rotation, number>();
  for (const { BlockType, Geometry } of blocks) {
    const [start, end] = Geometry?.Polygon ?? [];
    if (BlockType !== 'LINE' || !start || !end) continue;
    const [dx, dy] = [(end.X ?? 0) - (start.X ?? 0), (end.Y ?? 0) - (start.Y ?? 0)];
    const clockwise = (Math.round(Math.atan2(dy, dx) / (Math.PI / 2)) + 4) % 4;
    const turn = (clockwise * 90) as Rotation;
    lengths.set(turn, (lengths.get(turn) ?? 0) + Math.hypot(dx, dy));
  }
  return [...lengths].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/**
 * The tables of an answer, top to bottom. Print outside their cells (titles, footers) is not part of them.
 * @param turn counter-clockwise turn that was found by `turnOf`.
 * @param upright size in pixels of the picture after that turn.
 */
export function tablesOf(blocks: readonly Block[], turn: Rotation, upright: Size): readonly TextractTable[] {
  const mapping = new Mapping(blocks, turn, upright);
  return blocks
    .filter(({ BlockType }) => BlockType === 'TABLE')
    .map((block) => mapping.table(block))
    .filter(({ cells }) => cells.length > 0)
    .sort((a, b) => a.top - b.top || a.left - b.left);
}

class Mapping {
  readonly #blocks: ReadonlyMap<string | undefined, Block>;
  readonly #turn: Rotation;
  readonly #upright: Size;

  constructor(blocks: readonly Block[], turn: Rotation, upright: Size) {
    this.#blocks = new Map(blocks.map((block) => [block.Id, block]));
    this.#turn = turn;
    this.#upright = upright;
  }

  table(table: Block): TextractTable {
    const merged = this.#children(table, 'MERGED_CELL', 'MERGED_CELL').map((block) => ({
      cell: this.#mergedCell(block),
      covers: idsOf(block, 'CHILD'),
    }));
    const covered = new Set(merged.flatMap(({ covers }) => covers));
    const single = this.#children(table, 'CHILD', 'CELL').filter(({ Id }) => !covered.has(Id ?? ''));
    // Blocks come in no order that could be relied on.
    const cells = [...single.map((block) => this.#cell(block)), ...merged.map(({ cell }) => cell)].sort(
      (a, b) => a.row - b.row || a.column - b.column,
    );
    return {
      ...unite(cells),
      rowCount: Math.max(0, ...cells.map(({ row, rowSpan }) => row + rowSpan)),
      columnCount: Math.max(0, ...cells.map(({ column, columnSpan }) => column + columnSpan)),
      cells,
    };
  }

  #cell(block: Block): TextractCell {
    return {
      ...unite([this.#extent(block)]),
      row: (block.RowIndex ?? 1) - 1,
      column: (block.ColumnIndex ?? 1) - 1,
      rowSpan: block.RowSpan ?? 1,
      columnSpan: block.ColumnSpan ?? 1,
      reading: this.#read([block]),
    };
  }

  /** Its own row, column and spans are not to be relied on: some answers count the merged cells themselves. */
  #mergedCell(block: Block): TextractCell {
    const parts = this.#children(block, 'CHILD', 'CELL');
    const cells = parts.map((part) => this.#cell(part));
    const row = Math.min(...cells.map((cell) => cell.row));
    const column = Math.min(...cells.map((cell) => cell.column));
    return {
      ...unite(cells),
      row,
      column,
      rowSpan: Math.max(...cells.map((cell) => cell.row + cell.rowSpan)) - row,
      columnSpan: Math.max(...cells.map((cell) => cell.column + cell.columnSpan)) - column,
      reading: this.#read(parts),
    };
  }

  #read(cells: readonly Block[]): Reading {
    const words = cells.flatMap((cell) => this.#children(cell, 'CHILD', 'WORD'));
    return {
      text: words.map(({ Text }) => Text ?? '').join(' '),
      confidence: words.length === 0 ? 0 : Math.min(...words.map(({ Confidence }) => (Confidence ?? 0) / 100)),
    };
  }

  #children(block: Block, relationship: string, type: string): readonly Block[] {
    return idsOf(block, relationship)
      .map((id) => this.#blocks.get(id))
      .filter((child): child is Block => child?.BlockType === type);
  }

  #extent(block: Block): Extent {
    const points = (block.Geometry?.Polygon ?? []).map((point) => this.#point(point));
    return {
      left: Math.min(...points.map(([x]) => x)),
      top: Math.min(...points.map(([, y]) => y)),
      right: Math.max(...points.map(([x]) => x)),
      bottom: Math.max(...points.map(([, y]) => y)),
    };
  }

  #point({ X = 0, Y = 0 }: BlockPoint): readonly [number, number] {
    const turned: Record<Rotation, readonly [number, number]> = {
      0: [X, Y],
      90: [Y, 1 - X],
      180: [1 - X, 1 - Y],
      270: [1 - Y, X],
    };
    const [x, y] = turned[this.#turn];
    return [x * this.#upright.width, y * this.#upright.height];
  }
}

function idsOf(block: Block, relationship: string): readonly string[] {
  return (block.Relationships ?? []).filter(({ Type }) => Type === relationship).flatMap(({ Ids }) => Ids ?? []);
}

function unite(extents: readonly Extent[]): Extent {
  return {
    left: Math.min(...extents.map(({ left }) => left)),
    top: Math.min(...extents.map(({ top }) => top)),
    right: Math.max(...extents.map(({ right }) => right)),
    bottom: Math.max(...extents.map(({ bottom }) => bottom)),
  };
}
