import type { MasterDrug } from '../master/drug-master.ts';
import { bareName, foldName } from '../master/drug-name.ts';

/** Letters behind a name that are the list's, though their bracket was not read. */
const MIN_IN_BRACKET = 2;

/** Gives back the bracket that was not read around what the list has in one; a bracket at the end that closed none was taken for a stray mark. */
export function putBackBracket(spelt: string[], { name }: MasterDrug): void {
  const [, brand = '', within = ''] = /^([^(]+)\(([^()]+)\)/.exec(name) ?? [];
  const print = spelt.join('');
  if (brand === '' || print.includes('(', 1) || !foldName(bareName(print)).startsWith(foldName(brand))) return;
  const end = spelt.findIndex(
    (_, end) => end > 0 && foldName(bareName(spelt.slice(0, end).join(''))) === foldName(brand),
  );
  const at = spelt.findIndex((letter, index) => index >= end && letter.trim() !== '');
  const rest = foldName(spelt.slice(at).join(''));
  if (end < 0 || rest.length < MIN_IN_BRACKET || !foldName(within).startsWith(rest)) return;
  spelt[at] = `(${spelt[at]}`;
  if (rest === foldName(within) && !print.endsWith(')')) spelt[spelt.length - 1] += ')';
}
