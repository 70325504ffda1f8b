import { describe, expect, it } from 'vitest';
import type { DrugLine } from '../../../../../functions/extraction/domain/drug-line.ts';
import { splitCodeAndName } from '../../../../../functions/extraction/domain/interpret/codes/code-and-name.ts';
import { withCodesOfNames } from '../../../../../functions/extraction/domain/interpret/codes/code-of-name.ts';

const none = { value: null, text: '', confidence: 1 } as const;

function line(code: string | null, name: string): DrugLine {
  const read = <T extends string | null>(value: T) => ({ value, text: value ?? '', confidence: 1 });
  return {
    drugCode: read(code),
    drugName: read(name),
    quantity: none,
    timesPerDay: none,
    days: none,
    prescribedQty: none,
    unitPrice: none,
    totalAmount: none,
    row: 0,
  };
}

const shown = (lines: readonly DrugLine[]) => lines.map(({ drugCode, drugName }) => [drugCode.value, drugName.value]);
/** The last of a list's lines, as it is read among others with codes. */
const amongCoded = (last: DrugLine) =>
  shown(withCodesOfNames([line('645501290', '가나정5mg'), line('071602520', '다라캡슐'), last])).at(-1);

describe('a code behind the number of its line', () => {
  it.each([
    ['2.653570312 판토록정40mg', '653570312', '판토록정40mg'],
    ['1,057400480 유박레정60밀리', '057400480', '유박레정60밀리'],
    ['12) (671890620)메이액트정100mg', '671890620', '메이액트정100mg'],
    ['1(671890620)메이액트정100mg', '671890620', '메이액트정100mg'],
    ['2_[671890620]메이액트정100mg', '671890620', '메이액트정100mg'],
  ])('is known in "%s"', (text, code, name) => {
    const parts = splitCodeAndName({ text, confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual([code, name]);
  });
});

describe('a code right behind the number of its line', () => {
  const partsOf = (text: string) => splitCodeAndName({ text, confidence: 1 });

  it('is known by its maker, and doubted', () => {
    expect(partsOf('1073001400 (소담)가나정1밀리그램')).toMatchObject({
      code: { text: '073001400', confidence: 0.5 },
      name: { text: '(소담)가나정1밀리그램' },
    });
  });

  it('is no code if no maker has it, or nothing is named', () => {
    expect(partsOf('1273001400 가나정')).toBeNull();
    expect(partsOf('1073001400 5')).toBeNull();
  });
});

describe('a code that the border of its column cuts', () => {
  it.each([
    ['668502 440가나원정25mcg', '668502440', '가나원정25mcg'],
    ['6203011 70. 다라연질캡슐50/5mg', '620301170', '다라연질캡슐50/5mg'],
    ['(0678 01070)마바주사제10g', '067801070', '마바주사제10g'],
  ])('is whole again in "%s", with a doubt', (text, code, name) => {
    const parts = splitCodeAndName({ text, confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual([code, name]);
    expect(parts?.code.confidence).toBeLessThan(0.7);
  });

  it.each(['1234 567 가나정', '668502 44 가나정', '6685 02 10 가나정', '2016 00101 처방'])(
    'is no code of a maker in "%s"',
    (text) => {
      expect(splitCodeAndName({ text, confidence: 1 })).toBeNull();
    },
  );

  it('continues in the name where the two are columns', () => {
    expect(amongCoded(line('09870085', '0가나츄어블정50mg'))).toEqual(['098700850', '가나츄어블정50mg']);
  });

  it('is left alone where digits are not those of a code', () => {
    expect(amongCoded(line('09870085', '가나츄어블정50mg'))).toEqual(['09870085', '가나츄어블정50mg']);
    expect(amongCoded(line('0508015', '5-가나정'))).toEqual(['0508015', '5-가나정']);
  });
});

it('a code is parted from the number of its line, which does not belong to the name', () => {
  const parts = (text: string) => {
    const found = splitCodeAndName({ text, confidence: 1 });
    return [found?.name.text, found?.code.text];
  };
  expect(parts('2 .667901500 가나정1mg(내복)')).toEqual(['가나정1mg(내복)', '667901500']);
  expect(parts('가나정1mg(내복)1. 667901500')).toEqual(['가나정1mg(내복)', '667901500']);
  expect(parts('가나정12.5밀리그램2. (667901500)')).toEqual(['가나정12.5밀리그램', '667901500']);
  expect(parts('가나정2. 667901500')).toEqual(['가나정2.', '667901500']);
});
