import type { Template } from '../../reading/template.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { type ColumnKind, matchHeader, NAME_KINDS, NUMERIC_KINDS } from '../headers/header-words.ts';
import { centerY, groupByLevel, hullOf, type Print } from '../print.ts';

/** Numbers side by side, and drugs in a list, at least. */
const MIN_NUMBERS = 2;
const MIN_DRUGS = 2;
/** In line heights: white between the names and the numbers that are moved behind them. */
const GAP = 2;

type Level = readonly Print[];

/**
 * Narrow receipts print a drug in two lines, the numbers below the name, and its header so too: the numbers are moved behind the names, like on
 * a wide sheet, and so are the totals below. Their boxes lie to the right of the paper.
 */
export function unfoldLists(prints: readonly Print[], template: Template): readonly Print[] {
  const levels = groupByLevel(prints.filter(({ cell }) => cell === null)).toSorted(
    (a, b) => centerY(a[0]!.box) - centerY(b[0]!.box),
  );
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
    return below!.map((print) => [print, moveBy(print, right, down)] as const);
  });
  const totals = levels.slice(levels.indexOf(drugs.at(-1)![1]!) + 1).flat();
  const moved = new Map([...beside, ...totals.map((print) => [print, moveBy(print, right, 0)] as const)]);
  return prints.map((print) => moved.get(print) ?? print);
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
  const isCoded = name.some((print) => splitCodeAndName(print) !== null);
  return isCoded && numbers.length >= MIN_NUMBERS && numbers.every(({ text }) => /^[\d.,]+$/.test(text));
}

function moveBy(print: Print, right: number, down: number): Print {
  const { x, y } = print.box;
  return { ...print, box: { ...print.box, x: x + right, y: y + down } };
}
