import type { paths } from '../../api/openapi.d.ts';

export type Extraction = paths['/api/v1/extractions/{id}']['get']['responses'][200]['content']['application/json'];
export type Item = Extraction['items'][number];
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
      ...(decision === 'corrected' && { values: values as Record<Field, Value> }),
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

/** Parses what the user typed into a field. @returns undefined when it is not a valid value */
export function parsedValue(field: Field, text: string): Value | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (field === 'drugCode' || field === 'drugName') return trimmed;
  const number = Number(trimmed.replaceAll(',', ''));
  return Number.isFinite(number) ? number : undefined;
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

/** The values after the review. */
export function correctedValues(item: Item, decided: Decided | undefined): Record<Field, Value> {
  return Object.fromEntries(
    FIELDS.map((field) => [field, decided?.values[field] !== undefined ? decided.values[field] : item[field]]),
  ) as Record<Field, Value>;
}
