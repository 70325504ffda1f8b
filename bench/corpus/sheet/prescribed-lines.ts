import { type CorpusDrug, type CorpusMaster, type PricedUnit, priceToday } from '../master.ts';
import type { Random } from '../random.ts';
import type { CellTruth, ItemValues, PlantedError, Rect, RowTruth, Split, TableField } from '../truth.ts';
import { withMisprint } from './expected.ts';
import { round } from './numbers.ts';
import { adorned, type NameStyle, printedName, UNADORNED } from './printed-name.ts';

/** A drug as a prescription orders it: dose, times a day and days; no price. */
export interface PrescribedLine {
  readonly drug: CorpusDrug;
  /** Null where none is printed. */
  readonly code: string | null;
  /** Before a column cuts it. */
  readonly name: string;
  readonly quantity: number;
  readonly timesPerDay: number;
  readonly days: number;
  /** The unit of a dose, as this page writes it. */
  readonly unit: string;
  /** Whether the printed code is in the master. */
  readonly known: boolean;
  readonly errors: readonly PlantedError[];
}

export interface PrescribedStyle {
  readonly names: NameStyle;
  /** Share of the lines whose code the list does not know, in the old form or not. */
  readonly unknownShare: number;
  readonly codes: boolean;
  /** Doses that were divided by hand or by a program: thirds and quarters are usual. */
  readonly fractions: boolean;
}

export function prescribedStyle(random: Random, master: CorpusMaster): PrescribedStyle {
  const names: NameStyle = {
    ...UNADORNED,
    parts: random.weighted({ short: 55, withoutPack: 25, listed: 15, spaced: 5 }),
    unit: random.weighted({ latin: 50, words: 42, square: 8 }),
    maker: random.chance(0.15) ? 'cut' : 'none',
    addition: random.weighted({ none: 50, unit: 28, route: 22 }),
  };
  return {
    names: adorned(random, master, names, 0.5),
    unknownShare: random.chance(0.25) ? 0.12 : 0,
    codes: !random.chance(0.04),
    fractions: random.chance(0.35),
  };
}

const UNITS: Readonly<Record<PricedUnit, readonly [string, string, string]>> = {
  정: ['정', 'T', '정'],
  캡슐: ['캡슐', 'C', '캅셀'],
  포: ['포', 'P', '포'],
  mL: ['cc', 'ml', 'mL'],
  병: ['병', '앰플', '개'],
  g: ['개', 'gm', 'g'],
  관: ['개', '병', '관'],
};

/** @param suits which drugs the place is for. */
export function prescribedLines(
  random: Random,
  master: CorpusMaster,
  split: Split,
  count: number,
  style: PrescribedStyle,
  suits: (drug: CorpusDrug) => boolean,
): PrescribedLine[] {
  const spelling = random.int(0, 2);
  const usualDays = random.pick([2, 3, 3, 5, 7, 14, 28, 30, 60, 90]);
  const lines: PrescribedLine[] = [];
  while (lines.length < count) {
    const drug = random.pick(master.drugs[split]);
    // What left the list is not prescribed any more.
    if (!suits(drug) || priceToday(drug) === null) continue;
    lines.push(prescribedLine(random, master, drug, style, spelling, usualDays));
  }
  return lines;
}

export function isInjected(drug: CorpusDrug): boolean {
  return drug.route === '주사';
}

