import { expect, it } from 'vitest';
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
