import type { Box } from '../../reading/table-reader.ts';
import { closesOpenBracket } from '../../text/open-bracket.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { centerY, isLevel, type Print } from '../print.ts';
import { type Column, isNumeric } from './list-columns.ts';
import type { Line } from './list-lines.ts';

/** Numbers next to a name, at least; remarks and addresses may have one. */
const MIN_BESIDE = 2;
/** In line heights: how near to a number the line is that it belongs to, and the one above it. */
const BESIDE = { line: 0.6, above: 2 };

/** The lines that start the rows of a list: those with a code; without any code, those with the numbers of a row next to them. @param height of a line. */
export function anchorsOf(
  lines: readonly Line[],
  byColumn: ReadonlyMap<Column, readonly Print[]>,
  height: number,
): readonly Line[] {
  const coded = lines.filter(isCoded);
  // The lines of a name that is printed around its code are near to the numbers too.
  const isTaken = ({ box }: Print) => coded.some((line) => isLevel(line.box, box));
  const numbers = [...byColumn.values()].flat().filter((print) => /\d/.test(print.text) && !isTaken(print));
  const named = lines.filter(({ text }) => /\p{L}{2}/u.test(text));
  const beside = Map.groupBy(
    numbers.flatMap(({ box }) => linesBeside(box, named, height)),
    (line) => line,
  );
  const enough = Math.min(MIN_BESIDE, Math.max(1, [...byColumn.keys()].filter(isNumeric).length));
  return lines.filter((line) => isCoded(line) || (beside.get(line)?.length ?? 0) >= enough);
}

/** The lines next to a number; or the one above it, where it is printed in the middle between the two lines of a name, or below them. */
function linesBeside(number: Box, lines: readonly Line[], height: number): readonly Line[] {
  const below = (line: Line) => (centerY(number) - centerY(line.box)) / height;
  const near = lines.filter((line) => Math.abs(below(line)) < BESIDE.line);
  const begun = near.filter(({ text }) => !closesOpenBracket(text));
  if (begun.length > 0) return begun;
  const above = lines.findLast((line) => !near.includes(line) && below(line) > 0 && below(line) < BESIDE.above);
  return above ? [above] : near;
}

/** Whether a line shows a code, alone or with a name. */
export function isCoded(line: Print): boolean {
  return splitCodeAndName(line) !== null;
}
