import type { CorpusMaster } from '../master.ts';
import type { Random } from '../random.ts';
import type { FooterTruth, PageClass, Split, TableField } from '../truth.ts';
import { type DrugLine, drugLines } from './drug-lines.ts';
import { type ColumnKind, LAYOUTS, type Layout } from './layouts.ts';
import { numberStyle, writeQuantity, writeWhole } from './numbers.ts';
import { adorned, type NameStyle, nameStyle } from './printed-name.ts';

/** A sheet's content: everything that is printed, nothing of where. */
export interface Sheet {
  readonly layout: Layout;
  readonly title: string;
  readonly columns: readonly SheetColumn[];
  readonly lines: readonly SheetLine[];
  readonly footer: SheetFooter;
  readonly faulty: boolean;
  readonly truncatedAt: number | null;
}

export interface SheetColumn {
  readonly kind: ColumnKind;
  readonly header: string;
}

export type SheetLine =
  | { readonly type: 'drug'; readonly line: DrugLine; readonly texts: Readonly<Record<ColumnKind, string>> }
  | { readonly type: 'section'; readonly text: string };

export interface SheetFooter {
  readonly truth: FooterTruth;
  /** A last row of the table: a label and totals under their columns; null when there is none. */
  readonly row: { readonly label: string; readonly totals: Readonly<Partial<Record<ColumnKind, string>>> } | null;
  /** A line of text under the table. */
  readonly note: string | null;
}

const FIELDS: readonly string[] = [
  'drugCode',
  'drugName',
  'quantity',
  'timesPerDay',
  'days',
  'prescribedQty',
  'unitPrice',
  'totalAmount',
];
const SECTIONS = ['투약료 - 내복약', '주사료', '외용약', '[내복]', '[주사]', '[외용]'];

export function isField(kind: ColumnKind): kind is TableField {
  return FIELDS.includes(kind);
}

/** Requested properties of a sheet; the rest is random. */
export interface SheetWish {
  readonly layoutId?: string;
  readonly faulty?: boolean;
  readonly names?: NameStyle;
}

export function composeSheet(
  random: Random,
  master: CorpusMaster,
  split: Split,
  pageClass: PageClass,
  rowCount: number,
  wish: SheetWish = {},
): Sheet {
  const wished = LAYOUTS.find(({ id }) => id === wish.layoutId);
  const layout = wished ?? random.pick(LAYOUTS.filter(({ paperOnly }) => !(paperOnly && pageClass === 'screen')));
  const columns = layout.columns
    .filter(({ chance }) => chance === undefined || random.chance(chance))
    .map(({ kind, headers }) => ({ kind, header: random.pick(headers) }));
  const fields = new Set(columns.map(({ kind }) => kind).filter(isField));
  const numbers = numberStyle(random);
  const faulty = wish.faulty ?? random.chance(0.6);
  const count = layout.prescription ? Math.min(rowCount, random.int(4, 13)) : rowCount;
  const lines = drugLines(random, master, split, count, {
    layout,
    columns: fields,
    numbers,
    names: wish.names ?? adorned(random, master, nameStyle(random), 0.2),
    zerosEaten: !layout.standardCodes && random.chance(0.04),
    faulty,
  });
  const titleSuffix = random.chance(0.4) ? ` (${random.pick(['2026년 10월', '2026.10', '2026-11', '11월분'])})` : '';
  return {
    layout,
    title: random.pick(layout.title) + (layout.prescription ? '' : titleSuffix),
    columns,
    lines: withSections(random, layout, lines, numberLines(random, lines)),
    footer: footer(random, layout, columns, lines, numbers),
    faulty,
    truncatedAt: layout.longNames !== 'wrap' && random.chance(0.25) ? random.int(12, 22) : null,
  };
}

function numberLines(random: Random, lines: readonly DrugLine[]): SheetLine[] {
  const first = random.chance(0.06) ? random.int(2, 8) * 20 + 1 : 1;
  const category = random.pick(['급여', '원내', '내복']);
  return lines.map((line, i) => ({
    type: 'drug',
    line,
    texts: {
      ...line.printed,
      serial: String(first + i),
      maker: line.drug.maker,
      spec: line.drug.unit,
      unit: line.drug.unit.replace(/^[\d.]+ ?/, ''),
      usage: random.pick(['식후 30분', '식후 30분', '식전', '취침전', '아침 식후', '1일 3회']),
      note: random.chance(0.15) ? random.pick(['저가', '퇴방', '고가', '대체']) : '',
      category: random.chance(0.9) ? category : random.pick(['비급여', '원외', '외용']),
    },
  }));
}

function withSections(random: Random, layout: Layout, lines: readonly DrugLine[], rows: SheetLine[]): SheetLine[] {
  if (!layout.sections || lines.length < 8 || !random.chance(0.4)) return rows;
  const result = [...rows];
  const titles = random.shuffled(SECTIONS);
  result.splice(random.int(3, rows.length - 2), 0, { type: 'section', text: titles[1]! });
  return [{ type: 'section', text: titles[0]! }, ...result];
}

function footer(
  random: Random,
  layout: Layout,
  columns: readonly SheetColumn[],
  lines: readonly DrugLine[],
  numbers: ReturnType<typeof numberStyle>,
): SheetFooter {
  const none: SheetFooter = { truth: { totalAmount: null, lineCount: null, totalIsSum: true }, row: null, note: null };
  const kinds = columns.map(({ kind }) => kind);
  if (layout.prescription || !kinds.includes('totalAmount') || random.chance(0.4)) return none;
  const sum = lines.reduce((total, { item }) => total + (item.totalAmount ?? 0), 0);
  const totalIsSum = !random.chance(0.08);
  const total = totalIsSum
    ? sum
    : sum + random.pick([-1, 1]) * random.int(1, 9) * 10 ** random.int(1, String(sum).length - 2);
  const text = writeWhole(total, numbers);
  if (random.chance(0.7)) {
    const totals: Partial<Record<ColumnKind, string>> = { totalAmount: text };
    const summed = kinds.includes('prescribedQty')
      ? 'prescribedQty'
      : layout.quantityMeans === 'total' && kinds.includes('quantity')
        ? 'quantity'
        : null;
    if (summed && random.chance(0.4))
      totals[summed] = writeQuantity(
        lines.reduce((all, { item }) => all + (item[summed] ?? 0), 0),
        numbers,
      );
    const label = random.pick(['합계', '합 계', '총계', '총 합계', '계']);
    return { truth: { totalAmount: total, lineCount: null, totalIsSum }, row: { label, totals }, note: null };
  }
  const counted = random.chance(0.5);
  const note = counted ? `총 ${lines.length}건   합계금액 : ${text}원` : `합계 : ${text} 원`;
  return { truth: { totalAmount: total, lineCount: counted ? lines.length : null, totalIsSum }, row: null, note };
}
