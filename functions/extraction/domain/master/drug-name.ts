import { editDistances } from '../text/edit-distance.ts';
import { toJamo } from '../text/jamo.ts';
import { compareParts } from './compare-parts.ts';
import { foldName, partsOf, withoutBlanks, withoutCutAddition } from './name-parts.ts';

/** A name up to the unit of its last number, where the unit is in Latin. */
const TO_END_OF_STRENGTH = /^.*\d[a-zμ]*/i;

export interface ListedName {
  /** The whole name, folded. */
  readonly full: string;
  /** Brand, form and strength: the text before the first bracket. */
  readonly core: string;
  /** The name without the bracketed ingredient, where it has one and a pack behind it. */
  readonly withoutIngredient: string | null;
}

/** The published list writes brand, form and strength, then `(ingredient)_(pack)`. */
export function foldListedName(name: string): ListedName {
  const pack = name.lastIndexOf('_(');
  const bracket = name.indexOf('(');
  return {
    full: foldName(name),
    core: foldName(bracket > 0 ? name.slice(0, bracket) : name),
    withoutIngredient:
      bracket > 0 && pack > bracket ? foldName(name.slice(0, bracket)) + foldName(name.slice(pack)) : null,
  };
}

export interface NameComparison {
  /**
   * - `whole`: the print is the listed name from its first letter to its last, except for blanks and the spelling of units.
   * - `verbatim`: except for blanks, it is the listed name without its brackets.
   * - `cut`: it is a start of the listed name that reaches past the strength.
   * - `same`: the same once units and punctuation are written alike.
   * - `partial`: it is a start of the listed name that ends before its strength does: it confirms the brand only.
   * - `similar`: near enough to be the same drug misread or worded differently; every strength that both show agrees.
   * - `different`: another drug, another strength, or too different to decide.
   */
  readonly agreement: 'whole' | 'verbatim' | 'cut' | 'same' | 'partial' | 'similar' | 'different';
  /** 0 to 1: one less the share of letters (jamo) that differ. */
  readonly similarity: number;
  /** False where it agrees but for a maker or an addition, which the list does not state. */
  readonly asPrinted: boolean;
  /** The list's name has a strength that the print does not state: sister products agree with it as well. */
  readonly omitsStrength: boolean;
}

/** Agreements of a print that shows a listed name, entirely or as far as a sheet does. */
export const OF_LIST: ReadonlySet<NameComparison['agreement']> = new Set([
  'whole',
  'verbatim',
  'cut',
  'same',
  'partial',
]);

const SIMILAR = 0.8;
/** Minimum letters of a brand; fewer start too many names. */
const MIN_CUT_LENGTH = 4;

/** The rest of a listed name behind a print that is its start, letter by letter; null if it is not. */
export function restOfName(printed: string, listed: string): string | null {
  const [print, name] = [partsOf(printed).bare, withoutBlanks(listed)];
  return name.startsWith(print) ? name.slice(print.length) : null;
}

const CONFIRMING: ReadonlySet<NameComparison['agreement']> = new Set(['whole', 'verbatim', 'cut', 'same']);

/**
 * Compares a name as printed (perhaps cut off, without its pack, or misread) with a name of the master: letter by letter, then by the parts that
 * both state. Parts that both state must agree; a part that one of them lacks decides nothing.
 */
export function compareNames(printed: string, listed: string): NameComparison {
  const whole = partsOf(printed);
  const uncut = withoutCutAddition(whole.bare);
  const print = uncut === whole.bare ? whole : { ...partsOf(uncut), hasAdditions: true };
  const name = partsOf(listed);
  const omitsStrength = print.strengths.length < name.strengths.length;
  const compared = (text: string) => ({
    ...compareAsPrinted(text, listed),
    asPrinted: text === printed,
    omitsStrength,
  });
  const asPrinted = compared(printed);
  const verdict = compareParts(print, name);
  if (verdict === 'contradiction') return { ...asPrinted, agreement: 'different' };
  if (CONFIRMING.has(asPrinted.agreement)) return asPrinted;
  const asMeant = compared(whole.bare);
  if (CONFIRMING.has(asMeant.agreement)) return asMeant;
  const asCut = compared(uncut);
  if (CONFIRMING.has(asCut.agreement)) return asCut;
  return verdict === 'agreement' ? { agreement: 'same', similarity: 1, asPrinted: false, omitsStrength } : asMeant;
}

