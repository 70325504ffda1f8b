import { describe, expect, it } from 'vitest';
import {
  fixedPlacesOf,
  hasUnlikelyPlaces,
  inFixedPlaces,
  isThousands,
  withLostPoints,
  withoutPoint,
} from '../../../../../functions/extraction/domain/interpret/numbers/fixed-places.ts';
import type { ReadCell } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

/** A cell by its two readings. */
function cell(text: string, numeral: string | null = text.replace(/[^\d.,-]/g, ''), confidence = 1): ReadCell {
  return readTable([[{ text, numeral, confidence }]]).cells[0]!;
}

const placesOf = (texts: readonly string[]) => fixedPlacesOf(texts.map((text) => cell(text)));

describe('the number of decimals of a column', () => {
  it.each([
    [['1.0000', '0.5000'], 4],
    [['1.00정', '0.50정', '30'], 2],
    [['0.75', '0.25', '1'], null],
    [['2.00정', '0.75정', 'x'], 2],
    [['1.000', '0.500'], null],
    [['1.805', '2,641', '12'], null],
    [['1,000', '2,500'], null],
    [['1', '0.5', '0.25'], null],
    [['1.0T', '0.5T', '0.25T'], null],
    [['10000', '1_0000T', '0 5000T'], 4],
    [['0000', '05000', '6.0000'], 4],
    [['5000', '2000'], null],
    [['1.0000'], null],
    [['200', '0 25', '0 75', '2 00'], 2],
    [['200', '0.25', '0.75'], 2],
    [['100', '1', '0.25', '0.75'], null],
    [['1.0000 7', '2.00001', '1.0000_'], 4],
  ])('of %j is %j', (texts, places) => {
    expect(placesOf(texts)).toBe(places);
  });
});

describe('a number in a column of four decimals', () => {
  it.each([
    ['10000 7', '100007', '1.0000'],
    ['1.0000 7', '1.00007', '1.0000'],
    ['1.00007', '1.00007', '1.0000'],
    ['5 0000 r', '50000', '5.0000'],
    ['1_0000T', '10000', '1.0000'],
    ['10000T', '10000', '1.0000'],
    ['.5000', '.5000', '0.5000'],
    ['.0000', '.0000', '1.0000'],
    ['0000', '0000', '1.0000'],
    ['5000', '5000', '0.5000'],
    ['"1.3333', '71.3333', '1.3333'],
  ])('is read by its form: %s', (text, numeral, number) => {
    const read = inFixedPlaces(cell(text, numeral), 4);
    expect([read.text.text, read.numeral?.text, read.text.confidence]).toEqual([number, number, 0.5]);
  });

  it('is read by its text if that shows its unit, which the numerals’ reading makes a digit', () => {
    expect(inFixedPlaces(cell('0.3T', '0.31'), 2).text.text).toBe('0.3T');
  });

  it.each(['1.0000', '0.6667', '12.5000', '0.0000', '1234', '3', '1.0000정', ''])('stays as it is: %s', (text) => {
    const printed = cell(text);
    expect(inFixedPlaces(printed, 4)).toBe(printed);
  });
});

describe('a number in a column of two decimals', () => {
  it.each([
    ['m0.75L정', '50.75', '0.75'],
    ['m02.00U·정', '102.00', '02.00'],
    ['100', '100', '1.00'],
  ])('has its point, and no digit for the stroke before it: %s', (text, numeral, number) => {
    expect(inFixedPlaces(cell(text, numeral), 2).text.text).toBe(number);
  });

  it.each([
    ['a letter that may be a digit', 'l0.50', '10.50'],
    ['a rule that may be a digit', '|0.50', '10.50'],
    ['no decimals', '20', '20'],
    ['a third without its start', '3333', '3333'],
    ['thousands', '3,322.00', '3,322.00'],
    ['the same number', '₩0.50정', '0.50'],
  ])('stays as it is: %s', (_, text, numeral) => {
    const printed = cell(text, numeral);
    expect(inFixedPlaces(printed, 2)).toBe(printed);
  });
});

describe('a number without a point', () => {
  const lacking = (texts: readonly string[]) =>
    [...withoutPoint(texts.map((text) => cell(text)))].map(({ text }) => text.text);

  it('lacks a point among numbers whose whole ones have it too', () => {
    expect(lacking(['10.0', '0.5', '10'])).toEqual(['10']);
    expect(lacking(['1.0', '2.0', '0.5', '15', '3'])).toEqual(['15']);
  });

  it('lacks none where whole numbers are printed without, or too few have one', () => {
    expect(lacking(['0.5', '0.25', '10'])).toEqual([]);
    expect(lacking(['1.0', '10', '20', '30'])).toEqual([]);
    expect(lacking(['1.0', '10'])).toEqual([]);
  });
});

describe('a dose of one decimal whose point was not read', () => {
  const restored = (texts: readonly string[]) =>
    [...withLostPoints(texts.map((text) => cell(text))).values()].map(({ text }) => text);

  it('has it again where its column has no other doses, less sure than it was read', () => {
    expect(restored(['10', '05', '0.5', '20'])).toEqual([
      { text: '1.0', confidence: 0.5 },
      { text: '0.5', confidence: 0.5 },
      { text: '2.0', confidence: 0.5 },
    ]);
    expect(restored(['1.0', '2.0', '10']).map(({ text }) => text)).toEqual(['1.0']);
  });

  it.each([
    ['a single digit', ['10', '05', '05', '2']],
    ['another number of decimals', ['1.0', '2.0', '0.25', '10']],
    ['too few that show it', ['10', '05', '20']],
    ['no tenths', ['1.0', '2.0', '0.5', '13']],
  ])('stays unchanged next to %s', (_, texts) => {
    expect(restored(texts)).toEqual([]);
  });
});

describe('a dose that was hardly read right', () => {
  it('is doubted in a column with another dose that starts with 0 without a point', () => {
    const cells = ['10', '20', '05', '2'].map((text) => cell(text));
    expect([...withoutPoint(cells)].map(({ text }) => text.text)).toEqual(['10', '20', '05']);
    expect(withoutPoint(['10', '20', '2'].map((text) => cell(text))).size).toBe(0);
  });

  it('has no more than four decimals', () => {
    const isUnlikely = (text: string) => hasUnlikelyPlaces(cell(text));
    expect(['1.000013', '0.5800', '2.0600'].filter(isUnlikely)).toHaveLength(3);
    expect(['0.6667', '10', '0.2500', '0.3300', '0.3000', '0.58', '1.0000'].filter(isUnlikely)).toEqual([]);
  });

  it('is a dose of thousands', () => {
    const texts = ['6667', '1000', '1.000', '500', '0.6667', '1,000'];
    expect(texts.filter((text) => isThousands(cell(text), 'thousands'))).toEqual(['6667', '1000', '1.000']);
    expect(texts.filter((text) => isThousands(cell(text), 'decimal'))).toEqual(['6667', '1000']);
  });
});
