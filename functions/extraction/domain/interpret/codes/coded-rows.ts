import { medianOf } from '../../median.ts';
import type { Header, HeaderCell } from '../headers/find-headers.ts';
import { centerY, hullOf, isLevel, overlap, type Print } from '../print.ts';
import { showsCode } from './shows-code.ts';

/** Fewer codes below each other may be anything. */
const MIN_CODES = 2;
/** In heights of a line: how far the codes of one list may begin apart. */
const INDENT = 3;

/**
 * The header that a list of codes would have, where none can be read: its names begin at the codes, and its columns are the
 * stacks of numbers beside them. Null where no list of codes has numbers beside it.
 */
export function headerOverCodes(prints: readonly Print[]): Header | null {
  const coded = prints.filter(showsCode);
  const list = largestList(coded);
  if (list.length < MIN_CODES) return null;
  const table = list[0]!.table;
  const height = medianOf(list.map(({ box }) => box.height));
  const left = Math.max(...list.map(({ box }) => box.x));
  const numbers = prints.filter(
    (print) =>
      print.table === table &&
      /^\d[\d.,]*$/.test(print.text) &&
      print.box.x > left &&
      list.some(({ box }) => Math.abs(centerY(box) - centerY(print.box)) < height),
  );
  const columns = stacksOf(numbers).filter((stack) => stack.length > list.length / 2);
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
  // How to take a drug may stand right of its numbers.
  return { cells, box, table, to: box.x + box.width + height };
}

/** The most codes of one table that begin at about the same place. */
function largestList(coded: readonly Print[]): readonly Print[] {
  const lists = coded.map((seed) =>
    coded.filter(({ box, table }) => table === seed.table && Math.abs(box.x - seed.box.x) < INDENT * seed.box.height),
  );
  return lists.reduce((a, b) => (b.length > a.length ? b : a), []);
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
