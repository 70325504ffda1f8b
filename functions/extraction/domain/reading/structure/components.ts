import type { Ink } from './ink.ts';

export interface Component {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly area: number;
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
  let above: { from: number; to: number; label: number }[] = [];
  for (let y = 0; y < height; y++) {
    const current: { from: number; to: number; label: number }[] = [];
    const row = y * width;
    let candidate = 0;
    for (let x = 0; x < width; x++) {
      if (!bits[row + x]) continue;
      const from = x;
      while (x < width && bits[row + x]) x++;
      let label = -1;
      while (candidate < above.length && above[candidate]!.to < from) candidate++;
      for (let i = candidate; i < above.length && above[i]!.from <= x; i++) {
        const other = find(above[i]!.label);
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
      current.push({ from, to: x, label });
    }
    above = current;
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
