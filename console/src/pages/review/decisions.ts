import type { paths } from '../../api/openapi.d.ts';

export type Extraction = paths['/api/v1/extractions/{id}']['get']['responses'][200]['content']['application/json'];
export type Item = Extraction['items'][number];
type ReviewBody = paths['/api/v1/extractions/{id}/review']['put']['requestBody']['content']['application/json'];
type Correction = NonNullable<ReviewBody['lines'][number]['values']>;
export type Review = NonNullable<Extraction['review']>;

/** Fields that can be corrected, in the order of a sheet. */
export const FIELDS = [
  'drugCode',
  'drugName',
  'quantity',
  'days',
  'prescribedQty',
  'unitPrice',
  'totalAmount',
] as const;
export type Field = (typeof FIELDS)[number];
export type Value = string | number | null;
export type Values = Partial<Record<Field, Value>>;

export interface Decided {
  readonly decision: 'accepted' | 'corrected' | 'not_a_line';
  readonly values: Values;
}
export type Decisions = ReadonlyMap<number, Decided>;

export function decisionsOf(review: Pick<Review, 'lines'> | null): Decisions {
  return new Map(
    (review?.lines ?? []).map(({ index, decision, after }) => [index, { decision, values: after as Values }]),
  );
}

export function bodyOf(version: number, decisions: Decisions) {
  return {
    version,
    lines: [...decisions].map(([index, { decision, values }]) => ({
      index,
      decision,
      ...(decision === 'corrected' && { values: values as Correction }),
    })),
  };
}

export function isSame(a: Decided | undefined, b: Decided | undefined): boolean {
  return a?.decision === b?.decision && FIELDS.every((field) => a?.values[field] === b?.values[field]);
}

/** A line that two people have decided differently. */
export interface Conflict {
  readonly index: number;
  readonly theirs: Decided | undefined;
}

/** Merges my changes since `base` into theirs; lines that both changed differently are conflicts, and stay mine. */
export function merged(base: Decisions, mine: Decisions, theirs: Decisions) {
  const result = new Map(theirs);
  const conflicts: Conflict[] = [];
  for (const index of new Set([...base.keys(), ...mine.keys()])) {
    if (isSame(base.get(index), mine.get(index))) continue;
    const [my, their] = [mine.get(index), theirs.get(index)];
    if (!isSame(base.get(index), their) && !isSame(my, their)) conflicts.push({ index, theirs: their });
    if (my === undefined) result.delete(index);
    else result.set(index, my);
  }
  return { decisions: result as Decisions, conflicts };
}

/** Digits, with separators of thousands and a fraction. */
const NUMBER = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

/** The value of a text that a person typed. @param mayBeNegative on a page of returned drugs; days never are */
export function parsedValue(
  field: Field,
  text: string,
  mayBeNegative: boolean,
): { readonly value: Value } | { readonly fault: 'noNumber' | 'negative' } {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  if (field === 'drugCode' || field === 'drugName') return { value: trimmed };
  const plain = trimmed.replace(/^[−–]/, '-');
  if (plain.length > 15 || !NUMBER.test(plain)) return { fault: 'noNumber' };
  const value = Number(plain.replaceAll(',', ''));
  return value < 0 && (!mayBeNegative || field === 'days') ? { fault: 'negative' } : { value };
}

/** Whether a line is of a returned drug. */
export function isReturned(item: Item): boolean {
  return FIELDS.some((field) => Number(item[field]) < 0);
}

/** The decision that a line is right as it is now, with the corrections that were made before. */
export function confirmed(decided: Decided | undefined): Decided {
  return decided?.decision === 'corrected' ? decided : { decision: 'accepted', values: {} };
}

/** The decision with one more correction. */
export function corrected(decided: Decided | undefined, values: Values): Decided {
  return { decision: 'corrected', values: { ...decided?.values, ...values } };
}

/** The field that a note is about, to be edited first. */
export function doubtedField(item: Item): Field {
  const [note = ''] = item.review;
  if (/^(code|name_missing)/.test(note)) return note.startsWith('code') ? 'drugCode' : 'drugName';
  if (/^name/.test(note)) return 'drugName';
  if (/^price/.test(note)) return 'unitPrice';
  if (/^(quantity)/.test(note)) return 'quantity';
  if (/^days/.test(note)) return 'days';
  if (/^prescribed/.test(note)) return 'prescribedQty';
  if (/^(amount|total)/.test(note)) return 'totalAmount';
  return FIELDS.find((field) => note.includes(field)) ?? 'drugCode';
}

/** Fields that a machine code is about, where its parameters name none. */
const FIELDS_OF_CODES: readonly (readonly [prefix: string, fields: readonly Field[]])[] = [
  ['code_', ['drugCode']],
  ['name_', ['drugName']],
  ['price_', ['unitPrice']],
  ['quantity_contradiction', ['quantity', 'days', 'prescribedQty']],
  ['quantity_', ['quantity']],
  ['days_', ['days']],
  ['prescribed_qty_', ['prescribedQty']],
  ['amount_', ['totalAmount']],
];

/** Positions of the cells of a line that its notes are about. */
export function doubtedCells({ findings, placeFields }: Extraction, index: number): readonly number[] {
  const doubted = new Set(
    findings?.[index]?.flatMap(({ code, parameters: { field } }) =>
      FIELDS.some((each) => each === field)
        ? [field as Field]
        : (FIELDS_OF_CODES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? []),
    ),
  );
  return (placeFields?.[index] ?? []).flatMap((field, at) => (field !== null && doubted.has(field) ? [at] : []));
}

/** The values after the review. */
export function correctedValues(item: Item, decided: Decided | undefined): Record<Field, Value> {
  return Object.fromEntries(
    FIELDS.map((field) => [field, decided?.values[field] !== undefined ? decided.values[field] : item[field]]),
  ) as Record<Field, Value>;
}
