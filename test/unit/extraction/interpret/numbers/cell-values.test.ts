import { describe, expect, it } from 'vitest';
import {
  codeField,
  numberField,
  ofFirstColumn,
  parseNumeral,
  textField,
  withoutSign,
} from '../../../../../functions/extraction/domain/interpret/numbers/cell-values.ts';
import type { ReadCell, Reading, ReadLine } from '../../../../../functions/extraction/domain/reading/table-reader.ts';

describe('parseNumeral', () => {
  it.each([
    ['1,234', 'whole', 1234],
    ['1.234', 'whole', 1234],
    ['1,234.567', 'whole', 1234567],
    ['12.345.678', 'whole', 12345678],
    ['1234', 'whole', 1234],
    ['0.5', 'thousands', 0.5],
    ['1.5', 'thousands', 1.5],
    ['1.25', 'decimal', 1.25],
    ['1.000', 'decimal', 1],
    ['0.500', 'decimal', 0.5],
    ['1.000', 'thousands', 1000],
    ['1,000', 'decimal', 1],
    ['12,345', 'thousands', 12345],
    ['1,234.5', 'thousands', 1234.5],
    ['2,643.000', 'decimal', 2643],
    ['2.643.000', 'decimal', 2643],
    ['2,643,000', 'thousands', 2643000],
    ['-3', 'whole', -3],
    ['05', 'decimal', 0.5],
    ['0333', 'thousands', 0.333],
    ['0', 'decimal', 0],
  ] as const)('%s as %s is %d', (numeral, style, value) => {
    expect(parseNumeral(numeral, style)?.value).toBe(value);
  });

  it('trusts a form that no number has less', () => {
    expect(parseNumeral('1,23', 'whole')!.confidence).toBeLessThan(1);
    expect(parseNumeral('12,34,5', 'whole')!.confidence).toBeLessThan(1);
    expect(parseNumeral('0,5', 'thousands')!.confidence).toBeLessThan(1);
    expect(parseNumeral('05', 'decimal')!.confidence).toBeLessThan(1);
  });

  it('makes no number of nothing', () => {
    expect(parseNumeral('', 'whole')).toBeNull();
    expect(parseNumeral('-', 'whole')).toBeNull();
  });
});

describe('textField', () => {
  it('tidies blanks, and keeps the rivals of each letter and letters beyond the basic plane', () => {
    const text = ' 가  나😀다 ';
    const rivals = [...text].flatMap((letter) => (letter === '나' ? ['너'] : letter === '😀' ? ['', ''] : ['']));
    const field = textField(cell({ text, confidence: 1, rivals }));
    expect([field.value, field.rivals]).toEqual(['가 나😀다', ['', '', '너', '', '', '']]);
  });
});

describe('codeField', () => {
  const read = (text: string, numeral: string) =>
    codeField(cell({ text, confidence: 0.8 }, { text: numeral, confidence: 0.99 })).value;

  it('has the letter of a code of an institution’s own, which looks like the sign of the won', () => {
    expect(read('₩42744589', '42744589')).toBe('W42744589');
    expect(read('₩1,830', '1,830')).toBe('1830');
  });

  it('is without the title of its part of the list, which is above it in its cell', () => {
    expect(read('[내복약]\n655102123', '655102123')).toBe('655102123');
  });

  it('joins the groups that a code is printed in, also where a blank between them was read as a mark', () => {
    expect(read('669 631 488', '')).toBe('669631488');
    expect(read('669.631488', '')).toBe('669631488');
    expect(read('1.234', '1.234')).toBe('1234');
  });

  it('has the letters of a fee’s code, which the numerals’ reading leaves out however sure it is', () => {
    expect(read('MW015', '015')).toBe('MW015');
    expect(read('KK10', '10')).toBe('KK10');
    expect(codeField(cell({ text: 'MMO', confidence: 0.6 }, { text: '0', confidence: 0.01 })).value).toBe('MMO');
    // A hospital's order codes.
    for (const [code, digits] of [
      ['erdos', '0'],
      ['aug500', '500'],
    ] as const)
      expect(codeField(cell({ text: code, confidence: 0.99 }, { text: digits, confidence: 0.9 })).value).toBe(code);
    expect(read('B45600010', '845600010')).toBe('845600010');
  });
});

