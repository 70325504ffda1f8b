import { CORPUS_TODAY, type CorpusDrug, type CorpusMaster, priceToday } from '../master.ts';
import type { Random } from '../random.ts';
import type { ItemValues, PlantedError, Split, TableField } from '../truth.ts';
import { type Expectation, expectationOf } from './expected.ts';
import type { Layout } from './layouts.ts';
import { amountOf, type NumberStyle, round, writeQuantity, writeWhole } from './numbers.ts';
import { type NameStyle, printedName } from './printed-name.ts';

/** One line as the sheet's author wrote it, before it is set in columns. */
export interface DrugLine {
  readonly drug: CorpusDrug;
  /** Printed texts by field; the name is not yet cut to its column. */
  readonly printed: Readonly<Record<TableField, string>>;
  readonly item: ItemValues;
  readonly timesPerDay: number | null;
  readonly expectation: Expectation;
  readonly suggestedDrugCode: string | null;
  readonly errors: readonly PlantedError[];
}

export interface LineStyle {
  readonly layout: Layout;
  readonly columns: ReadonlySet<TableField>;
  readonly numbers: NumberStyle;
  readonly names: NameStyle;
  /** A spreadsheet ate the leading zeros of this sheet's codes. */
  readonly zerosEaten: boolean;
  /** Whether errors are planted; the other sheets are as good as sheets are. */
  readonly faulty: boolean;
}

interface Draft {
  drug: CorpusDrug;
  known: boolean;
  code: string;
  quantity: number | null;
  timesPerDay: number | null;
  days: number | null;
  prescribedQty: number | null;
  unitPrice: number | null;
  totalAmount: number | null;
}

export function drugLines(
  random: Random,
  master: CorpusMaster,
  split: Split,
  count: number,
  style: LineStyle,
): DrugLine[] {
  // Sheets are often sorted or grouped by maker, which puts similar codes under each other.
  const pool = Array.from({ length: count }, () => random.pick(master.drugs[split]));
  if (random.chance(0.35)) pool.sort((a, b) => (a.code < b.code ? -1 : 1));
  return pool.map((drug) => drugLine(random, master, drug, style));
}

function drugLine(random: Random, master: CorpusMaster, drug: CorpusDrug, style: LineStyle): DrugLine {
  const errors = chooseErrors(random, drug, style);
  const draft = correctDraft(random, drug, style, errors);
  misprint(random, master, draft, errors, style);
  const has = (field: TableField) => style.columns.has(field);
  const keep = <T>(field: TableField, value: T): T | null => (has(field) ? value : null);
  const code = style.zerosEaten ? draft.code.replace(/^0/, '') : draft.code;
  const name = printedName(random, drug, style.names);
  const item: ItemValues = {
    drugCode: keep('drugCode', code),
    drugName: keep('drugName', name),
    quantity: keep('quantity', draft.quantity),
    days: keep('days', draft.days),
    prescribedQty: keep('prescribedQty', draft.prescribedQty),
    unitPrice: keep('unitPrice', draft.unitPrice),
    totalAmount: keep('totalAmount', draft.totalAmount),
  };
  const expectation = expectationOf({
    item,
    timesPerDay: draft.timesPerDay,
    columns: style.columns,
    drug: draft.known ? drug : null,
    codeIsPlain: code.length !== 8,
    roundingKrw: style.numbers.roundingKrw,
  });
  const { numbers } = style;
  const quantity = (value: number | null) => (value === null ? '' : writeQuantity(value, numbers));
  const whole = (value: number | null) => (value === null ? '' : writeWhole(value, numbers));
  return {
    drug,
    printed: {
      drugCode: code,
      drugName: name,
      quantity: quantity(draft.quantity),
      timesPerDay: draft.timesPerDay === null ? '' : String(draft.timesPerDay),
      days: draft.days === null ? '' : String(draft.days),
      prescribedQty: quantity(draft.prescribedQty),
      unitPrice: whole(draft.unitPrice),
      totalAmount: whole(draft.totalAmount),
    },
    item,
    timesPerDay: keep('timesPerDay', draft.timesPerDay),
    expectation,
    suggestedDrugCode: drug.listed && errors.includes('code_misprint') ? drug.code : null,
    errors,
  };
}

