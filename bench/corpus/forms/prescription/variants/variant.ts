import type { Random } from '../../../random.ts';
import type { FormPlan } from '../form-plan.ts';
import { codesBelow } from './codes-below.ts';
import { numbered } from './list-numbers.ts';
import { oneDoseColumn } from './one-dose-column.ts';
import { twoHalves } from './two-halves.ts';
import { twoLanguages } from './two-languages.ts';

/** Variants of clinics' forms beyond the form of law, in the order in which they change a form's plan. */
export const VARIANTS = [
  'one-dose-column',
  'codes-below',
  'numbered',
  'two-halves',
  'two-languages',
  'side-by-side',
] as const;

export type Variant = (typeof VARIANTS)[number];

/** Variants that a run may request: one on every page, or none on any. */
export const WANTED_VARIANTS = [...VARIANTS, 'none'] as const;

export type WantedVariant = (typeof WANTED_VARIANTS)[number];

/** The variants of one page, and the chance by which their details are drawn: none of the page's own. */
export interface Variation {
  readonly variants: readonly Variant[];
  readonly random: Random;
}

const SHARE = 0.35;

/** Variants that come along with another one, and how often. */
const COMPANIONS: Readonly<Record<Variant, Readonly<Partial<Record<Variant, number>>>>> = {
  'one-dose-column': { numbered: 0.15, 'two-languages': 0.15 },
  'codes-below': { numbered: 0.4, 'two-languages': 0.15 },
  numbered: { 'two-languages': 0.15 },
  'two-halves': { numbered: 0.35, 'two-languages': 0.15 },
  'two-languages': {},
  'side-by-side': { 'codes-below': 0.1, numbered: 0.1, 'two-languages': 0.1 },
};

/** Draws the variants of a page: mostly none. @param random the page's own for them. @param wanted absent: drawn. */
export function drawnVariation(random: Random, wanted?: WantedVariant): Variation {
  const drawn = random.chance(SHARE) ? random.pick(VARIANTS) : null;
  const first = wanted ?? drawn ?? 'none';
  if (first === 'none') return { variants: [], random };
  const companions = COMPANIONS[first];
  const variants = VARIANTS.filter((variant) => variant === first || random.chance(companions[variant] ?? 0));
  return { variants, random };
}

const CHANGES: Readonly<Record<Variant, (random: Random, plan: FormPlan) => FormPlan>> = {
  'one-dose-column': oneDoseColumn,
  'codes-below': codesBelow,
  numbered,
  'two-halves': twoHalves,
  'two-languages': twoLanguages,
  // Both are printed on one sheet of paper.
  'side-by-side': (_, plan) => ({ ...plan, ground: '#ffffff' }),
};

/** The plan of a form with its variants. */
export function varied(plan: FormPlan, { variants, random }: Variation): FormPlan {
  return variants.reduce((changed, variant) => CHANGES[variant](random, changed), plan);
}
