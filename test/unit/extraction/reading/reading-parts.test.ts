import { describe, expect, it } from 'vitest';
import { splitCodeAndName } from '../../../../functions/extraction/domain/interpret/codes/code-and-name.ts';
import { CtcDecoder } from '../../../../functions/extraction/domain/reading/ctc-decoder.ts';
import { joinReadings, partOf } from '../../../../functions/extraction/domain/reading/reading-parts.ts';
import type { Reading } from '../../../../functions/extraction/domain/reading/table-reader.ts';

function rated(text: string, letters: readonly number[]): Reading {
  return { text, letters, confidence: letters.reduce((product, letter) => product * letter, 1) };
}

describe('a part of a reading', () => {
  it('is as sure as its own letters', () => {
    const reading = rated('12정', [0.9, 1, 0.5]);
    expect(partOf(reading, 0, 2)).toEqual({ text: '12', letters: [0.9, 1], confidence: 0.9 });
    expect(partOf({ text: '12정', confidence: 0.45 }, 0, 2)).toEqual({ text: '12', confidence: 0.45 });
  });

  it('keeps its letters when it is put together with others', () => {
    const joined = joinReadings([rated('1', [0.5]), rated('정', [0.8])], ' ');
    expect(joined).toEqual({ text: '1 정', letters: [0.5, 1, 0.8], confidence: 0.4 });
    expect(joinReadings([rated('1', [0.5]), { text: '정', confidence: 0.8 }]).letters).toBeUndefined();
  });

  it('makes a code sure beside a name that is not', () => {
    const print = rated('640500010 가온정', [...new Array<number>(10).fill(1), 0.2, 0.9, 0.9]);
    const { code, name } = splitCodeAndName(print)!;
    expect([code.text, code.confidence]).toEqual(['640500010', 1]);
    expect(name.text).toBe('가온정');
    expect(name.confidence).toBeCloseTo(0.162);
  });
});

describe('a code and a name in one place', () => {
  it.each([
    ['_(640500010)가온정', '가온정'],
    ['. 640500010 가온정', '가온정'],
    ["'| 640500010_가온정5mg", '가온정5mg'],
  ])('are parted behind marks that a rule has left: %s', (text, name) => {
    const parts = splitCodeAndName({ text, confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual(['640500010', name]);
  });

  it('are parted behind the word for where the drug is given out, of the column before', () => {
    const parts = splitCodeAndName({ text: '원외 068200230 가온정5mg', confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual(['068200230', '가온정5mg']);
  });

  it.each([
    ['그640500010 가온정5mg', '640500010', '가온정5mg', 1],
    ['「640500010가온정5mg', '640500010', '가온정5mg', 1],
    ['m.640500010. (새벽)가온정', '640500010', '(새벽)가온정', 1],
    ['0640500010. (새벽)가온정', '640500010', '(새벽)가온정', 0.5],
    ['640500.010가온정5mg', '640500010', '가온정5mg', 0.5],
    ['64050001C (새벽)가온정', '640500010', '(새벽)가온정', 0.5],
    ['054/01610가온정5mg', '054701610', '가온정5mg', 0.5],
  ])('are parted where a stroke or a speck was read as one more sign: %s', (text, code, name, confidence) => {
    expect(splitCodeAndName({ text, confidence: 1 })).toEqual({
      code: { text: code, confidence },
      name: { text: name, confidence: 1 },
    });
  });

  it('are parted where two digits were made of one, of which the reader was least sure', () => {
    const read = (least: number) =>
      rated('6405000710 가온정', [...new Array<number>(7).fill(1), least, 0.99, 1, 1, 1, 1, 1]);
    const found = splitCodeAndName(read(0.5));
    expect([found?.code.text, found?.name.text]).toEqual(['640500010', '가온정']);
    expect(found?.code.confidence).toBeLessThan(0.5);
    expect(splitCodeAndName(read(0.9))).toBeNull();
  });

  it.each([
    ['a tenth digit before no mark may be at either end', '0640500010가온정5mg'],
    ['no maker has such a code', '그940500010 가온정5mg'],
    ['no name goes on behind it', '그640500010 x'],
    ['a date', '2026.11.23 가온정'],
    ['a date with a slash', '2026/11231 가온정'],
  ])('are not parted: %s', (_, text) => {
    expect(splitCodeAndName({ text, confidence: 1 })).toBeNull();
  });

  it('take time by the length of the text alone', () => {
    for (const text of [
      '_'.repeat(50_000),
      `${'_ '.repeat(20_000)}가`,
      `${'.'.repeat(50_000)}640500010`,
      '1.'.repeat(50_000),
    ])
      expect(splitCodeAndName({ text, confidence: 1 })).toEqual(
        text.endsWith('0') ? expect.objectContaining({ name: { text: '', confidence: 1 } }) : null,
      );
  });
});

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
});
