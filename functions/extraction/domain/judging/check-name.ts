import type { DrugLine, DrugTable, TextField } from '../drug-line.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, type NameComparison, OF_LIST } from '../master/drug-name.ts';
import { isKnownMaker, partsOf, withoutBlanks, withoutCutAddition } from '../master/name-parts.ts';
import { endsInOpenBracket } from '../text/open-bracket.ts';
import { type DifferingLetter, differingLetters } from './differing-letters.ts';
import { type Finding, yellow } from './finding.ts';
import { endsTooEarly, isCutBySheet, mayLackLetters } from './name-extent.ts';

/**
 * Whether the printed name confirms the line's code. The name itself is never changed: a letter that is not the list's is a finding.
 * @param drug what the list gives to the code.
 */
export function checkName(table: DrugTable, line: DrugLine, drug: MasterDrug, master: DrugMaster): Finding[] {
  const { value: name, confidence } = line.drugName;
  if (name === null)
    return [yellow('name_missing', `no drug name confirms code ${drug.code}, which the list gives to ${drug.name}`)];
  const { agreement, asPrinted } = compareNames(name, drug.name);
  const doubt = (text: string) => [yellow('name_uncertain', `${text}; the list writes ${drug.name}`)];
  if (!OF_LIST.has(agreement)) {
    const read = `the name reads "${name}"${differenceOf(line.drugName, drug, master)}`;
    return agreement === 'similar'
      ? doubt(read)
      : [yellow('name_mismatch', `${read}; the list gives ${drug.code} to ${drug.name}`)];
  }
  const unread = unreadLetters(line.drugName);
  if (unread !== '') return doubt(`of the name "${name}" print hardly shows ${unread}`);
  // The last letters may be cut off by the sheet, or blurred away: only the first leaves the name as it was printed.
  if (agreement === 'partial' && !isCutBySheet(table, line, master))
    return doubt(`the name "${name}" ends before its strength does`);
  const isWhole = agreement === 'whole' || line.nameFillsColumn || partsOf(name).hasAdditions;
  if (!isWhole && endsTooEarly(table, name, drug, agreement === 'cut'))
    return doubt(`the name "${name}" ends earlier than others on the sheet`);
  // A name that wraps is not cut if its last line has room: with an open bracket, not all of it was read.
  if (endsInOpenBracket(name) && line.nameHasRoom && !isCutBySheet(table, line, master))
    return doubt(`the name "${name}" ends inside a bracket`);
  // Of a unit that is written otherwise than in the list nothing is left that begins its name letter by letter, but the bracket is open.
  const isCut = agreement === 'cut' || agreement === 'partial' || (agreement === 'same' && endsInOpenBracket(name));
  if (isCut && mayLackLetters(table, line, name, drug, master))
    return doubt(`the end of the name "${name}" was not clearly read`);
  if (agreement === 'same' && opensAnotherBracket(name, drug))
    return doubt(`the end of the name "${name}" was not clearly read`);
  const { maker } = asPrinted ? { maker: null } : partsOf(name);
  const listed = drug.maker.replace(/\s/g, '');
  if (maker !== null && (listed === '' ? !isKnownMaker(maker) : !listed.includes(maker)))
    return doubt(
      listed === ''
        ? `the name "${name}" shows a maker that is not known`
        : `the name "${name}" shows a maker that is not the list's, "${drug.maker}"`,
    );
  // Letters and digits of the list's own name, past its strength, confirm themselves: no misreading makes them. But a model
  // that nothing confirmed may know the list.
  return confidence === 0 ? doubt(`nothing confirmed that the name reads "${name}"`) : [];
}

/** Letters that a note lists, at most: more of them are no misprint but another name. */
const MAX_LISTED_LETTERS = 3;

/** Whose name it is, else which letters are not the list's and how surely each was read: `, with 민 (1.00) for 틴`. */
function differenceOf(printed: TextField, drug: MasterDrug, master: DrugMaster): string {
  const other = otherDrugOf(printed.value!, drug, master);
  if (other) return `, the name of ${other.code}`;
  const differing = differingLetters(printed, drug.name);
  const each = ({ printed: letter, listed, confidence }: DifferingLetter) =>
    `${letter} (${confidence.toFixed(2)}) for ${listed}`;
  const isListed = differing.length > 0 && differing.length <= MAX_LISTED_LETTERS;
  return isListed ? `, with ${differing.map(each).join(', ')}` : '';
}

/** Chance below which print alone does not show a letter: the likelihood of names decided it. */
const UNREAD = 0.2;

/** Letters and digits that print hardly shows, with what else they may be: `정 (0.04, or 덩)`. */
function unreadLetters({ value, letters = [], rivals = [] }: TextField): string {
  return [...letters.entries()]
    .filter(([at, chance]) => chance < UNREAD && /[\p{L}\p{N}]/u.test(value![at]!))
    .map(
      ([at, chance]) => `${value![at]} (${chance.toFixed(2)}${rivals[at] ? `, or ${[...rivals[at]].join(', ')}` : ''})`,
    )
    .join(', ');
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
