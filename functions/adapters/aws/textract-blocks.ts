import type { Block, Point as BlockPoint } from '@aws-sdk/client-textract';
import type { Rotation } from '../../extraction/domain/reading/geometry.ts';
import type { Box, Reading } from '../../extraction/domain/reading/table-reader.ts';

/** One answer of AnalyzeDocument in terms of a page: places are pixels of the upright picture. */
export interface TextractPage {
  readonly tables: readonly TextractTable[];
  /** Lines outside every table, titles and footers of tables included. */
  readonly lines: readonly (Reading & { readonly box: Box })[];
}

export interface TextractTable {
  readonly box: Box;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly cells: readonly TextractCell[];
}

export interface TextractCell {
  /** 0-based. */
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  readonly box: Box;
  /** What Textract read; empty when it saw no word. */
  readonly reading: Reading;
  /** One box a text line of the cell, from top to bottom; empty when it saw no word. */
  readonly lineBoxes: readonly Box[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * By which counter-clockwise turn the picture becomes upright. A text line's polygon begins at the top left of the text,
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
 * @param turn counter-clockwise turn that was found by `turnOf`.
 * @param upright size in pixels of the picture after that turn.
 */
export function mapBlocks(blocks: readonly Block[], turn: Rotation, upright: Size): TextractPage {
  const byId = new Map(blocks.map((block) => [block.Id, block]));
  const place = new Placing(byId, turn, upright);
  const tables = blocks.filter(({ BlockType }) => BlockType === 'TABLE').map((block) => place.table(block));
  const inCells = new Set(
    blocks.filter(({ BlockType }) => BlockType === 'CELL').flatMap((cell) => idsOf(cell, 'CHILD')),
  );
  const lines = blocks
    .filter(({ BlockType }) => BlockType === 'LINE')
    .filter((line) => !idsOf(line, 'CHILD').some((word) => inCells.has(word)))
    .map((line) => ({ text: line.Text ?? '', confidence: (line.Confidence ?? 0) / 100, box: place.box(line) }));
  return {
    tables: tables.filter(({ cells }) => cells.length > 0).sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x),
    lines: lines.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x),
  };
}

class Placing {
  readonly #blocks: ReadonlyMap<string | undefined, Block>;
  readonly #turn: Rotation;
  readonly #upright: Size;

  constructor(blocks: ReadonlyMap<string | undefined, Block>, turn: Rotation, upright: Size) {
    this.#blocks = blocks;
    this.#turn = turn;
    this.#upright = upright;
  }

  table(table: Block): TextractTable {
    const cells = this.#children(table, 'CHILD', 'CELL').map((block) => this.#cell(block));
    const merged = this.#children(table, 'MERGED_CELL', 'MERGED_CELL').map((block) => this.#mergedCell(block));
    const covered = new Set(merged.flatMap(({ children }) => children));
    const all = [...cells.filter(({ id }) => !covered.has(id)), ...merged]
      .map(({ cell }) => cell)
      // Blocks come in no order that could be relied on.
      .sort((a, b) => a.row - b.row || a.column - b.column);
    return {
      box: this.box(table),
      rowCount: Math.max(0, ...all.map(({ row, rowSpan }) => row + rowSpan)),
      columnCount: Math.max(0, ...all.map(({ column, columnSpan }) => column + columnSpan)),
      cells: all,
    };
  }

  box(block: Block): Box {
    return boundingBox((block.Geometry?.Polygon ?? []).map((point) => this.#point(point)));
  }

  #cell(block: Block): { readonly id: string; readonly cell: TextractCell } {
    const words = this.#children(block, 'CHILD', 'WORD');
    return {
      id: block.Id ?? '',
      cell: {
        row: (block.RowIndex ?? 1) - 1,
        column: (block.ColumnIndex ?? 1) - 1,
        rowSpan: block.RowSpan ?? 1,
        columnSpan: block.ColumnSpan ?? 1,
        box: this.box(block),
        ...this.#read(words),
      },
    };
  }

  /** Its own row, column and spans are not to be relied on: some answers count the merged cells themselves. */
  #mergedCell(block: Block): { readonly children: readonly string[]; readonly cell: TextractCell } {
    const children = this.#children(block, 'CHILD', 'CELL');
    const cells = children.map((child) => this.#cell(child).cell);
    const row = Math.min(...cells.map((cell) => cell.row));
    const column = Math.min(...cells.map((cell) => cell.column));
    return {
      children: children.map(({ Id }) => Id ?? ''),
      cell: {
        row,
        column,
        rowSpan: Math.max(...cells.map((cell) => cell.row + cell.rowSpan)) - row,
        columnSpan: Math.max(...cells.map((cell) => cell.column + cell.columnSpan)) - column,
        box: unite(cells.map(({ box }) => box)),
        ...this.#read(children.flatMap((child) => this.#children(child, 'CHILD', 'WORD'))),
      },
    };
  }

  #read(words: readonly Block[]): Pick<TextractCell, 'reading' | 'lineBoxes'> {
    const lines = groupIntoLines(words.map((word) => ({ word, box: this.box(word) })));
    return {
      reading: {
        text: lines
          .flat()
          .map(({ word }) => word.Text ?? '')
          .join(' '),
        confidence: words.length === 0 ? 0 : Math.min(...words.map(({ Confidence }) => (Confidence ?? 0) / 100)),
      },
      lineBoxes: lines.map((line) => unite(line.map(({ box }) => box))),
    };
  }

  #children(block: Block, relationship: string, type: string): readonly Block[] {
    return idsOf(block, relationship)
      .map((id) => this.#blocks.get(id))
      .filter((child): child is Block => child?.BlockType === type);
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

/** Words of one line overlap in height; lines go from top to bottom, words from left to right. */
function groupIntoLines<T extends { readonly box: Box }>(words: readonly T[]): readonly (readonly T[])[] {
  const lines: T[][] = [];
  for (const word of [...words].sort((a, b) => a.box.y - b.box.y)) {
    const middle = word.box.y + word.box.height / 2;
    const line = lines.at(-1)?.find(({ box }) => middle >= box.y && middle <= box.y + box.height);
    if (line) lines.at(-1)!.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => line.sort((a, b) => a.box.x - b.box.x));
}

function idsOf(block: Block, relationship: string): readonly string[] {
  return (block.Relationships ?? []).filter(({ Type }) => Type === relationship).flatMap(({ Ids }) => Ids ?? []);
}

function boundingBox(points: readonly (readonly [number, number])[]): Box {
  if (points.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function unite(boxes: readonly Box[]): Box {
  return boundingBox(boxes.flatMap(({ x, y, width, height }) => [[x, y] as const, [x + width, y + height] as const]));
}
