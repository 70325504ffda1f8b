import type { Box } from '../../reading/table-reader.ts';
import { closesOpenBracket, endsInOpenBracket } from '../../text/open-bracket.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { isCompany, looksLikeDrugName } from '../names/drug-names.ts';
import { areApart, centerY, overlap, type Print } from '../print.ts';
import type { Line } from './list-lines.ts';
import { isPartTitle, isSectionName } from './list-marks.ts';

/** Part of a column's width that a wrapped line fills. */
const FULL_LINE = 0.8;

/** The lines of a row's name, other than its first with the code. */
export interface NameLines {
  readonly above: readonly Line[];
  readonly below: readonly Line[];
  /** Whether another line is as close as these: it may be more of the name. */
  readonly mayLack: boolean;
}

/**
 * The lines of each row's name.
 * @param anchors the line of each row that starts it: with its code, or with numbers next to it.
 * @param column the sides of the names' column.
 * @param height of a line.
 */
export function nameLinesOf(
  anchors: readonly Line[],
  lines: readonly Line[],
  column: { readonly left: number; readonly right: number },
  height: number,
): readonly NameLines[] {
  const begun = new Set(anchors);
  const firsts = anchors.map((anchor) => lineAround(anchor, lines, begun));
  const taken = new Set([...anchors, ...firsts.filter((line) => line !== null)]);
  const wrapped = anchors.map((anchor, row) => {
    const after = lines.slice(lines.indexOf(anchor) + 1);
    const next = after.findIndex((line) => taken.has(line));
    return wrappedLines(anchor, firsts[row] ?? anchor, next < 0 ? after : after.slice(0, next), column, height);
  });
  const placed = new Set([...taken, ...wrapped.flat()]);
  const left = lines.filter(
    (line) => !placed.has(line) && isText(line) && !isPartTitle(line.text) && !isSectionName(line.text),
  );
  return anchors.map((anchor, row) => {
    const [first, below] = [firsts[row], wrapped[row]!];
    const above = first ? [first] : [];
    const own = [...above, anchor, ...below];
    return { above, below, mayLack: left.some((line) => own.some((each) => isClose(each.box, line.box))) };
  });
}

const OPENS = /^[([_/]/;

/** Lines below a row's first that continue its name: the line before is full, a bracket is open, or they start with a bracket, a stroke or a slash. */
function wrappedLines(
  anchor: Line,
  start: Line,
  below: readonly Line[],
  column: { readonly left: number; readonly right: number },
  height: number,
): readonly Line[] {
  const wrapped: Line[] = [];
  const isBare = splitCodeAndName(anchor)?.name.text === '';
  const first = start === anchor ? anchor.name : start.box;
  const code = codeIn(anchor);
  let last = isBare ? start : anchor;
  for (const line of below) {
    const gap = line.box.y - last.box.y - last.box.height;
    const isFull = last.box.x + last.box.width > column.left + FULL_LINE * (column.right - column.left);
    // A code may be above its name.
    const isBareCode = isBare && last === anchor;
    // The line of another column is none of the name's.
    const isIndented = line.box.x > first.x - height;
    const isInBracket = endsInOpenBracket(last.text);
    const isAround = wrapped.length === 0 && isBetween(code, first, line.box);
    const goesOn = OPENS.test(line.text) || isInBracket || isFull || isBareCode || isAround;
    const isRest = isAround || (isInBracket && closesOpenBracket(line.text));
    const isPart = isRest || ((isText(line) || isStrength(line, last)) && (isInBracket || !isSectionName(line.text)));
    if (gap > 0.8 * height || !goesOn || !isIndented || !isPart || isCompany(line.text)) break;
    wrapped.push(line);
    last = line;
  }
  return wrapped;
}

/** In line heights: lines of one cell are closer than rows. */
const CLOSE = 0.4;

function isClose(a: Box, b: Box): boolean {
  return overlap(a.y, a.y + a.height, b.y, b.y + b.height) > -CLOSE * Math.min(a.height, b.height);
}

/** In line heights: by how much the first line of a name that is printed around its code reaches below the code's top at least. */
const AROUND = 0.15;

/** The first line of a name in two, where its code is printed between them. */
function lineAround(anchor: Line, lines: readonly Line[], anchors: ReadonlySet<Line>): Line | null {
  const code = codeIn(anchor);
  const last = lines[lines.indexOf(anchor) - 1];
  if (!last || anchors.has(last) || !isText(last) || !/\p{L}{2}/u.test(last.text)) return null;
  const reaches = last.box.y + last.box.height - code.y > AROUND * last.box.height;
  const next = lines[lines.indexOf(anchor) + 1];
  const isAround =
    next !== undefined && !anchors.has(next) && isBetween(code, last.box, next.box) && mayBegin(last, next);
  return (reaches || isAround) && areApart(last.box, code) ? last : null;
}

/** In line heights: how evenly a code is between the lines of its name. */
const EVEN = 0.4;

/** Whether a line may start a name that the other continues, and does not end the name before. */
function mayBegin(line: Line, next: Line): boolean {
  return !closesOpenBracket(line.text) && (looksLikeDrugName(line.text) || !looksLikeDrugName(next.text));
}

/** Whether a code is in the middle between the first line of its name and another, at a distance to the side. */
function isBetween(code: Box, first: Box, line: Box): boolean {
  const above = centerY(code) - centerY(first);
  const below = centerY(line) - centerY(code);
  return above > EVEN * code.height && Math.abs(above - below) < EVEN * code.height && areApart(code, line);
}

/** The place of a line's code, or of what it starts with. */
function codeIn({ parts }: Line): Box {
  return (parts.find((part) => splitCodeAndName(part)) ?? parts[0]!).box;
}

/** Letters for the most part: no dashes, no smear. */
function isText({ text }: Print): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) > text.replace(/\s/g, '').length / 3;
}

/** The rest of a strength in brackets, `_(0.5g/1정)`: with more digits than other texts. */
function isStrength({ text }: Print, before: Print): boolean {
  const signs = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return (OPENS.test(text) || endsInOpenBracket(before.text)) && signs >= text.replace(/\s/g, '').length / 2;
}