/** Whether a print confirms a listed name and states its strength, so that no sister product agrees with it. */
export function isConfirmed({ agreement, omitsStrength }: NameComparison): boolean {
  return CONFIRMING.has(agreement) && !omitsStrength;
}

function compareAsPrinted(printed: string, listed: string): Pick<NameComparison, 'agreement' | 'similarity'> {
  const print = foldName(printed);
  if (print.length < 2) return { agreement: 'different', similarity: 0 };
  const beginning = compareBeginnings(withoutBlanks(printed), withoutBlanks(listed));
  if (beginning) return { agreement: beginning, similarity: 1 };
  const name = foldListedName(listed);
  if (print === name.full) return { agreement: 'whole', similarity: 1 };
  if (print === name.core || print === name.withoutIngredient) return { agreement: 'same', similarity: 1 };
  if (closesTooEarly(printed, listed)) return { agreement: 'similar', similarity: 1 };
  if (name.full.startsWith(print) && !/\d/.test(name.core.slice(print.length))) {
    if (!endsInStrength(print, name.core)) return { agreement: 'same', similarity: 1 };
    // Behind a unit that a column cuts no bracket is printed: letters before it were lost.
    return { agreement: /[([]\s*$/.test(printed) ? 'similar' : 'partial', similarity: 1 };
  }
  const similarity = nameSimilarity(print, name);
  const alike = similarity >= SIMILAR && strengthsAgree(print, name.core);
  return { agreement: alike ? 'similar' : 'different', similarity };
}

/** Whether a print ends in a bracket that holds no more than the start of one of the listed name's: what its column cuts may look like `)`. */
function closesTooEarly(printed: string, listed: string): boolean {
  const last = /[([]([^()[\]]+)[)\]]$/.exec(withoutBlanks(printed))?.[1];
  if (last === undefined) return false;
  const brackets = [...withoutBlanks(listed).matchAll(/[([]([^()[\]]+)/g)].map((match) => foldName(match[1]!));
  const print = foldName(last);
  return !brackets.includes(print) && brackets.some((bracket) => bracket.startsWith(print));
}

/** For a print that is, letter by letter, the listed name or a start of it. */
function compareBeginnings(print: string, listed: string): 'whole' | 'verbatim' | 'cut' | 'partial' | null {
  if (!listed.startsWith(print)) return null;
  const rest = listed.slice(print.length);
  if (rest === '') return 'whole';
  if (rest.startsWith('(') || rest.startsWith('_(')) return 'verbatim';
  const core = listed.split('(', 1)[0]!;
  if (!/\d/.test(core.slice(print.length)) && !endsInStrength(print, core)) return 'cut';
  return print.length >= MIN_CUT_LENGTH ? 'partial' : null;
}

/** Without its unit a number may be the start of another one, 10 of 100; and 5m is 5mg, 5mcg or 5mL. */
function endsInStrength(print: string, core: string): boolean {
  if (/\d$/.test(print) && core.length > print.length) return true;
  return print.length < (core.match(TO_END_OF_STRENGTH)?.[0].length ?? 0);
}

/** Brand, strength and ingredient fit into this many letters; the rest only costs time. */
const COMPARED_LETTERS = 72;
/** How much longer than the print the part of a listed name may be that it is compared with. */
const SLACK = 1.25;

/** @param print a folded name. */
export function nameSimilarity(print: string, listed: ListedName): number {
  const letters = toJamo(print).subarray(0, COMPARED_LETTERS);
  const reach = Math.ceil(letters.length * SLACK);
  const distanceTo = (name: string) => editDistances(letters, toJamo(name).subarray(0, reach)).prefix;
  const distance =
    listed.withoutIngredient === null
      ? distanceTo(listed.full)
      : Math.min(distanceTo(listed.full), distanceTo(listed.withoutIngredient));
  return Math.max(0, 1 - distance / Math.max(1, letters.length));
}

/**
 * Numbers distinguish strengths, and one letter there must not count as a mere misreading: 5 mg is not 50 mg. A print without a number
 * (cut off before it) contradicts nothing.
 */
export function strengthsAgree(print: string, listedCore: string): boolean {
  const shown = print.match(/\d+(?:\.\d+)?/g) ?? [];
  const listed = listedCore.match(/\d+(?:\.\d+)?/g) ?? [];
  return shown.slice(0, listed.length).every((number, i) => Number(number) === Number(listed[i]));
}
