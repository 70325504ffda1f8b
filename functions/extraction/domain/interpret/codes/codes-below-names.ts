import { medianOf } from '../../median.ts';
import { range } from '../../range.ts';
import type { Box, Reading } from '../../reading/table-reader.ts';
import { endsInOpenBracket } from '../../text/open-bracket.ts';
import { isPartTitle } from '../lists/list-marks.ts';
import { isListNumber } from '../lists/list-numbers.ts';
import { COMPANY_MARK, looksLikeDrugName } from '../names/drug-names.ts';
import { areApart, isLevel, joinPrint, type Print } from '../print.ts';
import { splitCodeAndName } from './code-and-name.ts';
import { codeOfLine } from './code-line.ts';

/** In line heights: maximum gap between a code and its name; if every line has its own form row, a row's height. */
const MAX_GAP = 0.8;
const MAX_ROW_GAP = 1.6;
/** Maximum variation of the gaps between lines in a form's rows, as part of a gap: the shake of a print. */
const EVEN = 0.15;
/** Lower print, by the usual height, is what a pen or a rule has left. */
const SPECK = 0.3;

/** Behind a code, a digit or two or nothing: names have letters. */
const STROKE = /^\d{0,2}$/;

/** Prints side by side in a list's column of codes and names; `name` is the place of the widest one. */
interface Line extends Print {
  readonly name: Box;
}

/**
 * Lists may print a drug's code in a separate line below the name instead of above: the two lines are joined, the code first. The numbers
 * of such a row are level with either line, or are between them.
 * @param printed the lines of one list, top to bottom.
 * @param beside the prints in the list's other columns.
 */
export function withCodesBelow<T extends Line>(printed: readonly T[], beside: readonly Print[]): readonly T[] {
  const height = medianOf(printed.map(({ box }) => box.height));
  const lines = printed.filter(({ text, box }) => !isListNumber(text) && box.height > SPECK * height);
  const found = codesBelow(lines);
  const codes = [...found.keys()];
  const reach = reachBelow(lines, codes, beside);
  if (reach === null) return printed;
  // A code is printed smaller than its name here and there, and digits are less tall than syllables.
  const heightAt = (at: number) => Math.max(lines[at]!.box.height, lines[at - 1]?.box.height ?? 0);
  const below = new Set(codes.filter((at) => gapTo(lines, at, at - 1) <= reach * heightAt(at)));
  /** The first line of the name above a code: a bracket that is open there is closed in the next. */
  const firstOf = (code: number) => {
    let first = code - 1;
    while (first > 0 && goesOn(lines[first - 1]!, lines[first]!)) first--;
    return first;
  };
  const joined = new Set([...below].flatMap((code) => range(firstOf(code), code)));
  return lines.flatMap((line, index) => {
    if (joined.has(index)) return [];
    if (!below.has(index)) return [line];
    const [name, ...others] = range(firstOf(index), index).map((at) => lines[at]!);
    const coded = { ...name!, ...joinPrint({ ...line, ...found.get(index) }, name!, ' ') };
    return [{ ...others.reduce((all, next) => ({ ...next, ...joinPrint(all, next, '') }), coded), line: null }];
  });
}

/** The codes that stand alone, by their line; or else those before the drugs' makers, each right below the drug's name. */
function codesBelow(lines: readonly Line[]): ReadonlyMap<number, Reading> {
  const bare = lines.flatMap((line, at) => {
    const code = bareCodeOf(line);
    return code ? [[at, code] as const] : [];
  });
  if (bare.length > 0) return new Map(bare);
  const coded = lines.flatMap((line, at) => {
    const parts = splitCodeAndName(line);
    return parts ? [[at, parts] as const] : [];
  });
  const isDrug = ({ text }: Reading | Line) => looksLikeDrugName(text.replace(COMPANY_MARK, ''));
  const belowDrugs = coded.filter(([at]) => at > 0 && isName(lines[at - 1]!) && isDrug(lines[at - 1]!));
  const ofDrugs = coded.filter(([, { name }]) => isDrug(name));
  const areBelow = belowDrugs.length > coded.length / 2 && ofDrugs.length < belowDrugs.length / 2;
  return new Map(areBelow ? coded.map(([at, { code }]) => [at, code]) : []);
}

/** In line heights: maximum distance of a code below its name; null if codes precede their names. */
function reachBelow(lines: readonly Line[], codes: readonly number[], beside: readonly Print[]): number | null {
  const above = medianOf(codes.map((at) => gapTo(lines, at, at - 1)));
  const under = medianOf(codes.map((at) => gapTo(lines, at, at + 1)));
  // Names and codes alternate at equal distances: the first one decides.
  const [first] = codes;
  const isEven = Number.isFinite(above) && Math.abs(above - under) <= EVEN * above;
  const beginsWithName = first !== undefined && Number.isFinite(gapTo(lines, first, first - 1));
  // Numbers level with the codes would be nearer to the next name than to their own.
  const areLevel = codes.filter((at) => beside.some(({ box }) => isLevel(box, lines[at]!.box)));
  // Numbers level with the names above show which codes belong to them.
  const isNumbered = (at: number) => beside.some(({ box }) => at > 0 && isLevel(box, lines[at - 1]!.box));
  const areNumbered = codes.filter(isNumbered).length * 2 > codes.length && above <= under;
  // A name before each code and none behind the last, however far apart rules that hang on the print make them seem.
  const last = codes.at(-1) ?? -1;
  const takeTurns = codes.every((at, index) => at === 2 * index + 1) && !Number.isFinite(gapTo(lines, last, last + 1));
  const areInRows = isEven || areNumbered || takeTurns;
  if (areInRows && beginsWithName && areLevel.length * 2 < codes.length) return MAX_ROW_GAP;
  return above < under ? MAX_GAP : null;
}

/** Distance from a code to the name in a neighbouring line; infinite without one, or where they lie side by side. */
function gapTo(lines: readonly Line[], code: number, name: number): number {
  const [a, b] = [lines[Math.min(code, name)], lines[Math.max(code, name)]];
  if (!a || !b || !isName(lines[name]!)) return Number.POSITIVE_INFINITY;
  if (areApart(a.box, b.box)) return Number.POSITIVE_INFINITY;
  return b.box.y - a.box.y - a.box.height;
}

function goesOn(above: Line, line: Line): boolean {
  const gap = line.box.y - above.box.y - above.box.height;
  return isName(above) && endsInOpenBracket(above.text) && gap <= MAX_GAP * above.box.height;
}

/** The code of a line that shows nothing else but what a stroke is read as. */
function bareCodeOf(line: Print): Reading | null {
  const parts = splitCodeAndName(line);
  return codeOfLine(line) ?? (parts && STROKE.test(parts.name.text) ? parts.code : null);
}

function isName(line: Print): boolean {
  const { text } = line;
  return /\p{L}{2}/u.test(text) && splitCodeAndName(line) === null && !isPartTitle(text);
}