/** At most one error a line, so that its effect is unambiguous. */
function chooseErrors(random: Random, drug: CorpusDrug, style: LineStyle): PlantedError[] {
  if (!drug.listed) return ['drug_unlisted'];
  if (!style.faulty) return [];
  if (priceToday(drug) === null) return ['price_delisted'];
  const error = random.weighted({
    none: 80,
    price_historical: 6,
    code_unknown: 3,
    price_mismatch: 2.5,
    amount_misprint: 2,
    total_quantity_misprint: 1.5,
    code_misprint: 1.5,
    amount_rounding: 1.5,
    value_missing: 1.5,
    code_old_form: 0.5,
  } satisfies Record<PlantedError | 'none', number> | Record<string, number>);
  if (error === 'none') return [];
  const priced = style.columns.has('unitPrice') && style.columns.has('totalAmount');
  if (error === 'price_historical') return priced && historicalPrice(drug) !== null ? [error] : [];
  if (error === 'total_quantity_misprint')
    return style.columns.has('prescribedQty') && style.columns.has('quantity') ? [error] : [];
  // Where amounts are cut to tens anyway, a few KRW more or less are not a mistake.
  if (error === 'amount_rounding' && style.numbers.roundingKrw !== 1) return [];
  if ((error.startsWith('price') || error.startsWith('amount')) && !priced) return [];
  return [error as PlantedError];
}

function correctDraft(random: Random, drug: CorpusDrug, style: LineStyle, errors: readonly PlantedError[]): Draft {
  const dosing = dose(random, drug, style.layout.quantityMeans);
  const past = historicalPrice(drug);
  let unitPrice = priceToday(drug) ?? past ?? 1;
  if (errors.includes('price_historical') && past !== null) unitPrice = past;
  if (errors.includes('price_mismatch')) unitPrice = offListPrice(random, drug);
  return {
    drug,
    known: drug.listed,
    code: style.layout.standardCodes ? standardCode(drug.code) : drug.code,
    ...dosing,
    unitPrice,
    totalAmount: amountOf(unitPrice, dosing.prescribedQty, style.numbers),
  };
}

function misprint(
  random: Random,
  master: CorpusMaster,
  draft: Draft,
  errors: readonly PlantedError[],
  style: LineStyle,
): void {
  for (const error of errors) {
    switch (error) {
      case 'code_unknown':
      case 'code_misprint': {
        const code =
          error === 'code_unknown'
            ? absentCode(random, master, draft.drug.code)
            : mistypedCode(random, master, draft.drug.code);
        draft.known = false;
        draft.code = style.layout.standardCodes ? standardCode(code) : code;
        break;
      }
      case 'code_old_form':
        draft.known = false;
        draft.code = `${random.pick(['A', 'B', 'E', 'W'])}${random.int(10_000_000, 99_999_999)}`;
        break;
      case 'amount_misprint':
        draft.totalAmount = changedDigit(
          random,
          draft.totalAmount!,
          (next, old) => Math.abs(next - old) > Math.max(40, old * 0.02),
        );
        break;
      case 'amount_rounding': {
        const offKrw = random.pick([-1, 1]) * random.int(3, 8);
        draft.totalAmount =
          draft.totalAmount! > 8 ? draft.totalAmount! + offKrw : draft.totalAmount! + Math.abs(offKrw);
        break;
      }
      case 'total_quantity_misprint':
        draft.prescribedQty = changedDigit(
          random,
          Math.ceil(draft.prescribedQty!),
          (next, old) => next !== old && next !== draft.prescribedQty,
        );
        draft.totalAmount = amountOf(draft.unitPrice!, draft.prescribedQty, style.numbers);
        break;
      case 'value_missing': {
        const fields = (['days', 'unitPrice', 'totalAmount', 'quantity', 'prescribedQty'] as const).filter((field) =>
          style.columns.has(field),
        );
        draft[random.pick(fields)] = null;
        break;
      }
    }
  }
}

