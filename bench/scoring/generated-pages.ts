import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { hullOf } from '../../functions/extraction/domain/interpret/print.ts';
import type {
  Box,
  PageReading,
  ReadCell,
  ReadTable,
  ReadText,
} from '../../functions/extraction/domain/reading/table-reader.ts';
import type { ItemValues } from '../corpus/truth.ts';

const NUMBER = z.number().nullable();
const ROW = z.object({
  drugCode: z.string().nullable(),
  drugName: z.string().nullable(),
  quantity: NUMBER,
  days: NUMBER,
  prescribedQty: NUMBER,
  unitPrice: NUMBER,
  totalAmount: NUMBER,
});
const PAGES = z.array(
  z.object({
    file: z.string(),
    layout: z.string(),
    prints: z.array(
      z.object({
        text: z.string(),
        /** Left, top, width and height in pixels. */
        box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        confidence: z.number(),
        /** Table (-1: outside of every table), row, column, their spans, and the number of the cell. */
        cell: z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]),
      }),
    ),
    rows: z.array(ROW),
  }),
);

type Prints = z.infer<typeof PAGES>[number]['prints'];

export interface GeneratedPage {
  readonly file: string;
  readonly layout: string;
  readonly reading: PageReading;
  readonly rows: readonly ItemValues[];
}

/** Pages of `training/tables/write_pages.py`: prints with the noise of a reader, and the rows that they say. */
export function generatedPages(file: string): readonly GeneratedPage[] {
  return PAGES.parse(JSON.parse(readFileSync(file, 'utf8'))).map(({ prints, ...page }) => ({
    ...page,
    reading: readingOf(prints),
  }));
}

function readingOf(prints: Prints): PageReading {
  const moved = fromOrigin(prints);
  const inside = Map.groupBy(moved, ({ cell: [table] }) => table);
  const texts = (inside.get(-1) ?? []).map(textOf);
  inside.delete(-1);
  const { width, height } = hullOf([{ x: 0, y: 0, width: 1, height: 1 }, ...moved.map(boxOf)]);
  const size = { width: width + MARGIN, height: height + MARGIN };
  return {
    geometry: { rotation: 0, source: size, oriented: size, crop: null },
    image: { readable: true, issues: [], drawn: false },
    tables: [...inside.values()].map(tableOf),
    texts,
    page: size,
  };
}

/** In pixels: white around the print. */
const MARGIN = 60;

function fromOrigin(prints: Prints): Prints {
  const left = Math.min(...prints.map(({ box }) => box[0])) - MARGIN;
  const top = Math.min(...prints.map(({ box }) => box[1])) - MARGIN;
  return prints.map((print) => {
    const [x, y, width, height] = print.box;
    return { ...print, box: [x - left, y - top, width, height] };
  });
}

function boxOf({ box: [x, y, width, height] }: Prints[number]): Box {
  return { x, y, width, height };
}

function textOf(print: Prints[number]): ReadText & { readonly numeral: (ReadText['numeral'] & {}) | null } {
  const { text, confidence } = print;
  const numeral = /^[\d\s.,-]+$/.test(text) ? { text, confidence } : null;
  return { text, confidence, numeral, box: boxOf(print) };
}

/** A grid whose rules are halfway between the prints of neighbouring rows and columns. */
function tableOf(prints: Prints): ReadTable {
  const rules = { across: edgesOf(prints, 1), down: edgesOf(prints, 0) };
  const [rowCount, columnCount] = [rules.across.length - 1, rules.down.length - 1];
  const cells = Array.from({ length: rowCount * columnCount }, (_, index): ReadCell => {
    const [row, column] = [Math.floor(index / columnCount), index % columnCount];
    const lines = prints
      .filter(({ cell }) => cell[1] === row && cell[2] === column)
      .map(textOf)
      .sort((a, b) => a.box.y - b.box.y);
    const [x, y] = [rules.down[column]!, rules.across[row]!];
    const box = { x, y, width: rules.down[column + 1]! - x, height: rules.across[row + 1]! - y };
    const text = {
      text: lines.map((line) => line.text).join('\n'),
      confidence: Math.min(1, ...lines.map(({ confidence }) => confidence)),
    };
    const numeral = lines.length === 1 ? lines[0]!.numeral : null;
    return { row, column, rowSpan: 1, columnSpan: 1, box, blank: lines.length === 0, text, numeral, lines };
  });
  const [x, y] = [rules.down[0]!, rules.across[0]!];
  const box = { x, y, width: rules.down.at(-1)! - x, height: rules.across.at(-1)! - y };
  return { box, rowCount, columnCount, cells, bounded: true };
}

/** Pixels of the rules before the first row or column, between all, and behind the last. @param axis 0: columns, 1: rows. */
function edgesOf(prints: Prints, axis: 0 | 1): readonly number[] {
  const numberOf = (print: Prints[number]) => print.cell[2 - axis]!;
  const count = 1 + Math.max(...prints.map(numberOf));
  const spans = Array.from({ length: count }, (_, at) => {
    const own = prints.filter((print) => numberOf(print) === at);
    const from = Math.min(...own.map(({ box }) => box[axis]));
    return own.length === 0 ? null : { from, to: Math.max(...own.map(({ box }) => box[axis] + box[axis + 2]!)) };
  });
  const edges = [spans[0]?.from ?? Math.min(...prints.map(({ box }) => box[axis]))];
  for (let at = 1; at < count; at++) {
    const before = spans[at - 1]?.to ?? edges.at(-1)!;
    edges.push(Math.max(edges.at(-1)! + 1, (before + (spans[at]?.from ?? before + 2)) / 2));
  }
  return [...edges, Math.max(edges.at(-1)! + 1, spans.at(-1)!.to)];
}