describe('an amount with its currency or its sign', () => {
  const read = (text: string, numeral: string) =>
    numberField(cell({ text, confidence: 0.9 }, { text: numeral, confidence: 0.01 }), 'whole');

  it.each([
    ['153원', '153', 153],
    ['41,936원', '41,9367', 41_936],
    ['₩153', '7153', 153],
    ['(2,900)', '2,900', -2_900],
    ['△2,900', '2,900', -2_900],
    ['▲ 8,655', '8,655', -8_655],
    ['-₩2,900', '-2,900', -2_900],
  ])('%s is read as surely as its print, with any numerals’ reading of the marks', (text, numeral, value) => {
    expect(read(text, numeral)).toMatchObject({ value, confidence: 0.9 });
  });

  it('is a bare number where a bracket or a dash stands alone', () => {
    expect(read('2,900)', '2,900')).toMatchObject({ value: 2_900, confidence: 0.01 });
    expect(read('-3', '-3')).toMatchObject({ value: -3, confidence: 0.01 });
  });
});

describe('a number of a cell that reaches over two columns', () => {
  const read = (text: string, numeral: string) =>
    numberField(
      ofFirstColumn({ ...cell({ text, confidence: 1 }, { text: numeral, confidence: 1 }), columnSpan: 2 }),
      'whole',
    );

  it('precedes the word of the second, and is doubted', () => {
    expect(read('60 식후30분', '6030')).toMatchObject({ value: 60, confidence: 0.5 });
    expect(read('60 T3', '6013')).toMatchObject({ value: 60, confidence: 0.5 });
    expect(read('60', '60')).toMatchObject({ value: 60, confidence: 1 });
  });

  it('is apart from the words behind it, if its column is the last', () => {
    const print = cell({ text: '7 매 식후 30분', confidence: 1 }, { text: '730', confidence: 1 });
    const whole = linesOf(print, '7 매 식후 30분');
    const shown = (read: ReadCell) => numberField(ofFirstColumn(read), 'whole').value;
    expect(shown({ ...print, lines: whole })).toBe(730);
    expect(shown({ ...print, lines: [{ ...whole[0]!, pieces: linesOf(print, '7', '매 식후 30분') }] })).toBe(7);
  });
});

describe('a number with its unit before the number of the next column or a stroke', () => {
  it.each([
    ['1정  1', '111', 1],
    ['0.5캅셀 2', '0.52', 0.5],
    ['2관 1', '21', 2],
    ['1정2', '12', 1],
    ['1T5', '115', 1],
  ])('is its own, doubted: %s', (text, numeral, value) => {
    const print = cell({ text, confidence: 1 }, { text: numeral, confidence: 1 });
    expect(numberField(print, 'decimal')).toMatchObject({ value, confidence: 0.5 });
  });
});

describe('a number above or below specks', () => {
  const read = (...lines: [string, number][]) => {
    const text = { text: lines.map(([line]) => line).join(''), confidence: 0.2 };
    const print = cell(text);
    const own = lines.map(([line, confidence]) => ({ ...linesOf(print, line)[0]!, confidence }));
    return numberField({ ...print, lines: own }, 'whole');
  };

  it('has none of the digits that these were read as, and is doubted', () => {
    expect(read(['14', 1], ['20', 0.2])).toMatchObject({ value: 14, confidence: 0.5 });
    expect(read(['122', 0.2], ['6', 1])).toMatchObject({ value: 6, confidence: 0.5 });
    expect(read(['14', 1], ['20', 0.9]).value).toBe(1420);
    expect(read(['14', 0.5], ['20', 0.2]).value).toBe(1420);
  });

  it('has none of the readings of a pen next to it, if it was surely read itself', () => {
    expect(read(['60', 1], ['1', 0.62])).toMatchObject({ value: 60, confidence: 0.5 });
    expect(read(['60', 0.9], ['1', 0.62]).value).toBe(601);
  });
});