function dose(random: Random, drug: CorpusDrug, quantityMeans: Layout['quantityMeans']) {
  const liquid = drug.pricedUnit === 'mL';
  const injected = drug.pricedUnit === '병';
  if (quantityMeans === 'total') {
    const total = liquid
      ? random.int(4, 600) * 5
      : injected
        ? random.int(1, 60)
        : Math.round(10 ** random.between(0.5, 3.6));
    const quantity = random.chance(0.06) ? total + 0.5 : total;
    return { quantity, timesPerDay: null, days: null, prescribedQty: quantity };
  }
  const quantity = liquid
    ? random.pick([5, 7.5, 10, 15, 20])
    : injected
      ? random.pick([1, 1, 1, 2])
      : random.pick([1, 1, 1, 1, 1, 1, 2, 2, 3, 0.5, 0.5, 0.25, 1.5]);
  const days = injected
    ? random.int(1, 3)
    : random.pick([1, 2, 3, 3, 4, 5, 5, 7, 7, 10, 14, 14, 15, 20, 28, 30, 30, 56, 60, 84, 90]);
  if (quantityMeans === 'dose') {
    const timesPerDay = injected ? 1 : random.pick([1, 1, 1, 2, 2, 3, 3, 3, 4]);
    return { quantity, timesPerDay, days, prescribedQty: round(quantity * timesPerDay * days) };
  }
  const perDay = quantity * (injected ? 1 : random.pick([1, 1, 2, 3]));
  return { quantity: perDay, timesPerDay: null, days, prescribedQty: round(perDay * days) };
}

function historicalPrice(drug: CorpusDrug): number | null {
  const today = priceToday(drug);
  const past = drug.prices.filter(({ from, krw }) => from <= CORPUS_TODAY && krw !== null && krw !== today);
  return past.at(-1)?.krw ?? null;
}

function offListPrice(random: Random, drug: CorpusDrug): number {
  const listed = new Set(drug.prices.map(({ krw }) => krw));
  const today = priceToday(drug)!;
  for (;;) {
    const price = Math.max(
      2,
      random.chance(0.5) ? today + random.int(-9, 9) : Math.round(today * random.between(0.7, 1.4)),
    );
    if (!listed.has(price)) return price;
  }
}

function absentCode(random: Random, master: CorpusMaster, code: string): string {
  for (;;) {
    const other = code.slice(0, 4) + String(random.int(0, 99_999)).padStart(5, '0');
    if (!master.byCode.has(other)) return other;
  }
}

function mistypedCode(random: Random, master: CorpusMaster, code: string): string {
  for (;;) {
    const digits = [...code];
    const at = random.int(4, 7);
    if (random.chance(0.5)) [digits[at], digits[at + 1]] = [digits[at + 1]!, digits[at]!];
    else digits[at] = String(random.int(0, 9));
    const other = digits.join('');
    if (other !== code && !master.byCode.has(other)) return other;
  }
}

function changedDigit(random: Random, value: number, accepted: (next: number, old: number) => boolean): number {
  for (let attempt = 0; attempt < 200; attempt++) {
    const digits = [...String(value)];
    digits[random.int(0, digits.length - 1)] = String(random.int(0, 9));
    const next = Number(digits.join(''));
    if (next > 0 && accepted(next, value)) return next;
  }
  return value * 10;
}

/** 880, company and item of the insurance code, GS1 check digit. */
function standardCode(code: string): string {
  const digits = `880${code}`;
  const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
