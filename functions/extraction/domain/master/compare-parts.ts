import { type Amount, type NameParts, sameAmount } from './name-parts.ts';

/**
 * The result of comparing the parts of a printed name with a listed one:
 * - `agreement`: brand and form are the same, and so is every other part that both state.
 * - `contradiction`: a part that both state differs, so it is another product.
 * - `undecided`: the brand differs in letters that may be misread, or the deciding part is missing.
 */
export type PartsVerdict = 'agreement' | 'contradiction' | 'undecided';

/** Salts weigh more than the base that a name states: up to this many times. */
const MAX_SALT_FACTOR = 1.7;

export function compareParts(print: NameParts, listed: NameParts): PartsVerdict {
  if (print.brand !== listed.brand || print.brand === '') return 'undecided';
  const verdicts = [compareForms(print, listed), compareStrengths(print, listed), comparePacks(print, listed)];
  if (verdicts.includes('contradiction')) return 'contradiction';
  return verdicts.every((verdict) => verdict === 'agreement') && !print.hasStrayDigits && bracketsAgree(print, listed)
    ? 'agreement'
    : 'undecided';
}

/** A form that the print lacks may be a syllable that was not read; of 주사액 a column may have left 주. */
function compareForms(print: NameParts, listed: NameParts): PartsVerdict {
  if (print.form === listed.form) return 'agreement';
  if (print.form === null || listed.form === null) return 'undecided';
  return listed.form.startsWith(print.form) && !isComplete(print) ? 'undecided' : 'contradiction';
}

/** A name that continues behind its strength was not cut before it. */
function isComplete({ brackets, hasAdditions }: NameParts): boolean {
  return brackets.length > 0 || hasAdditions;
}

function compareStrengths(print: NameParts, listed: NameParts): PartsVerdict {
  if (print.strengths.length === 0) {
    // A complete name that shows no strength states none.
    return listed.strengths.length === 0 || isComplete(print) ? 'agreement' : 'undecided';
  }
  if (listed.strengths.length > 0) return compareSeries(print, listed);
  return listed.pack?.strength ? compareWithPack(print.strengths, listed.pack.strength, listed.pack.size) : 'agreement';
}

function compareSeries(print: NameParts, listed: NameParts): PartsVerdict {
  let verdict: PartsVerdict = print.strengths.length < listed.strengths.length ? 'undecided' : 'agreement';
  for (const [at, amount] of print.strengths.entries()) {
    const other = listed.strengths[at];
    if (other === undefined) return amount.unit === 'ul' ? compareConcentration(print, listed) : 'contradiction';
    // Behind a last number without a unit a column may have cut another digit off.
    const mayGoOn = amount.unit === '' && at === print.strengths.length - 1 && !isComplete(print);
    if (!(sameAmount(amount, other) ?? sameNumber(amount, other))) return mayGoOn ? 'undecided' : 'contradiction';
    if (mayGoOn && other.unit !== '') verdict = 'undecided';
  }
  return verdict;
}

/** Of a print with a volume that the list states in its pack alone: 40 mg/0.4 mL is not 40 mg/0.8 mL. */
function compareConcentration({ strengths }: NameParts, { pack }: NameParts): PartsVerdict {
  return pack?.strength ? compareWithPack(strengths, pack.strength, pack.size) : 'agreement';
}

/** A name that lacks its unit writes the number that the list writes before its own. */
function sameNumber(a: Amount, b: Amount): boolean {
  return a.written === b.written;
}

/** For a list that states the strength of one unit, or of a whole bottle, in its pack alone. */
function compareWithPack([strength, per]: readonly Amount[], packed: Amount, size: Amount | null): PartsVerdict {
  if (strength === undefined || strength.unit !== packed.unit) return 'undecided';
  // 125 mg/5 mL of 2.5 g/100 mL.
  const share = per !== undefined && size !== null && per.unit === size.unit ? size.value / per.value : 1;
  const stated = strength.value * share;
  if (Math.abs(stated - packed.value) <= 1e-6 * packed.value) return 'agreement';
  const isSalt = packed.value > stated && packed.value <= stated * MAX_SALT_FACTOR;
  // A strength without its volume may be that of any part of a bottle.
  return isSalt || (size !== null && per === undefined) ? 'undecided' : 'contradiction';
}

function comparePacks(print: NameParts, listed: NameParts): PartsVerdict {
  const pairs = [
    [print.pack?.strength, listed.pack?.strength],
    [print.pack?.size, listed.pack?.size],
  ] as const;
  if (pairs.some(([own, other]) => own && other && sameAmount(own, other) === false)) return 'contradiction';
  // Who prints the list's pack copies it: other letters were misread.
  const text = print.pack?.text ?? '';
  return text === '' || (listed.pack?.text ?? '').startsWith(text) ? 'agreement' : 'undecided';
}

/** Every bracket of the print is one of the list's, or the start of one where a column cut it. A list without brackets says nothing. */
function bracketsAgree(print: NameParts, { brackets }: NameParts): boolean {
  return (
    brackets.length === 0 ||
    print.brackets.every((content, at) => {
      const isCut = print.isOpen && at === print.brackets.length - 1;
      return brackets.some((other) => (isCut ? other.startsWith(content) : other === content));
    })
  );
}
