import { medianOf } from '../../median.ts';
import type { Header, HeaderCell } from '../headers/find-headers.ts';
import { centerY, hullOf, isLevel, overlap, type Print } from '../print.ts';
import { showsCode } from './shows-code.ts';

/** Fewer codes below each other may be anything. */
const MIN_CODES = 2;
/** Of a page: two halves, and what repeats the codes of each. */
const MAX_LISTS = 4;
/** In heights of a line: how far the codes of one list may start apart. */
const INDENT = 3;

/**
 * Headers for lists of codes without legible headers: names start at the codes, and the columns are the stacks of numbers next to them. A
 * list without numbers gets none.
 */
export function headersOverCodes(prints: readonly Print[]): readonly Header[] {
  const lists = listsOf(prints.filter(showsCode));
  return lists.flatMap((list) => headerOver(list, prints, lists) ?? []);
}

function headerOver(
  list: readonly Print[],
  prints: readonly Print[],
  lists: readonly (readonly Print[])[],
): Header | null {
  const table = list[0]!.table;
  const height = medianOf(list.map(({ box }) => box.height));
  const left = Math.max(...list.map(({ box }) => box.x));
  const end = Math.min(...lists.filter((other) => standsRightOf(other, list)).map(leftOf));
  const isBeside = (a: Print, b: Print) => Math.abs(centerY(a.box) - centerY(b.box)) < height;
  const numbers = prints.filter(
    (print) =>
      print.table === table &&
      /^\d[\d.,]*$/.test(print.text) &&
      print.box.x > left &&
      print.box.x < end &&
      list.some((code) => isBeside(code, print)),
  );
  // Remarks below a list may repeat its codes, without numbers.
  const measured = list.filter((code) => numbers.some((number) => isBeside(code, number)));
  const columns = stacksOf(numbers).filter((stack) => stack.length > measured.length / 2);
  if (columns.length === 0) return null;
  const top = Math.min(...list.map(({ box }) => box.y)) - height;
  const over = (stack: readonly Print[]) => ({ ...hullOf(stack.map(({ box }) => box)), y: top, height: 0 });
  const name: HeaderCell = {
    text: '',
    match: { kind: 'drugName', score: 0, drugWord: false, secondary: false },
    prints: [],
    box: over(list),
  };
  const cells = [
    name,
    ...columns.map((stack): HeaderCell => ({ text: '', match: null, prints: [], box: over(stack) })),
  ];
  const box = hullOf(cells.map(({ box: each }) => each));
  const isSecond = lists.some((other) => standsRightOf(list, other));
  return {
    cells,
    box,
    table,
    ...(isSecond && { from: leftOf(list) - height }),
    // Directions for taking a drug may lie right of its numbers.
    to: Math.min(end, box.x + box.width + height),
  };
}

/** Codes of one table that start at about the same place, the most first. */
function listsOf(coded: readonly Print[], most = MAX_LISTS): readonly (readonly Print[])[] {
  const besides = (seed: Print) =>
    coded.filter(({ box, table }) => table === seed.table && Math.abs(box.x - seed.box.x) < INDENT * seed.box.height);
  const list = coded.map(besides).reduce((a, b) => (b.length > a.length ? b : a), []);
  if (list.length < MIN_CODES || most === 0) return [];
  return [
    list,
    ...listsOf(
      coded.filter((print) => !list.includes(print)),
      most - 1,
    ),
  ];
}

function leftOf(list: readonly Print[]): number {
  return Math.min(...list.map(({ box }) => box.x));
}

/** Whether a list lies to the right of another one. */
function standsRightOf(list: readonly Print[], other: readonly Print[]): boolean {
  const [a, b] = [list, other].map((codes) => hullOf(codes.map(({ box }) => box)));
  return leftOf(list) > leftOf(other) && overlap(a!.y, a!.y + a!.height, b!.y, b!.y + b!.height) > 0;
}

/** Numbers below each other, from left to right. What spans two numbers of another row, as a mark across columns does, is of no stack. */
function stacksOf(numbers: readonly Print[]): readonly (readonly Print[])[] {
  const stacks: Print[][] = [];
  const spansTwo = (print: Print) => {
    const over = numbers.filter(
      ({ box }) => overlap(box.x, box.x + box.width, print.box.x, print.box.x + print.box.width) > 0,
    );
    return over.some((one) => over.some((other) => other !== one && isLevel(one.box, other.box)));
  };
  const alone = numbers.filter((print) => !spansTwo(print));
  for (const print of alone.sort((a, b) => a.box.x - b.box.x)) {
    const last = stacks.at(-1);
    const end = last ? Math.max(...last.map(({ box }) => box.x + box.width)) : Number.NEGATIVE_INFINITY;
    if (last && overlap(print.box.x, print.box.x + print.box.width, print.box.x, end) > 0) last.push(print);
    else stacks.push([print]);
  }
  return stacks;
}
