import { describe, expect, it } from 'vitest';
import { splitCodeAndName } from '../../../../../functions/extraction/domain/interpret/codes/code-and-name.ts';

describe('a code and a name in one place', () => {
  it('makes a code sure next to an unsure name', () => {
    const letters = [...new Array<number>(10).fill(1), 0.2, 0.9, 0.9];
    const print = { text: '640500010 가온정', letters, confidence: 0.162 };
    const { code, name } = splitCodeAndName(print)!;
    expect([code.text, code.confidence]).toEqual(['640500010', 1]);
    expect(name.text).toBe('가온정');
    expect(name.confidence).toBeCloseTo(0.162);
  });

  it.each([
    ['_(640500010)가온정', '가온정'],
    ['. 640500010 가온정', '가온정'],
    ["'| 640500010_가온정5mg", '가온정5mg'],
  ])('are split behind marks that a rule has left: %s', (text, name) => {
    const parts = splitCodeAndName({ text, confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual(['640500010', name]);
  });

  it('are split where the letter of an old code was read in both cases', () => {
    const parts = splitCodeAndName({ text: 'wW95100704 가온정5mg', confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual(['W95100704', '가온정5mg']);
    expect(splitCodeAndName({ text: '(w95100704)가온정5mg', confidence: 1 })?.code.text).toBe('W95100704');
  });

  it.each([
    ['비) 640500010 [비] 가온정5mg', '가온정5mg'],
    ['(급) 640500010 가온정5mg', '가온정5mg'],
    ['[비급여] 640500010 가온정5mg', '가온정5mg'],
    ['가온정(가온성분)[640500010] (5mg/1정)', '가온정(가온성분)'],
  ])('are split at any nine digits of a maker in a cell: %s', (text, name) => {
    const parts = splitCodeAndName({ text, confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual(['640500010', name]);
  });

  it.each(['가온정 02-6405-00101 문의', '접수번호 123456789 가온병원', '가온정 6405000101 문의'])(
    'are not found in other numbers among words: %s',
    (text) => {
      expect(splitCodeAndName({ text, confidence: 1 })).toBeNull();
    },
  );

  it('are split behind the word for where the drug is given out, of the column before', () => {
    const parts = splitCodeAndName({ text: '원외 068200230 가온정5mg', confidence: 1 });
    expect([parts?.code.text, parts?.name.text]).toEqual(['068200230', '가온정5mg']);
  });

  it.each([
    ['그640500010 가온정5mg', '640500010', '가온정5mg', 1],
    ['「640500010가온정5mg', '640500010', '가온정5mg', 1],
    ['m.640500010. (새벽)가온정', '640500010', '(새벽)가온정', 1],
    ['0640500010. (새벽)가온정', '640500010', '(새벽)가온정', 0.5],
    ['30640500010 가온정5mg', '640500010', '가온정5mg', 0.5],
    ['113640500010 가온정5mg', '640500010', '가온정5mg', 0.5],
    ['640500.010가온정5mg', '640500010', '가온정5mg', 0.5],
    ['64050001C (새벽)가온정', '640500010', '(새벽)가온정', 0.5],
    ['6558(00370 가온정5mg', '655800370', '가온정5mg', 0.5],
  ])('are split where a stroke or a speck was read as one more sign: %s', (text, code, name, confidence) => {
    expect(splitCodeAndName({ text, confidence: 1 })).toEqual({
      code: { text: code, confidence },
      name: { text: name, confidence: 1 },
    });
  });

  it.each([
    ['a tenth digit before no mark may be at either end', '0640500010가온정5mg'],
    ['no maker has such a code', '그940500010 가온정5mg'],
    ['no name continues behind it', '그640500010 x'],
    ['a date', '2026.11.23 가온정'],
    ['a date with a slash', '2026/11231 가온정'],
  ])('are not split: %s', (_, text) => {
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
