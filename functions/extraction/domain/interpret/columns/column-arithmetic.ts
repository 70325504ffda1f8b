import {
  AMOUNT_FORMS,
  amountHolds,
  DOSAGE_FORMS,
  dosageHolds,
  type Numbers,
  type NumericField,
  WHOLE_FIELDS,
} from '../../sheet-arithmetic.ts';
import type { ColumnEvidence } from './column-evidence.ts';

export type ChosenColumns = ReadonlyMap<NumericField, ColumnEvidence>;

export interface Support {
  /** 0 to 2: how well dosage and amount come out. */
  readonly score: number;
  /** Fields that take part in an equation that comes out. */
  readonly bound: ReadonlySet<NumericField>;
}

interface Relation {
  /** Tells relations apart in the memory of known supports. */
  readonly index: number;
  readonly factors: readonly NumericField[];
  readonly fields: readonly NumericField[];
  readonly holds: (numbers: Numbers, factors: readonly NumericField[]) => boolean | null;
  /** Whether a row distinguishes the result from a column that only repeats one of the factors. */
  readonly tells: (numbers: Numbers) => boolean;
  readonly result: NumericField;
}

const DOSAGE = DOSAGE_FORMS.map(
  (factors, index): Relation => ({
    index,
    factors,
    fields: [...factors, 'prescribedQty'],
    result: 'prescribedQty',
    holds: dosageHolds,
    // One a day on every row, and any second column of days would be the total.
    tells: (numbers) => factors.length === 1 || factors.every((factor) => numbers[factor] !== numbers.prescribedQty),
  }),
);
const AMOUNT = amountRelations(AMOUNT_FORMS, DOSAGE.length);
const BILLED = amountRelations([['timesPerDay', 'days']], DOSAGE.length + AMOUNT.length);

function amountRelations(forms: readonly (readonly NumericField[])[], first: number): readonly Relation[] {
  return forms.map((factors, i) => ({
    index: first + i,
    factors,
    fields: [...factors, 'unitPrice', 'totalAmount'],
    result: 'totalAmount',
    holds: amountHolds,
    tells: () => true,
  }));
}

/** Below this a relation holds by accident. */
const MIN_SHARE = 0.4;
/**
 * The same share without an announcing header: marks and flags are small numbers, too; a total that only repeats the dose does so on all
 * lines but misread ones.
 */
const MIN_SHARE_UNANNOUNCED = 0.6;
const MIN_SHARE_REPEATED = 0.8;
/** Number of rows that prove a relation; fewer prove it in part. */
const ROWS_THAT_PROVE = 3;
/** Rows, and their share, in which a total is too small to be one. */
const ROWS_THAT_CONTRADICT = 2;
const MIN_CONTRADICTED = 0.3;
/** A relation that explains more columns wins between equals. */
const BONUS_PER_FACTOR = 0.01;
const MAX_COLUMNS = 32;

/** Whether an itemised bill (진료비 세부산정내역) has these columns: its times, 횟수, are its only quantity, 0.5 of a tablet as well. */
export function countsByTimes(columns: { readonly has: (field: NumericField) => boolean }): boolean {
  const isBilled = (['timesPerDay', 'unitPrice', 'totalAmount'] as const).every((field) => columns.has(field));
  return isBilled && !columns.has('quantity') && !columns.has('prescribedQty');
}

/** How well choices of columns satisfy the sheet's arithmetic; remembered, since most choices share their parts. */
export class ColumnArithmetic {
  readonly #known = new Map<number, number>();

