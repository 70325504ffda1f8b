import { describe, expect, it } from 'vitest';
import type { LineImage, LineRecogniser } from '../../../functions/extraction/domain/reading/line-recogniser.ts';
import { recogniseWithDoubt } from '../../../functions/extraction/domain/reading/look-again.ts';
import type { Reading } from '../../../functions/extraction/domain/reading/table-reader.ts';

const NUMERAL: Reading = { text: '5', confidence: 0.4 };

/** Gives its readings in order, and keeps what it was shown. */
function scripted(...readings: readonly (readonly [text: string, confidence: number])[]) {
  const calls: (readonly LineImage[])[] = [];
  let next = 0;
  const recogniser: LineRecogniser = {
    async recognise(lines) {
      calls.push(lines);
      return lines.map(() => {
        const [text, confidence] = readings[next++]!;
        return { text: { text, confidence }, numeral: NUMERAL };
      });
    },
  };
  return { recogniser, calls };
}

/** Ground of 200 with a darker stroke. */
function line(width = 100, height = 50): LineImage {
  const pixels = new Uint8Array(width * height).fill(200);
  pixels.fill(20, 0, width);
  return { width, height, pixels };
}

describe('recogniseWithDoubt', () => {
  it('believes the text that the looks together are surest of', async () => {
    const { recogniser } = scripted(
      ['올에민듀오정', 0.6],
      ['올메민듀오정', 0.4],
      ['올메민듀오정', 0.5],
      ['울메민듀오정', 0.1],
    );
    const [reading] = await recogniseWithDoubt(recogniser, [line()]);
    expect(reading).toEqual({ text: { text: '올메민듀오정', confidence: expect.closeTo(0.225) }, numeral: NUMERAL });
  });

  it('is as sure as the looks are that agree', async () => {
    const { recogniser } = scripted(['가온정5mg', 0.8], ['가온정5mg', 0.9], ['가온정5mg', 1], ['가온정5mg', 0.9]);
    const [reading] = await recogniseWithDoubt(recogniser, [line()]);
    expect(reading!.text).toEqual({ text: '가온정5mg', confidence: expect.closeTo(0.9) });
  });

  it('shows the line wider, narrower, and with more of its ground around it', async () => {
    const { recogniser, calls } = scripted(...Array.from({ length: 4 }, () => ['가온정5mg', 0.5] as const));
    await recogniseWithDoubt(recogniser, [line()]);
    const looks = calls[1]!;
    expect(looks.map(({ width, height }) => [width, height])).toEqual([
      [112, 50],
      [92, 50],
      [108, 58],
    ]);
    for (const { width, height, pixels } of looks) expect(pixels.length).toBe(width * height);
    expect([...looks[2]!.pixels.subarray(0, 4 * 108)].every((level) => level === 200)).toBe(true);
    expect([...looks[2]!.pixels.subarray(4 * 108, 5 * 108)].filter((level) => level === 20).length).toBe(100);
  });

  it('looks once at what is sure, short, or no Hangul, and gives every reading to its own line', async () => {
    const { recogniser, calls } = scripted(
      ['가온정5mg', 0.99],
      ['약품명', 0.3],
      ['640500010', 0.2],
      ['나래캡슐', 0.5],
      ['나래캡솔', 0.9],
      ['나래캡솔', 0.9],
      ['나래캡솔', 0.9],
    );
    const readings = await recogniseWithDoubt(recogniser, [line(), line(), line(), line(200)]);
    expect(readings.map(({ text }) => text.text)).toEqual(['가온정5mg', '약품명', '640500010', '나래캡솔']);
    expect(calls.map((lines) => lines.length)).toEqual([4, 3]);
    const sure = scripted(['가온정5mg', 0.95]);
    await recogniseWithDoubt(sure.recogniser, [line()]);
    expect(sure.calls.length).toBe(1);
  });
});
