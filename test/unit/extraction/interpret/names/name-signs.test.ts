import { describe, expect, it } from 'vitest';
import type { TextField } from '../../../../../functions/extraction/domain/drug-line.ts';
import { withPrintedSigns } from '../../../../../functions/extraction/domain/interpret/names/name-signs.ts';

const name = (value: string, rest: Partial<TextField> = {}): TextField => ({
  value,
  text: value,
  confidence: 0.9,
  ...rest,
});

describe('a name', () => {
  it.each([
    ['가나정60mq', '가나정60mg'],
    ['가나정2.5/25mcq/1정', '가나정2.5/25mcg/1정'],
    ['가나정600mmg', '가나정600mg'],
    ['가나시럽10/100mLL(다라', '가나시럽10/100mL(다라'],
    ['가나점안액0 1%', '가나점안액0.1%'],
    ['가나겔0:.5%/1개', '가나겔0.5%/1개'],
    ['가나정6.25mg. /1정', '가나정6.25mg/1정'],
    ['가나정20mg(다라)__(20mg/1정)', '가나정20mg(다라)_(20mg/1정)'],
  ])('has the signs that are printed: %s', (read, value) => {
    expect(withPrintedSigns(name(read))).toMatchObject({ value, text: value });
  });

  it.each([
    '가나정5밀리그람/1정',
    '가나정5마이크로그람',
    '가나정10mg 0.5g',
    '가나정100 5mg',
    '가나정5mg(내복)',
    '가나정5mg(다라정)',
    '가나정5mg(조아)',
    '가나정5mg(조시)',
    '가나정5mg(주석',
    '가나정10mL',
    '5%가나주사액',
  ])('stays as it is: %s', (read) => {
    const printed = name(read);
    expect(withPrintedSigns(printed)).toBe(printed);
  });

  it('is rated letter by letter as before', () => {
    const letters = [1, 1, 1, 0.9, 0.8, 0.7, 0.6, 1, 0.5];
    const rivals = [...'정정정6mmg/1'].map((letter) => (letter === '/' ? '7' : ''));
    expect(withPrintedSigns(name('정정정6mmg/1', { letters, rivals }))).toMatchObject({
      value: '정정정6mg/1',
      letters: [1, 1, 1, 0.9, 0.6, 0.6, 1, 0.5],
      rivals: ['', '', '', '', '', '', '7', ''],
    });
  });
});