describe('a number next to a rule', () => {
  const read = (text: string, numeral: string) =>
    numberField(cell({ text, confidence: 1 }, { text: numeral, confidence: 1 }), 'decimal');

  it('is what the text says before the rule, where the numerals take the rule for a digit', () => {
    expect(read('1.00I', '1001')).toMatchObject({ value: 1, confidence: 0.5 });
    expect(read('1:00_I', '100')).toMatchObject({ value: 1, confidence: 0.5 });
    expect(read('1:00_|', '1001')).toMatchObject({ value: 1, confidence: 0.5 });
    expect(read('1.00|', '1.00')).toMatchObject({ value: 1, confidence: 1 });
    expect(read('2.51', '2.51')).toMatchObject({ value: 2.51, confidence: 1 });
  });

  it('has a point, though two were read, and is doubted', () => {
    expect(read('1:00', '1-00')).toMatchObject({ value: 1, confidence: 0.5 });
    expect(read('1:25:', '125')).toMatchObject({ value: 1.25, confidence: 0.5 });
    expect(read('1:25', '1.25')).toMatchObject({ value: 1.25, confidence: 1 });
  });

  it('has a point where a dash of the rule runs through it, and is doubted', () => {
    expect(read('1-00', '1-00')).toMatchObject({ value: 1, confidence: 0.5 });
    expect(read('7-5000c', '7-5000')).toMatchObject({ value: 7.5, confidence: 0.5 });
    expect(read('0-3333', '0-3333')).toMatchObject({ value: 0.3333, confidence: 0.5 });
    expect(read('1-3', '1-3').value).toBeNull();
  });

  it('is doubted where it starts with a point: a digit before that may be in the rule', () => {
    expect(read('.5', '.5')).toMatchObject({ value: 0.5, confidence: 0.5 });
    expect(read('.6667', '.6667')).toMatchObject({ value: 0.6667, confidence: 0.5 });
    expect(read('.0 정', '.0').confidence).toBe(0.5);
    expect(read('0.5', '0.5').confidence).toBe(1);
  });

  it('has no sign where it cannot be below zero, and is doubted', () => {
    expect(withoutSign(read('-7', '-7'))).toMatchObject({ value: 7, confidence: 0.5 });
    expect(withoutSign(read('7', '7'))).toMatchObject({ value: 7, confidence: 1 });
  });
});

describe('a number among strokes', () => {
  const read = (text: string, numeral: string) =>
    numberField(cell({ text, confidence: 0.8 }, { text: numeral, confidence: 1 }), 'decimal');

  it.each([
    ['<용1시*', '81', 1],
    ['3부올듭', '39', 3],
    ['프0.75정', '50.75', 0.75],
    ['이3333 캡슐', '0.3333', 0.3333],
  ])('is what the text says, where the numerals take the strokes for digits: %s', (text, numeral, value) => {
    expect(read(text, numeral)).toMatchObject({ value, confidence: 0.4 });
  });

  it.each([
    ['a letter that may be a digit', '3O', '30', 30],
    ['a rule that may be a digit', '|3정시', '13', 13],
    ['two numbers', '1시 3', '13', 13],
    ['no more digits', '정_4', '4', 4],
    ['another number', '용1시', '27', 27],
  ])('is the numerals’ own next to %s', (_, text, numeral, value) => {
    expect(read(text, numeral).value).toBe(value);
  });
});

describe('a number before its unit', () => {
  const read = (text: string) =>
    numberField(cell({ text, confidence: 0.99 }, { text: '9.7', confidence: 0.99 }), 'decimal');

  it.each([
    ['0.3333캅설', 0.3333],
    ['2 캡슬', 2],
    ['3.0000…정', 3],
    ['05-T', 0.5],
    ['7.5--mlL', 7.5],
    ['1. 앰풀', 1],
  ])('is as surely read as itself, though a mark separates the two or the unit was misread: %s', (text, value) => {
    expect(read(text)).toMatchObject({ value, confidence: value === 0.5 ? 0.495 : 0.99 });
  });

  it.each(['2 식후', '3 캡솔슬', '1 가나'])('is not a dose before another word: %s', (text) => {
    expect(read(text).value).toBe(9.7);
  });

  it('is doubted where the unit reads as one more digit with it, and as itself alone', () => {
    const print = cell({ text: '1 1', confidence: 0.7 }, { text: '11', confidence: 0.2 });
    const [line] = linesOf(print, '1 1');
    const apart = (...pieces: string[]) => [{ ...line!, pieces: linesOf(print, ...pieces) }];
    expect(numberField({ ...print, lines: apart('1', 'T') }, 'decimal')).toMatchObject({ value: 1, confidence: 0.5 });
    expect(numberField({ ...print, lines: apart('1', '1') }, 'decimal').value).toBe(11);
  });

  it.each([
    ['1회 1정', 1],
    ['1회 0.5정', 0.5],
    ['1일 3회', 3],
    ['1/2T', 0.5],
    ['1과 1/2정', 1.5],
    ['½ tab', 0.5],
    ['2/3포', 0.6667],
  ])('is without how often, and a part of one is a fraction: %s', (text, value) => {
    expect(read(text)).toMatchObject({ value, confidence: 0.99 });
  });
});

function linesOf({ box }: ReadCell, ...texts: string[]): ReadLine[] {
  return texts.map((text) => ({ text, confidence: 1, numeral: null, box }));
}

function cell(text: Reading, numeral: Reading | null = null): ReadCell {
  const box = { x: 0, y: 0, width: 9, height: 9 };
  return { row: 0, column: 0, rowSpan: 1, columnSpan: 1, box, blank: false, text, numeral };
}