  supportOf(chosen: ChosenColumns): Support {
    const forms = countsDays(chosen) ? DOSAGE.filter(({ factors }) => factors.includes('days')) : DOSAGE;
    const dosage = isLessThanDaily(chosen) ? null : this.#best(forms, chosen);
    const amounts = countsByTimes(chosen) ? BILLED : AMOUNT;
    const relations = [dosage, this.#best(amounts, chosen)].filter((best) => best !== null);
    return {
      score: relations.reduce((sum, { score }) => sum + score, 0),
      bound: new Set(relations.flatMap(({ relation }) => relation.fields)),
    };
  }

  #best(relations: readonly Relation[], chosen: ChosenColumns): { relation: Relation; score: number } | null {
    let best: { relation: Relation; score: number } | null = null;
    for (const relation of relations) {
      if (!relation.fields.every((field) => chosen.has(field))) continue;
      const support = this.#support(relation, chosen);
      const score = support === 0 ? 0 : support + relation.factors.length * BONUS_PER_FACTOR;
      if (score > (best?.score ?? 0)) best = { relation, score };
    }
    return best;
  }

  #support(relation: Relation, chosen: ChosenColumns): number {
    let key = relation.index;
    for (const field of relation.fields) key = key * MAX_COLUMNS + (chosen.get(field)!.column % MAX_COLUMNS);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const support = measure(relation, chosen);
    this.#known.set(key, support);
    return support;
  }
}

/**
 * Whether a column that no header announces as the total is below the daily dose on several rows: it is then not the total, even if it
 * equals the dose on others by chance, as days do.
 */
function isLessThanDaily(chosen: ChosenColumns): boolean {
  const [dose, times, total] = (['quantity', 'timesPerDay', 'prescribedQty'] as const).map((field) =>
    chosen.get(field),
  );
  if (!dose || dose.header?.secondary || times?.header?.kind !== 'timesPerDay') return false;
  if (!total || total.header?.kind === 'prescribedQty') return false;
  const rows = total.quantities.flatMap((value, row) => {
    const [each, count] = [dose.quantities[row] ?? null, times.whole[row] ?? null];
    return value === null || each === null || count === null ? [] : value < each * count;
  });
  const less = rows.filter(Boolean).length;
  return less >= ROWS_THAT_CONTRADICT && less >= rows.length * MIN_CONTRADICTED;
}

/** Whether days are announced and some are more than one, but no total is: a column that equals the dose leaves them out, so it is not a total. */
function countsDays(chosen: ChosenColumns): boolean {
  const days = chosen.get('days');
  if (days?.header?.kind !== 'days' || chosen.get('prescribedQty')?.header?.kind === 'prescribedQty') return false;
  return days.whole.some((count) => count !== null && count > 1);
}

function measure({ fields, factors, result, holds, tells }: Relation, chosen: ChosenColumns): number {
  const values = fields.map((field) => {
    const { whole, quantities } = chosen.get(field)!;
    return [field, WHOLE_FIELDS.has(field) ? whole : quantities] as const;
  });
  // A column that equals dose times times a day, and precedes them, is the daily dose of a prescription.
  const isAnnouncedResult = chosen.get(result)!.header?.kind === result;
  const isFirst = factors.every((factor) => chosen.get(factor)!.column > chosen.get(result)!.column);
  if (result === 'prescribedQty' && !factors.includes('days') && isFirst && !isAnnouncedResult) return 0;
  const rowCount = values[0]![1].length;
  let known = 0;
  let held = 0;
  let telling = 0;
  for (let row = 0; row < rowCount; row++) {
    const numbers = Object.fromEntries(values.map(([field, column]) => [field, column[row] ?? null]));
    const doesHold = holds(numbers, factors);
    if (doesHold === null) continue;
    known++;
    if (!doesHold) continue;
    held++;
    if (tells(numbers)) telling++;
  }
  if (telling === 0 && !isAnnouncedResult) return 0;
  const share = known === 0 ? 0 : held / known;
  const isAnnounced = fields.every((field) => chosen.get(field)!.header?.kind === field);
  const isRepeated = result === 'prescribedQty' && factors.length === 1;
  const needed = isAnnounced ? MIN_SHARE : isRepeated ? MIN_SHARE_REPEATED : MIN_SHARE_UNANNOUNCED;
  return share < needed ? 0 : share * Math.min(1, held / ROWS_THAT_PROVE);
}
