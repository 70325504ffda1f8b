import { describe, expect, it } from 'vitest';
import { withoutFoundTwice } from '../../../../../../functions/extraction/domain/reading/structure/cells/found-twice.ts';

const place = (left: number, right: number) => ({ left, top: 10, right, bottom: 20 });

it('print on a border that both of its cells hold belongs to the one in which more of it lies, and no other print moves', () => {
  const [left, right] = [{ box: place(0, 50) }, { box: place(50, 100) }];
  const [own, shared, again] = [place(2, 12), place(46, 58), place(46, 58)];
  const cells = withoutFoundTwice([
    { ...left, lines: [own, shared] },
    { ...right, lines: [again, place(60, 70)] },
  ]);
  expect(cells[0]!.lines).toEqual([own]);
  expect(cells[1]!.lines).toEqual([again, place(60, 70)]);
});

describe('the lower halves of letters that a straight border cuts off on bent paper', () => {
  const line = (top: number, bottom: number, left = 10) => ({ left, top, right: 200, bottom });
  const cell = (top: number, bottom: number, ...lines: readonly ReturnType<typeof line>[]) => {
    return { box: { left: 0, top, right: 300, bottom }, lines };
  };
  const [name, next] = [line(24, 54), line(60, 88)];

  it('are not print of the cell below the one that has the letters whole', () => {
    const cells = withoutFoundTwice([cell(10, 40, name), cell(40, 76, line(32, 54, 60), next)]);
    expect(cells.map(({ lines }) => lines)).toEqual([[name], [next]]);
  });

  it.each([
    ['is separate below', [cell(10, 40, name), cell(40, 76, line(50, 76), next)]],
    ['is in a part as high as two lines', [cell(10, 40, line(10, 76)), cell(40, 76, line(46, 74), next)]],
    ['is of the same cell', [cell(10, 76, name, line(32, 54, 60), next)]],
  ])('are not what %s', (_, cells) => {
    expect(withoutFoundTwice(cells)).toEqual(cells);
  });
});
