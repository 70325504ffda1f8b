import type { DrugLine, DrugTable, TextField } from '../drug-line.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, type NameComparison, OF_LIST } from '../master/drug-name.ts';
import { isKnownMaker, partsOf, withoutBlanks, withoutCutAddition } from '../master/name-parts.ts';
import { endsInOpenBracket } from '../text/open-bracket.ts';
import { differingLetters } from './differing-letters.ts';
import { type Finding, yellow } from './finding.ts';
import type { NameDifference, UnreadLetter } from './finding-parameters.ts';
import { endsTooEarly, isCutBySheet, mayLackLetters } from './name-extent.ts';

/**
 * Whether the printed name confirms the line's code. The name itself is never changed: a letter that is not the list's is a finding.
 * @param drug what the list gives to the code.
 */
export function checkName(table: DrugTable, line: DrugLine, drug: MasterDrug, master: DrugMaster): Finding[] {
  const { value: name, confidence } = line.drugName;
  if (name === null) return [yellow('name_missing', { code: drug.code, listed: drug.name })];
  const { agreement, asPrinted } = compareNames(name, drug.name);
  const both = { name, listed: drug.name };
  if (!OF_LIST.has(agreement)) {
    const difference = differenceOf(line.drugName, drug, master);
    return agreement === 'similar'
      ? [yellow('name_uncertain.similar', { ...both, difference })]
      : [yellow('name_mismatch', { ...both, code: drug.code, difference })];
  }
  const letters = unreadLetters(line.drugName);
  if (letters.length > 0) return [yellow('name_uncertain.unread', { ...both, letters })];
  // The last letters may be cut off by the sheet, or blurred away: only the first leaves the name as it was printed.
  if (agreement === 'partial' && !isCutBySheet(table, line, master))
    return [yellow('name_uncertain.no_strength', both)];
  const isWhole = agreement === 'whole' || line.nameFillsColumn || partsOf(name).hasAdditions;
  if (!isWhole && endsTooEarly(table, name, drug, agreement === 'cut')) return [yellow('name_uncertain.short', both)];
  // A name that wraps is not cut if its last line has room: with an open bracket, not all of it was read.
  if (endsInOpenBracket(name) && line.nameHasRoom && !isCutBySheet(table, line, master))
    return [yellow('name_uncertain.open_bracket', both)];
  // Of a unit that is written otherwise than in the list nothing is left that starts its name letter by letter, but the bracket is open.
  const isCut = agreement === 'cut' || agreement === 'partial' || (agreement === 'same' && endsInOpenBracket(name));
  const lacksLetters = isCut && mayLackLetters(table, line, name, drug, master);
  if (lacksLetters || (agreement === 'same' && opensAnotherBracket(name, drug)))
    return [yellow('name_uncertain.end', both)];
  const { maker } = asPrinted ? { maker: null } : partsOf(name);
  const listed = drug.maker.replace(/\s/g, '');
  if (maker !== null && (listed === '' ? !isKnownMaker(maker) : !listed.includes(maker)))
    return [
      listed === ''
        ? yellow('name_uncertain.unknown_maker', both)
        : yellow('name_uncertain.other_maker', { ...both, maker: drug.maker }),
    ];
  // Letters and digits of the list's own name, past its strength, confirm themselves: no misreading makes them. But a model
  // that nothing confirmed may know the list.
  return confidence === 0 ? [yellow('name_uncertain.unconfirmed', both)] : [];
}

/** Letters that a note lists, at most: more of them are not a misprint but another name. */
const MAX_LISTED_LETTERS = 3;

/** Whose name it is, else which letters are not the list's and how surely each was read. */
function differenceOf(printed: TextField, drug: MasterDrug, master: DrugMaster): NameDifference {
  const other = otherDrugOf(printed.value!, drug, master);
  if (other) return { otherCode: other.code };
  const letters = differingLetters(printed, drug.name);
  return letters.length > 0 && letters.length <= MAX_LISTED_LETTERS ? { letters } : null;
}

/** Chance below which print alone does not show a letter: the likelihood of names decided it. */
const UNREAD = 0.2;

/** Letters and digits that print hardly shows. */
function unreadLetters({ value, letters = [], rivals = [] }: TextField): readonly UnreadLetter[] {
  return [...letters.entries()]
    .filter(([at, chance]) => chance < UNREAD && /[\p{L}\p{N}]/u.test(value![at]!))
    .map(([at, confidence]) => ({ letter: value![at]!, confidence, rivals: [...(rivals[at] ?? '')] }));
}

/** Names that are compared with one that is not the code's. */
const OTHER_NAMES = 3;
const WHOLE_NAME: ReadonlySet<NameComparison['agreement']> = new Set(['whole', 'verbatim', 'same']);

/** The listed drug that has the printed name, where the line's own drug has another one. */
function otherDrugOf(printed: string, { name }: MasterDrug, master: DrugMaster): MasterDrug | null {
  const others = master.suggest(printed, OTHER_NAMES).filter((other) => other.name !== name);
  const other = others.find((each) => WHOLE_NAME.has(compareNames(printed, each.name).agreement));
  return other ? master.find(other.code) : null;
}

/** Whether a name is cut in a bracket with a mark that the list lacks: letters may then be missing too. */
function opensAnotherBracket(name: string, drug: MasterDrug): boolean {
  const { bare, isOpen } = partsOf(withoutCutAddition(partsOf(name).bare));
  return isOpen && !withoutBlanks(drug.name).includes(bare.slice(bare.indexOf('(')));
}
