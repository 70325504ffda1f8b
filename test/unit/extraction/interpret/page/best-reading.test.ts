import { describe, expect, it } from 'vitest';
import {
  bestReading,
  type PlacedTable,
  withBetterLists,
} from '../../../../../functions/extraction/domain/interpret/page/best-reading.ts';
import type { Box } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { drugTable, type LineValues } from '../../../../helpers/drug-table.ts';

const LEFT: Box = { x: 0, y: 200, width: 500, height: 400 };
const RIGHT: Box = { x: 520, y: 200, width: 480, height: 400 };
const inside = ({ x, y }: Box): Box => ({ x: x + 20, y: y + 40, width: 300, height: 120 });

const listed = (box: Box, ...lines: LineValues[]): PlacedTable => ({ ...drugTable(lines), evidence: [], box });
const whole = (drugCode: string) => ({ drugCode, drugName: '가온정5밀리그램', quantity: 1, days: 3 });
const named = { drugName: '나래캡슐200mg', quantity: 1 };

describe('the readings of a page', () => {
  const grids = [listed(LEFT, whole('640500010'), whole('653100230')), listed(RIGHT, named)];
  const left = grids[0]!;
  const half = listed(inside(LEFT), { drugCode: '640500010', quantity: 1 });
  const better = listed(inside(RIGHT), whole('645500100'), whole('645500200'));

  it('are compared by their understood drugs', () => {
    expect(bestReading([grids, [half]])).toBe(grids);
    expect(bestReading([[half], grids])).toBe(grids);
  });

  it('are no better for the second line of a name that was taken for a separate drug', () => {
    const wrapped = listed(LEFT, whole('640500010'), whole('653100230'), {
      drugName: '린)_(600mg/1정)',
      quantity: 952.5,
    });
    const [, ...others] = grids;
    expect(bestReading([grids, [wrapped, ...others]])).toBe(grids);
  });

  it('give each list of the page as it was read best', () => {
    expect(withBetterLists(grids, [[half, better]])).toEqual([left, better]);
    expect(withBetterLists([half, better], [grids])).toEqual([left, better]);
  });

  it('are not joined where one of them saw a list that reaches over several of the other', () => {
    const across = listed({ x: 0, y: 150, width: 1000, height: 500 }, named, named);
    expect(withBetterLists(grids, [[across]])).toEqual(grids);
  });

  it('give the other half of a form, in its place, if the best reading saw nothing there and knows no code', () => {
    const right = listed(RIGHT, whole('645500100'), whole('645500200'));
    expect(withBetterLists([left], [[right]])).toEqual([left, right]);
    expect(withBetterLists([right], [[left]])).toEqual([left, right]);
    const repeated = listed(RIGHT, whole('640500010'), whole('645500200'));
    expect(withBetterLists([left], [[repeated]])).toEqual([left]);
  });

  it('give no list where the best reading saw none', () => {
    const below = { x: 0, y: 700, width: 500, height: 400 };
    for (const box of [below, { ...below, x: 1100 }])
      expect(withBetterLists(grids, [[listed(box, whole('645500300'), whole('645500400'))]])).toEqual(grids);
  });
});
