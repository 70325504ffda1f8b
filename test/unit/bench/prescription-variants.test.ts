import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Drawing, type TextStyle, textWidth } from '../../../bench/corpus/drawing/drawing.ts';
import type { Font } from '../../../bench/corpus/fonts.ts';
import { drawPrescription } from '../../../bench/corpus/forms/prescription/draw-prescription.ts';
import { drawnVariation, VARIANTS, type Variant } from '../../../bench/corpus/forms/prescription/variants/variant.ts';
import { inventedMaster } from '../../../bench/corpus/invented-drugs.ts';
import { Random } from '../../../bench/corpus/random.ts';
import type { Rect, TableTruth } from '../../../bench/corpus/truth.ts';

interface Printed {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly middle: number;
}

const master = inventedMaster();
const metrics = { widthEm: (text: string) => [...text].reduce((sum, sign) => sum + (sign > '\u1100' ? 1 : 0.55), 0) };
/** No font is installed where tests run: widths are all that placing takes. */
const fonts = [{ family: 'Sans', metrics, bold: null } as unknown as Font];
let prints: Printed[] = [];

beforeEach(() => {
  prints = [];
  vi.spyOn(Drawing.prototype, 'text').mockImplementation(
    (text: string, x: number, middle: number, style: TextStyle) => {
      const width = textWidth(text, style);
      const left = x - { left: 0, center: width / 2, right: width }[style.align ?? 'left'];
      if (text !== '') prints.push({ text, x: left, right: left + width, middle });
    },
  );
  vi.spyOn(Drawing.prototype, 'render').mockImplementation(async (width, height) => {
    return { width, height, pixels: new Uint8Array(width * height * 3) };
  });
});

afterEach(() => vi.restoreAllMocks());

async function draw(label: string, variants: readonly Variant[], crops = false) {
  prints = [];
  const order = { master, fonts, split: 'tuned', size: 12, crops } as const;
  const random = new Random(`variant ${label}`);
  const { table, raster, made } = await drawPrescription(new Random(label), order, { variants, random });
  return { table: table!, raster, made };
}

const LABELS = Array.from({ length: 12 }, (_, index) => `form ${index}`);

/** The texts printed at a place of the table. */
function printedIn({ x, y, width, height }: Rect): readonly Printed[] {
  return prints.filter(
    (print) => print.right > x && print.x < x + width && print.middle >= y && print.middle <= y + height,
  );
}

function headers({ grid }: TableTruth): readonly string[] {
  return grid.cells.filter(({ row }) => row === 0).map(({ text }) => text);
}

function body({ grid }: TableTruth, column: number): readonly string[] {
  return grid.cells.filter((cell) => cell.row > 0 && cell.column === column).map(({ text }) => text);
}

describe('drawnVariation', () => {
  it('gives about a third of the pages variants, each about as often as the others', () => {
    const drawn = Array.from({ length: 3000 }, (_, index) => drawnVariation(new Random(`v ${index}`)).variants);
    const share = drawn.filter((variants) => variants.length > 0).length / drawn.length;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.4);
    for (const variant of VARIANTS) {
      const own = drawn.filter((variants) => variants.includes(variant)).length / drawn.length;
      expect(own, variant).toBeGreaterThan(0.04);
      expect(own, variant).toBeLessThan(0.14);
    }
  });

  it('gives no page any where none is asked for', () => {
    for (const label of LABELS) expect(drawnVariation(new Random(label), 'none').variants).toEqual([]);
  });

  it('gives every page the one that is asked for', () => {
    for (const variant of VARIANTS)
      for (const label of LABELS) expect(drawnVariation(new Random(label), variant).variants).toContain(variant);
  });
});

describe('a prescription without variants', () => {
  it('is what it was before there were any', async () => {
    const hash = createHash('sha256');
    for (const label of LABELS) {
      const { table, made } = await draw(label, [], true);
      hash.update(JSON.stringify([table, made, prints]));
    }
    expect(hash.digest('hex')).toBe('2c42f8191e837f1fb9e4b62dede9b324409b94c709242ab40c68206f2055888f');
  });
});

describe.each(VARIANTS.map((variant) => [variant] as const))('a prescription %s', (variant) => {
  it('prints what its truth holds, names and codes within their columns', async () => {
    for (const label of LABELS.slice(0, variant === 'side-by-side' ? 4 : 12)) {
      const { table, made } = await draw(label, [variant]);
      expect(made.variant).toBe(variant);
      expect(table.rows.length).toBe(made.rows);
      // Of two forms, prints have the places that each of them has alone.
      if (variant === 'side-by-side') continue;
      for (const { cells, item } of table.rows)
        for (const [field, { text, box }] of Object.entries(cells)) {
          const found = printedIn(box);
          // A detached unit is a separate print.
          expect(found.map((print) => print.text).join(' '), `${label} ${field}`).toContain(text);
          if (field !== 'drugName') continue;
          expect(item.drugName).toBe(text);
          expect(found.find((print) => print.text === text)!.right).toBeLessThanOrEqual(box.x + box.width);
        }
    }
  });
});