function prescribedLine(
  random: Random,
  master: CorpusMaster,
  drug: CorpusDrug,
  style: PrescribedStyle,
  spelling: number,
  usualDays: number,
): PrescribedLine {
  const unknown = style.codes && random.chance(style.unknownShare);
  const oldForm = unknown && random.chance(0.4);
  const code = oldForm
    ? `${random.pick(['A', 'E', 'W'])}${random.int(10_000_000, 99_999_999)}`
    : unknown
      ? unlistedCode(random, master, drug.code)
      : drug.code;
  const { pricedUnit } = drug;
  const single = /^(g|관|병)$/.test(pricedUnit);
  return {
    drug,
    code: style.codes ? code : null,
    name: printedName(random, drug, style.names),
    quantity: dose(random, pricedUnit, style.fractions),
    timesPerDay: single ? 1 : random.pick([1, 1, 2, 2, 3, 3, 3, 4]),
    days: single ? random.pick([1, 1, 2, 3]) : random.chance(0.75) ? usualDays : random.pick([1, 3, 5, 7, 10, 15, 30]),
    unit: UNITS[pricedUnit][spelling]!,
    known: style.codes && !unknown && drug.listed,
    errors: oldForm ? ['code_old_form'] : unknown ? ['code_unknown'] : drug.listed ? [] : ['drug_unlisted'],
  };
}

function dose(random: Random, pricedUnit: string, fractions: boolean): number {
  if (pricedUnit === 'mL') return random.pick([2, 3, 5, 6, 7.5, 10, 15, 20, 100]);
  if (/^(병|g|관)$/.test(pricedUnit)) return random.pick([1, 1, 1, 2]);
  return fractions
    ? random.pick([1, 1, 0.5, 0.3333, 0.6667, 0.25, 1.5, 0.75, 0.3, 2])
    : random.pick([1, 1, 1, 1, 2, 0.5]);
}

function unlistedCode(random: Random, master: CorpusMaster, code: string): string {
  for (;;) {
    const other = code.slice(0, 4) + String(random.int(0, 99_999)).padStart(5, '0');
    if (!master.byCode.has(other)) return other;
  }
}

/** The dose with the decimals that this page gives it. */
export function writeDose(value: number, decimals: number): string {
  const [whole = '', fraction = ''] = String(round(value)).split('.');
  const digits = fraction.padEnd(decimals, '0');
  return digits === '' ? whole : `${whole}.${digits}`;
}

/** Position of a line and texts of its cells. */
export interface PlacedLine {
  readonly line: PrescribedLine;
  readonly box: Rect;
  /** As printed, cut where its column ends. */
  readonly name: string;
  readonly texts: Readonly<Partial<Record<TableField, string>>>;
  readonly boxes: Readonly<Partial<Record<TableField, Rect>>>;
}

/** The page's charge for a line: price times total quantity, rounded. */
export function amountsOf({ drug, quantity, timesPerDay, days }: PrescribedLine): {
  readonly unitPrice: number;
  readonly totalAmount: number;
} {
  const unitPrice = priceToday(drug) ?? 1;
  return { unitPrice, totalAmount: Math.round(round(unitPrice * quantity * timesPerDay * days)) };
}

/** The response of a faultless service: a prescription has no total, and seldom a price and an amount. */
export function prescribedTruth({ line, box, name, texts, boxes }: PlacedLine): RowTruth {
  const amounts = amountsOf(line);
  const priced = texts.unitPrice !== undefined;
  const item: ItemValues = {
    drugCode: line.code,
    drugName: texts.drugName === undefined ? null : name,
    quantity: line.quantity,
    days: line.days,
    prescribedQty: null,
    unitPrice: priced ? amounts.unitPrice : null,
    totalAmount: texts.totalAmount === undefined ? null : amounts.totalAmount,
  };
  const cells: Partial<Record<TableField, CellTruth>> = {};
  for (const [field, text] of Object.entries(texts) as [TableField, string][]) {
    const value = field === 'timesPerDay' ? line.timesPerDay : item[field];
    cells[field] = { text, value, box: boxes[field] ?? box };
  }
  const truth: RowTruth = {
    box,
    cells,
    item,
    nameTruncated: name !== line.name,
    codeInMaster: line.known,
    priceCheck: priced && line.known ? 'current' : 'none',
    suggestedDrugCode: null,
    // A page without any codes leaves every name to be looked up; an unknown code contradicts the list.
    status: line.known ? 'GREEN' : line.code === null ? 'YELLOW' : 'RED',
    errors: line.errors,
    cut: false,
  };
  return withMisprint(truth, line.drug);
}
