import type { DrugLine, DrugTable } from '../drug-line.ts';
import { toDrugCode } from '../master/drug-code.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, type NameComparison, restOfName } from '../master/drug-name.ts';
import { partsOf } from '../master/name-parts.ts';
import { displayWidth } from '../text/display-width.ts';
import { HIGH_CONFIDENCE, LINES_THAT_PROVE } from './thresholds.ts';

/** Names that fill the same column differ this much in width, since letters do. */
const SAME_WIDTH = 0.7;

/**
 * Whether a printed name ends before the listed one although this sheet has room for more: the second line of a wrapped
 * name was probably not read. A sheet that cuts names off cuts all of them at one width; one that leaves out ingredients or
 * packs leaves out most of them.
 */
export function endsTooEarly(table: DrugTable, name: string, drug: MasterDrug, isCut: boolean): boolean {
  const names = table.lines.map(({ drugName }) => drugName.value).filter((value) => value !== null);
  if (displayWidth(name) >= Math.max(...names.map(displayWidth)) * SAME_WIDTH) return false;
  return isCut || ENDS.some((has) => has(drug.name) && !has(name) && names.filter(has).length > (names.length - 1) / 2);
}

/** Possible ends of a listed name: its ingredient, and its pack. */
const ENDS: readonly ((name: string) => boolean)[] = [
  (name) => partsOf(name).brackets.length > 0,
  (name) => name.includes('_('),
];

/** How a program marks a name that it cut. */
const DOTS = /\.\.$|…$/;

/** Share of a sheet's unfinished names that end at its limit; a misread one may not. */
const AT_LIMIT = 0.75;
/** A unit may be printed as one letter (㎎) and be read as two. */
const LETTER_COUNTS = [(name: string) => name.length, (name: string) => name.replace(/m[gl]/gi, '㎎').length];

/**
 * Whether the sheet itself cut this name off: it marks the cut with dots, its column ends there, or it cuts names at a number of letters, as
 * others show that end there in the middle of their listed names while none is longer.
 */
export function isCutBySheet(table: DrugTable, line: DrugLine, master: DrugMaster): boolean {
  const name = line.drugName.value ?? '';
  if (DOTS.test(name)) return true;
  if (line.nameFillsColumn && line.drugName.confidence >= HIGH_CONFIDENCE.name) return true;
  const others = table.lines.filter((other) => other !== line);
  const unfinished = others.filter((other) => goesOn(other, master)).map(({ drugName }) => drugName.value ?? '');
  return LETTER_COUNTS.some((count) => {
    const lengthOf = (text: string) => count(text.replace(/\s/g, ''));
    const limit = lengthOf(name);
    if (others.some(({ drugName }) => lengthOf(drugName.value ?? '') > limit)) return false;
    const cut = unfinished.filter((other) => lengthOf(other) === limit).length;
    return cut >= LINES_THAT_PROVE && cut >= unfinished.length * AT_LIMIT;
  });
}

function goesOn(line: DrugLine, master: DrugMaster): boolean {
  const agreement = agreementOf(line, master);
  return agreement === 'cut' || agreement === 'partial';
}

function agreementOf({ drugCode, drugName }: DrugLine, master: DrugMaster): NameComparison['agreement'] | null {
  const drug = drugCode.value === null ? null : master.find(toDrugCode(drugCode.value).lookup);
  return drug && drugName.value !== null ? compareNames(drugName.value, drug.name).agreement : null;
}

/** In half-width letters: so much more room than the next letter takes is not a chance of how wide letters are set. */
const SURE_ROOM = 0.8;
const WHOLE: ReadonlySet<string> = new Set(['whole', 'verbatim']);

/**
 * Whether a name that the sheet cuts may lack letters that are printed: its end was not clearly read, or the next letter of the list would
 * end before other names do. Where a column cuts names, none ends where one more letter had a place.
 * @param name as it may be read, cut.
 */
export function mayLackLetters(
  table: DrugTable,
  line: DrugLine,
  name: string,
  drug: MasterDrug,
  master: DrugMaster,
): boolean {
  if (line.drugName.unreadEnd !== undefined) return true;
  if (endsBeforeDots(table, line, name, drug) || hidesNarrow(line, name, drug)) return true;
  const { nameEnd } = line;
  if (nameEnd === undefined) return false;
  if (!nameEnd.isClear) return true;
  const [next] = restOfName(name, drug.name) ?? '';
  if (next === undefined) return false;
  // A sheet may cut at a number of letters, and names that have it are of any width.
  const countOf = ({ drugName }: DrugLine) => (drugName.value ?? '').replace(/\s/g, '').length;
  const others = table.lines.filter((other) => other !== line && other.nameEnd?.isClear);
  if (endsBeforeUnit(name, drug) && others.every((other) => countOf(other) !== countOf(line))) return true;
  if (others.every((other) => countOf(other) <= countOf(line))) return false;
  const endsOf = (lines: readonly DrugLine[]) => lines.map((other) => other.nameEnd!.right).sort((a, b) => b - a);
  // A name that is cut may be followed by ink that is not a letter; for others the list shows the last letter.
  const isWhole = (other: DrugLine) => WHOLE.has(agreementOf(other, master) ?? '');
  const [whole] = endsOf(others.filter(isWhole));
  const cut = endsOf(others.filter((other) => goesOn(other, master)))[LINES_THAT_PROVE - 1];
  const furthest = Math.max(whole ?? nameEnd.right, cut ?? nameEnd.right);
  return (furthest - nameEnd.right) / nameEnd.letterWidth - displayWidth(next) > SURE_ROOM;
}

/**
 * Whether a name ends between a number and its unit: sheets and list write units differently (IU for 단위), and a unit's first letter may
 * be as narrow as the loss at a column's edge.
 */
function endsBeforeUnit(name: string, drug: MasterDrug): boolean {
  return /\d$/.test(name) && /^\p{L}/u.test(restOfName(name, drug.name) ?? '');
}

/** In half-width letters: where a sheet cuts at one width, a letter of two may be the first that had no place. */
const CUT_STEP = 1;

/** Whether the next letter of the list had a place before the dots: programs that mark a cut so count half-width letters. */
function endsBeforeDots(table: DrugTable, line: DrugLine, name: string, drug: MasterDrug): boolean {
  const widthOf = ({ drugName }: DrugLine) => displayWidth(withoutDots(drugName.value ?? '').replace(/\s/g, ''));
  const isMarked = ({ drugName }: DrugLine) => DOTS.test(drugName.value ?? '');
  const widths = table.lines.filter((other) => other !== line && isMarked(other)).map(widthOf);
  const limit = Math.max(...widths);
  if (!isMarked(line) || widths.length < LINES_THAT_PROVE || Math.min(...widths) < limit - CUT_STEP) return false;
  const [next = ''] = restOfName(withoutDots(name), drug.name) ?? '';
  return next !== '' && widthOf(line) + displayWidth(next) <= limit;
}

/** Letters that take as little room as a dot does. */
const NARROW = /[Iilj|]/;

/** Whether the next letter of the list is so narrow that it may have been read as one of the dots. */
function hidesNarrow({ drugName }: DrugLine, name: string, drug: MasterDrug): boolean {
  return DOTS.test(drugName.value ?? '') && NARROW.test(restOfName(withoutDots(name), drug.name)?.[0] ?? '');
}

function withoutDots(name: string): string {
  let end = name.length;
  while (/[.…]/.test(name[end - 1] ?? '')) end--;
  return name.slice(0, end);
}
