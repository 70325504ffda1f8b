import type { Box } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { type ColumnKind, NAME_KINDS, NUMERIC_KINDS } from '../headers/column-kinds.ts';
import { matchHeader } from '../headers/header-words.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { isNumber } from '../numbers/split-numbers.ts';
import { centerY, groupByLevel, hullOf, type Print } from '../print.ts';

/** Numbers side by side, and drugs in a list, at least. */
const MIN_NUMBERS = 2;
const MIN_DRUGS = 2;
/** In line heights: white between the names and the numbers that are moved behind them. */
const GAP = 2;

/** The number of a row, and the word over it. */
const COUNT = /^(?:\d{1,3}[.)]?|no\.?|번호|순번|연번)$/i;
/** Between the factors of an amount. */
const TIMES = /^[x×]$/i;

type Level = readonly Print[];

/**
 * Narrow receipts print a drug in two lines, the numbers below the name, and its header so too: the numbers are moved behind the names, like on
 * a wide sheet, without the signs between them, and so are the totals below. Their boxes lie to the right of the paper.
 */
export function unfoldLists(prints: readonly Print[], template: Template): readonly Print[] {
  const levels = groupByLevel(prints.filter(({ cell }) => cell === null))
    .filter((level) => !isCount(level))
    .toSorted((a, b) => centerY(a[0]!.box) - centerY(b[0]!.box));
  const head = levels.findIndex((level, at) => isHeader(level, levels[at + 1] ?? [], template));
  if (head < 0) return prints;
  const below = levels.slice(head + 2);
  const drugs = below.flatMap((level, at) => (isDrug(level, below[at + 1] ?? []) ? [[level, below[at + 1]!]] : []));
  if (drugs.length < MIN_DRUGS) return prints;
  const folded = [[levels[head]!, levels[head + 1]!], ...drugs];
  const names = hullOf(folded.flatMap(([own]) => own!.map(({ box }) => box)));
  const numbers = hullOf(folded.flatMap(([, own]) => own!.map(({ box }) => box)));
  const right = names.x + names.width - numbers.x + GAP * levels[head]![0]!.box.height;
  const beside = folded.flatMap(([own, below]) => {
    const down = centerY(own![0]!.box) - centerY(below![0]!.box);
    return moveBy(below!, right, down);
  });
  const totals = levels.slice(levels.indexOf(drugs.at(-1)![1]!) + 1).flat();
  const moved = new Map([...beside, ...moveBy(totals, right, 0)]);
  const isSign = (print: Print) => moved.has(print) && TIMES.test(print.text);
  return prints.flatMap((print) => (isSign(print) ? [] : [moved.get(print) ?? print]));
}

/** Whether a level counts a row, or heads such numbers: they are printed between its two lines. */
function isCount(level: Level): boolean {
  return level.length === 1 && COUNT.test(level[0]!.text);
}

function isHeader(names: Level, numbers: Level, template: Template): boolean {
  const [above, below] = [names, numbers].map((level) =>
    level.map(({ text }) => matchHeader(text, template)?.kind ?? 'other'),
  );
  const isOf = (kinds: ReadonlySet<ColumnKind>) => (kind: ColumnKind) => kinds.has(kind);
  const areNames = above!.some(isOf(NAME_KINDS)) && !above!.some(isOf(NUMERIC_KINDS));
  return areNames && below!.filter(isOf(NUMERIC_KINDS)).length >= MIN_NUMBERS && !below!.some(isOf(NAME_KINDS));
}

function isDrug(name: Level, numbers: Level): boolean {
  const isNamed = name.some((print) => splitCodeAndName(print) !== null || looksLikeDrugName(print.text));
  const digits = numbers.filter(({ text }) => isNumber(text));
  return isNamed && digits.length >= MIN_NUMBERS && numbers.every(({ text }) => isNumber(text) || TIMES.test(text));
}

/** Each print with its copy at another place. The parts of one line are still those of one. */
function moveBy(prints: readonly Print[], right: number, down: number): readonly (readonly [Print, Print])[] {
  const move = (box: Box): Box => ({ ...box, x: box.x + right, y: box.y + down });
  const lines = new Map<Print['line'], Print['line']>([[null, null]]);
  return prints.map((print) => {
    const { line } = print;
    if (line && !lines.has(line))
      lines.set(line, {
        ...line,
        whole: { ...line.whole, box: move(line.whole.box) },
        unread: line.unread.map(move),
      });
    return [print, { ...print, box: move(print.box), line: lines.get(line)! }] as const;
  });
}
