import { describe, expect, it } from 'vitest';
import {
  hasOddPlace,
  withTabletUnits,
} from '../../../../../functions/extraction/domain/interpret/numbers/unit-as-digit.ts';
import type { ReadCell } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

const cellOf = (text: string, confidence = 0.99) => readTable([[{ text, confidence }]]).cells[0]!;

describe('a dose whose T of tablets was read as a 7', () => {
  const unsure = cellOf('17', 0.2);

  it('is in tablets where others of its column are, and doubted', () => {
    const dose = withTabletUnits([unsure, cellOf('0.5T'), undefined]).get(unsure)!;
    expect(dose.text.text).toBe('1');
    expect(dose.text.confidence).toBeLessThan(0.2);
    expect(dose.numeral).toEqual(dose.text);
  });

  it('is in tablets where it has a place that no dose has, however surely it was read, and doubted', () => {
    const [odd, third] = [cellOf('1.501'), cellOf('0.667')];
    const doses = withTabletUnits([odd, third, cellOf('0.3333T')]);
    expect(doses.get(odd)!.text).toMatchObject({ text: '1.50' });
    expect(doses.get(odd)!.text.confidence).toBeLessThan(0.99);
    expect(doses.has(third)).toBe(false);
    expect([hasOddPlace('1.501'), hasOddPlace('0.66671'), hasOddPlace('0.167'), hasOddPlace('0.125')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is in tablets if it is too wide for a number, among doses in other units', () => {
    const widthOf = (cell: ReadCell, width: number): ReadCell => {
      const box = { ...cell.box, width, height: 15 };
      return { ...cell, lines: [{ ...cell.text, numeral: cell.numeral, box }] };
    };
    const [wide, tight] = [widthOf(cellOf('21'), 36), widthOf(cellOf('11'), 18)];
    const doses = withTabletUnits([wide, tight, cellOf('2 병')]);
    expect([...doses].map(([cell, dose]) => [cell === wide, dose.text.text])).toEqual([[true, '2']]);
  });

  it('is in tablets behind a blank, and for numbers of tablets that are never taken, however surely it was read', () => {
    const [apart, many, ten] = [cellOf('2 1'), cellOf('21'), cellOf('10')];
    const dosesOf = (unit: string) => withTabletUnits([apart, many, ten, cellOf(`0.5 ${unit}`)]);
    expect([...dosesOf('T')].map(([cell, { text }]) => [cell.text.text, text.text])).toEqual([
      ['2 1', '2'],
      ['21', '2'],
    ]);
    expect([...dosesOf('mL').keys()]).toEqual([apart]);
  });

  it('is in tablets if all doses without a unit end in one stroke, among others with units', () => {
    const bare = [cellOf('11'), cellOf('21'), cellOf('0.57')];
    const doses = withTabletUnits([...bare, cellOf('15ml')]);
    expect(bare.map((cell) => doses.get(cell)?.text.text)).toEqual(['1', '2', '0.5']);
    expect([...withTabletUnits([...bare, cellOf('12'), cellOf('15ml')]).keys()]).toEqual([bare[2]]);
  });

  it('has one place and a stroke that no part of two, three or eight has', () => {
    const [odd, ...usual] = [cellOf('0.31'), cellOf('2'), cellOf('0.37'), cellOf('0.17'), cellOf('0.67')];
    const doses = withTabletUnits([odd, ...usual, cellOf('0.25T')]);
    expect([...doses.keys()]).toEqual([odd]);
    expect(doses.get(odd)!.text).toMatchObject({ text: '0.3' });
  });

  it('is doubted where it has no unit among doses with one: its last digit may be that', () => {
    const [bare, one] = [cellOf('12'), cellOf('5')];
    const doses = withTabletUnits([bare, one, cellOf('1캡슐'), cellOf('2정'), cellOf('1정')]);
    expect(doses.get(bare)!.text).toMatchObject({ text: '12', confidence: 0.495 });
    expect(doses.has(one)).toBe(false);
    expect(withTabletUnits([bare, one, cellOf('1정')]).has(bare)).toBe(false);
  });

  it('has no 8 or 9 behind its first digit where most have a unit: g looks like one', () => {
    const [bare, ...others] = [cellOf('19'), cellOf('1캡슐'), cellOf('2정'), cellOf('1 g')];
    expect(withTabletUnits([bare, ...others]).get(bare)!.text.text).toBe('1');
    expect(withTabletUnits([bare, cellOf('1 g'), cellOf('29'), cellOf('38')]).has(bare)).toBe(false);
  });

  it.each([
    ['no other is in tablets', [unsure, cellOf('1정')]],
    ['it was surely read', [cellOf('0.67'), cellOf('0.5T')]],
    ['it does not end in a 7', [cellOf('15', 0.2), cellOf('0.5T')]],
  ])('stays where %s', (_, cells) => {
    expect(withTabletUnits(cells).size).toBe(0);
  });
});