describe('the variants of prescriptions', () => {
  it('codes-below: each code is on a separate line below its name', async () => {
    for (const label of LABELS) {
      const { table } = await draw(label, ['codes-below']);
      for (const { cells } of table.rows) {
        const [name, code] = [cells.drugName!, cells.drugCode!];
        expect(code.box.y).toBeGreaterThanOrEqual(name.box.y + name.box.height);
        const line = prints.find(({ text }) => text.includes(code.text))!;
        expect(line.text.replace(/[()[\]]/g, '')).toBe(code.text);
        expect(table.grid.cells.some(({ text }) => text === `${name.text} \n${line.text}`)).toBe(true);
      }
    }
  });

  it('numbered: lines are counted, in a column or before the code', async () => {
    const places = new Set<string>();
    for (const label of LABELS) {
      const { table } = await draw(label, ['numbered']);
      const isColumn = table.columns[0]!.kind === 'serial';
      places.add(isColumn ? 'column' : 'text');
      const [first, second] = [0, 1].map((column) => body(table, column)[0]!);
      expect(Number.parseInt(first!, 10)).toBe(1);
      expect(isColumn ? second : first).toContain(table.rows[0]!.item.drugName);
      expect(table.rows[0]!.item.drugName).not.toMatch(/^1[ .)]/);
    }
    expect(places).toEqual(new Set(['column', 'text']));
  });

  it('numbered, codes-below: numbers precede names or codes, and are part of neither', async () => {
    for (const label of LABELS) {
      const { table } = await draw(label, ['codes-below', 'numbered']);
      for (const { item } of table.rows) {
        expect(item.drugCode).toMatch(/^\w{9}$/);
        expect(item.drugName).not.toMatch(/^\d+[.) ]/);
      }
    }
  });

  it('two-languages: each header has words of both', async () => {
    for (const label of LABELS) {
      const { table } = await draw(label, ['two-languages']);
      for (const header of headers(table)) expect(header).toMatch(/(?=.*[A-Za-z]{3})(?=.*[가-힣])/s);
      for (const header of headers(table).flatMap((text) => text.split('\n')))
        expect(prints.some(({ text }) => text === header)).toBe(true);
    }
  });

  it('one-dose-column: dose, times a day and days share one cell, each with its own place in it', async () => {
    for (const label of LABELS) {
      const { table } = await draw(label, ['one-dose-column']);
      expect(headers(table)[1]!.replace(/\s/g, '')).toMatch(/^[^/]*량\/[^/]*횟수\/[^/]*일수$/);
      for (const [index, { cells, item }] of table.rows.entries()) {
        const [dose, times, days] = [cells.quantity!, cells.timesPerDay!, cells.days!];
        const parts = body(table, 1)[index]!.split(/\s?\/\s?/);
        expect(parts).toEqual([dose.text, times.text, days.text]);
        expect(parts.map((part) => Number.parseFloat(part))).toEqual([item.quantity, times.value, item.days]);
        expect(dose.box.x + dose.box.width).toBeLessThanOrEqual(times.box.x);
        expect(times.box.x + times.box.width).toBeLessThanOrEqual(days.box.x);
      }
    }
  });

  it('two-halves: the list runs down the left half and on in the right one, below the same headers', async () => {
    let filled = 0;
    for (const label of LABELS) {
      const { table, raster } = await draw(label, ['two-halves']);
      const all = headers(table);
      expect(all.slice(all.length / 2)).toEqual(all.slice(0, all.length / 2));
      const halves = table.rows.map(({ box }) => (box.x < raster.width / 2 - 20 ? 0 : 1));
      expect(halves).toEqual([...halves].sort());
      const tops = (half: number) => table.rows.filter((_, row) => halves[row] === half).map(({ box }) => box.y);
      for (const half of [0, 1]) expect(tops(half)).toEqual([...tops(half)].sort((a, b) => a - b));
      if (halves.includes(1)) filled++;
    }
    expect(filled).toBeGreaterThan(LABELS.length / 2);
  });

  it('side-by-side: the lines of the left prescription, then those of the right one', async () => {
    for (const label of LABELS.slice(0, 4)) {
      const { table, raster } = await draw(label, ['side-by-side']);
      const alone = await draw(label, []);
      expect(raster.width).toBeGreaterThan(raster.height);
      const left = table.rows.filter(({ box }) => box.x + box.width <= alone.raster.width);
      expect(table.rows.slice(0, left.length)).toEqual(alone.table.rows);
      expect(table.rows.length).toBeGreaterThan(left.length);
      for (const { box, cells } of table.rows.slice(left.length))
        for (const place of [box, cells.drugName!.box]) expect(place.x).toBeGreaterThan(alone.raster.width);
    }
  });
});
