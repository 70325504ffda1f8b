import type { Ink } from './ink.ts';
import { foursOf, nextInk } from './next-ink.ts';

export interface Component {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly area: number;
  /** Whether it is a stroke across letters; these are separate components. */
  readonly stroke?: true;
}

/** 8-connected pieces of ink, by union of runs; right and bottom are exclusive. */
export function findComponents({ width, height, bits }: Ink): Component[] {
  const parent: number[] = [];
  const left: number[] = [];
  const top: number[] = [];
  const right: number[] = [];
  const bottom: number[] = [];
  const area: number[] = [];
  const find = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!;
    return root;
  };
  // The runs of one line and of the line above it, in arrays that every line uses again: a page has hundreds of thousands.
  let above = runsOf(width);
  let current = runsOf(width);
  let aboveCount = 0;
  const fours = foursOf(bits);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let count = 0;
    let candidate = 0;
    const end = row + width;
    for (let i = nextInk(bits, fours, row, end); i < end; i = nextInk(bits, fours, i, end)) {
      const from = i - row;
      while (i < end && bits[i]) i++;
      const x = i - row;
      let label = -1;
      while (candidate < aboveCount && above.to[candidate]! < from) candidate++;
      for (let n = candidate; n < aboveCount && above.from[n]! <= x; n++) {
        const other = find(above.label[n]!);
        if (label < 0) label = other;
        else if (other !== label) {
          parent[other] = label;
          left[label] = Math.min(left[label]!, left[other]!);
          top[label] = Math.min(top[label]!, top[other]!);
          right[label] = Math.max(right[label]!, right[other]!);
          bottom[label] = Math.max(bottom[label]!, bottom[other]!);
          area[label]! += area[other]!;
        }
      }
      if (label < 0) {
        label = parent.length;
        parent.push(label);
        left.push(from);
        top.push(y);
        right.push(x);
        bottom.push(y + 1);
        area.push(x - from);
      } else {
        left[label] = Math.min(left[label]!, from);
        right[label] = Math.max(right[label]!, x);
        bottom[label] = y + 1;
        area[label]! += x - from;
      }
      current.from[count] = from;
      current.to[count] = x;
      current.label[count++] = label;
    }
    [above, current] = [current, above];
    aboveCount = count;
  }
  const components: Component[] = [];
  for (let label = 0; label < parent.length; label++)
    if (parent[label] === label)
      components.push({
        left: left[label]!,
        top: top[label]!,
        right: right[label]!,
        bottom: bottom[label]!,
        area: area[label]!,
      });
  return components;
}

interface Runs {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly label: Int32Array;
}

/** Room for the runs of one line: white separates them. */
function runsOf(width: number): Runs {
  const most = (width + 1) >> 1;
  return { from: new Int32Array(most), to: new Int32Array(most), label: new Int32Array(most) };
}
