import { describe, expect, it } from 'vitest';
import { fixedPlacesOf, inFixedPlaces } from '../../../../functions/extraction/domain/interpret/fixed-places.ts';
import type { ReadCell } from '../../../../functions/extraction/domain/reading/table-reader.ts';
import { readTable } from '../../../helpers/page-reading.ts';

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
    [['1.0000'], null],
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
    ['5000', '5000', '0.5000'],
    ['"1.3333', '71.3333', '1.3333'],
  ])('is read by its form: %s', (text, numeral, number) => {
    const read = inFixedPlaces(cell(text, numeral), 4);
    expect([read.text.text, read.numeral?.text, read.text.confidence]).toEqual([number, number, 0.5]);
  });

  it.each(['1.0000', '0.6667', '12.5000', '.0000', '1234', '3', '1.0000정', ''])('stays as it is: %s', (text) => {
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
    ['the same number', '₩0.50정', '0.50'],
  ])('stays as it is: %s', (_, text, numeral) => {
    const printed = cell(text, numeral);
    expect(inFixedPlaces(printed, 2)).toBe(printed);
  });
});
