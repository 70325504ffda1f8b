import { CORPUS_TODAY, type CorpusDrug, priceToday } from '../master.ts';
import { showsMisprint } from '../misprints.ts';
import type { ItemValues, PriceCheck, RowTruth, TableField, TrafficLight } from '../truth.ts';

/**
 * The findings of a correct judge on a line read without a mistake. Written from the rules alone (GREEN, YELLOW and RED lines, price
 * check), independently of the product's judging: a measure must not share its mistakes.
 */
export interface Expectation {
  readonly codeInMaster: boolean;
  readonly priceCheck: PriceCheck;
  readonly status: TrafficLight;
}

export interface LineFacts {
  readonly item: ItemValues;
  readonly timesPerDay: number | null;
  readonly columns: ReadonlySet<TableField>;
  readonly drug: CorpusDrug | null;
  /** False for codes that had to be repaired before they could be looked up. */
  readonly codeIsPlain: boolean;
  readonly roundingKrw: 1 | 10;
}

export function expectationOf(facts: LineFacts): Expectation {
  const priceCheck = priceCheckOf(facts.drug, facts.item.unitPrice);
  return { codeInMaster: facts.drug !== null, priceCheck, status: statusOf(facts, priceCheck) };
}

/** The line's truth where its print, as its column cuts it, shows a misprinted name: it is never GREEN. */
export function withMisprint(row: RowTruth, drug: CorpusDrug): RowTruth {
  if (!showsMisprint(drug, row.item.drugName ?? '')) return row;
  return { ...row, status: row.status === 'GREEN' ? 'YELLOW' : row.status, errors: [...row.errors, 'name_misprint'] };
}

function priceCheckOf(drug: CorpusDrug | null, unitPrice: number | null): PriceCheck {
  if (!drug || unitPrice === null) return 'none';
  if (unitPrice === priceToday(drug)) return 'current';
  const past = drug.prices.filter(({ from }) => from <= CORPUS_TODAY);
  return past.some(({ krw }) => krw === unitPrice) ? 'historical' : 'mismatch';
}

function statusOf(facts: LineFacts, priceCheck: PriceCheck): TrafficLight {
  const { item, columns } = facts;
  const missing = (field: keyof ItemValues) => columns.has(field) && item[field] === null;
  const off = arithmeticOff(facts);
  if (!facts.drug || priceCheck === 'mismatch' || off === 'contradiction') return 'RED';
  // Where the total is the only quantity that the sheet has, it is the one that must not be missing.
  const quantityMissing = missing('quantity') || (!columns.has('quantity') && missing('prescribedQty'));
  if (missing('drugCode') || quantityMissing || missing('totalAmount')) return 'RED';
  const optionalMissing = missing('days') || missing('prescribedQty') || missing('unitPrice') || missing('drugName');
  // Without price, amount and quantity side by side nothing on the sheet confirms any of them; a prescription has doses and
  // days alone, and is taken at its word.
  const has = (...fields: TableField[]) => fields.some((field) => columns.has(field));
  const isPrescription = has('quantity') && has('days') && !has('unitPrice', 'totalAmount');
  const unproven = !isPrescription && !(has('unitPrice') && has('totalAmount'));
  const priceDoubted = !isPrescription && priceCheck !== 'current';
  return unproven || priceDoubted || off === 'rounding' || optionalMissing || !facts.codeIsPlain ? 'YELLOW' : 'GREEN';
}

function arithmeticOff({ item, timesPerDay, columns, roundingKrw }: LineFacts): 'no' | 'rounding' | 'contradiction' {
  const { quantity, days, prescribedQty, unitPrice, totalAmount } = item;
  const factors = [quantity, columns.has('timesPerDay') ? timesPerDay : 1, columns.has('days') ? days : 1];
  const dosage =
    factors.includes(null) || !columns.has('quantity') ? null : factors.reduce<number>((a, b) => a * b!, 1);
  if (dosage !== null && prescribedQty !== null && Math.abs(dosage - prescribedQty) > 1e-6) return 'contradiction';
  const total = prescribedQty ?? dosage;
  if (total === null || unitPrice === null || totalAmount === null) return 'no';
  const difference = Math.abs(total * unitPrice - totalAmount);
  if (difference < roundingKrw + 1e-6) return 'no';
  return difference <= Math.max(10, 0.005 * totalAmount) ? 'rounding' : 'contradiction';
}
