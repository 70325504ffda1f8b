import { describe, expect, it } from 'vitest';
import { CtcDecoder } from '../../../../functions/extraction/domain/reading/ctc-decoder.ts';
import { joinReadings, partOf } from '../../../../functions/extraction/domain/reading/reading-parts.ts';

describe('the decoder', () => {
  it('rates every letter, without the blanks around the text', () => {
    const alphabet = ['1', '정', ' '];
    // Steps of blank, 1, a space of the alphabet, 정 twice: class 0 is the network's own blank.
    const steps = [
      [0, 0, 0, 0.9],
      [0.1, 0.9, 0, 0],
      [1, 0, 0, 0],
      [0, 0, 0.8, 0.2],
      [0, 0, 0.6, 0.4],
    ];
    const { text } = new CtcDecoder(alphabet).decode(Float32Array.from(steps.flat()), 0, steps.length, 4);
    expect(text.text).toBe('1정');
    expect(text.letters!.map((letter) => Number(letter.toFixed(2)))).toEqual([0.9, 0.8]);
    expect(text.confidence).toBeCloseTo(0.9 * 0.9 * 0.8);
  });

  it('names the rivals of a letter that was not read surely, and a part of the reading keeps its own', () => {
    const alphabet = ['가', '나', '다', '라'];
    const steps = [
      [0, 0.97, 0.03, 0, 0],
      [1, 0, 0, 0, 0],
      [0, 0, 0.6, 0.39, 0.01],
    ];
    const { text } = new CtcDecoder(alphabet).decode(Float32Array.from(steps.flat()), 0, steps.length, 5);
    expect([text.text, text.rivals]).toEqual(['가나', ['', '다']]);
    expect(partOf(text, 1, 2).rivals).toEqual(['다']);
    expect(joinReadings([{ text: '1', letters: [1], confidence: 1 }, text], ' ').rivals).toEqual(['', '', '', '다']);
  });

  it('says how likely a letter is printed behind the last one, and not for one that only fades out', () => {
    const alphabet = ['가', '나'];
    const decode = (last: readonly number[]) => {
      const steps = [[0, 1, 0], [1, 0, 0], [0, 0.04, 0.96], last];
      return new CtcDecoder(alphabet).decode(Float32Array.from(steps.flat()), 0, steps.length, 3).text;
    };
    const cut = decode([0.9, 0.1, 0]);
    expect(cut.text).toBe('가나');
    expect(cut.unreadEnd).toBeCloseTo(0.1);
    expect(partOf(cut, 1, 2).unreadEnd).toBeCloseTo(0.1);
    expect(partOf(cut, 0, 1)).not.toHaveProperty('unreadEnd');
    expect(joinReadings([decode([1, 0, 0]), cut]).unreadEnd).toBeCloseTo(0.1);
    expect(joinReadings([cut, decode([1, 0, 0])])).not.toHaveProperty('unreadEnd');
    expect(decode([0.9, 0, 0.1])).not.toHaveProperty('unreadEnd');
  });

  it.each([
    ['two brackets that nothing parts, as wide as two', '(가(나', 5, '(가(나))'],
    ['one bracket', '(가(나', 3, '(가(나)'],
    ['a wide bracket where one is open', '(가나', 5, '(가나)'],
  ])('reads %s', (_, before, width, expected) => {
    const alphabet = ['(', ')', '가', '나'];
    const step = (letter: string) => ['', ...alphabet].map((each) => (each === letter ? 1 : 0));
    const steps = [...before].flatMap((letter) => [step(letter), step('')]);
    steps.push(...Array.from({ length: width }, () => step(')')));
    const { text } = new CtcDecoder(alphabet).decode(Float32Array.from(steps.flat()), 0, steps.length, 5);
    expect(text.text).toBe(expected);
    expect(text.letters).toHaveLength(expected.length);
  });
});
