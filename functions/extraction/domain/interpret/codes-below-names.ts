import { medianOf } from '../median.ts';
import { range } from '../range.ts';
import type { Box } from '../reading/table-reader.ts';
import { endsInOpenBracket } from '../text/open-bracket.ts';
import { splitCodeAndName } from './code-and-name.ts';
import { codeOfLine } from './code-line.ts';
import { isPartTitle } from './list-marks.ts';
import { isListNumber } from './list-numbers.ts';
import { joinPrint, type Print } from './print.ts';

/** In heights of a line: a code stands right below its name. */
const MAX_GAP = 0.8;

/** What is printed side by side where a list's codes and names stand; `name` is where its widest print stands. */
interface Line extends Print {
  readonly name: Box;
}

/**
 * Lists may print a drug's code in a line of its own below the name, instead of above: there the two lines become one, the code first.
 * The numbers of such a row stand level with the one line, the other, or between them.
 * @param printed the lines of one list, top to bottom.
 */
export function withCodesBelow<T extends Line>(printed: readonly T[]): readonly T[] {
  const lines = printed.filter(({ text }) => !isListNumber(text));
  const codes = lines.flatMap((line, index) => (isBareCode(line) ? [index] : []));
  const gapTo = (code: number, name: number) => {
    const [a, b] = [lines[Math.min(code, name)], lines[Math.max(code, name)]];
    const isNamed = lines[name] !== undefined && isName(lines[name]);
    return isNamed ? b!.box.y - a!.box.y - a!.box.height : Number.POSITIVE_INFINITY;
  };
  if (medianOf(codes.map((at) => gapTo(at, at - 1))) >= medianOf(codes.map((at) => gapTo(at, at + 1)))) return printed;
  // A code is printed smaller than its name here and there, and digits are less tall than syllables.
  const heightAt = (at: number) => Math.max(lines[at]!.box.height, lines[at - 1]?.box.height ?? 0);
  const below = new Set(codes.filter((at) => gapTo(at, at - 1) <= MAX_GAP * heightAt(at)));
  /** The first line of the name above a code: a bracket that is open there is closed in the next. */
  const firstOf = (code: number) => {
    let first = code - 1;
    while (first > 0 && goesOn(lines[first - 1]!, lines[first]!)) first--;
    return first;
  };
  const named = new Set([...below].flatMap((code) => range(firstOf(code), code)));
  return lines.flatMap((line, index) => {
    if (named.has(index)) return [];
    if (!below.has(index)) return [line];
    const [first, ...others] = range(firstOf(index), index).map((at) => lines[at]!);
    const coded = { ...first!, ...joinPrint({ ...line, ...(codeOfLine(line) ?? line) }, first!, ' ') };
    return [{ ...others.reduce((all, next) => ({ ...next, ...joinPrint(all, next, '') }), coded), line: null }];
  });
}

function goesOn(above: Line, line: Line): boolean {
  const gap = line.box.y - above.box.y - above.box.height;
  return isName(above) && endsInOpenBracket(above.text) && gap <= MAX_GAP * above.box.height;
}

function isBareCode(line: Print): boolean {
  return codeOfLine(line) !== null || splitCodeAndName(line)?.name.text === '';
}

function isName(line: Print): boolean {
  const { text } = line;
  return /\p{L}{2}/u.test(text) && splitCodeAndName(line) === null && !isPartTitle(text);
}
