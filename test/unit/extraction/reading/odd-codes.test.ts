import { describe, expect, it } from 'vitest';
import type { LineImage, LineReading } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { withWholeCodes } from '../../../../functions/extraction/domain/reading/odd-codes.ts';
import { productOf } from '../../../../functions/extraction/domain/reading/reading-parts.ts';

const LINE: LineImage = { width: 400, height: 20, pixels: new Uint8Array(400 * 20).fill(255) };

function reading(text: string, confidence = 0.9): LineReading {
  const letters = [...text].map(() => 0.99);
  return { text: { text, confidence, letters }, numeral: { text: text.replace(/\D/g, ''), confidence } };
}

/** The line of a whole code, after samples with these texts. */
async function read(first: LineReading, looks: readonly string[], others = [reading('650900160 다라정')]) {
  const seen: LineImage[] = [];
  const recognise = async (lines: readonly LineImage[]) =>
    lines.map((line) => reading(looks[seen.push(line) - 1] ?? ''));
  const readings = [...others, first];
  const result = await withWholeCodes(
    readings.map(() => LINE),
    readings,
    { recognise },
  );
  return { seen, read: result.at(-1)! };
}

describe('withWholeCodes', () => {
  it('gives the code of a sample in place of one that lacks a digit, doubted, and keeps the name', async () => {
    const looks = ['087400180 카', '7400180', '087400180 캬'];
    const { read: line, seen } = await read(reading('(07400180 가나정'), looks);
    expect(line.text.text).toBe('(087400180 가나정');
    expect(line.text.confidence).toBe(0.45);
    expect(line.text.letters).toHaveLength(line.text.text.length);
    expect(productOf(line.text.letters!.slice(1, 10))).toBeCloseTo(0.5);
    expect(seen.map(({ width }) => width)).toEqual([386, 437, 504]);
  });

  it('gives the code of the samples in place of one that no maker has', async () => {
    const { read: line } = await read(reading('026301710 가나정'), ['076301710', '026301710', '076301710']);
    expect(line.text).toMatchObject({ text: '076301710 가나정', confidence: 0.45 });
  });

  it('gives it as a numeral where the line is a code alone', async () => {
    const { read: line } = await read(reading('07400180'), ['087400180']);
    expect(line.numeral).toEqual({ text: '087400180', confidence: 0.5 });
  });

  it.each([
    ['the samples show two codes', '07400180 가나정', ['087400180', '067400180']],
    ['they see no whole code', '07400180 가나정', ['07400180', '97400180']],
  ])('leaves an odd code where %s', async (_, text, looks) => {
    const first = reading(text);
    expect((await read(first, looks)).read).toBe(first);
  });

  it.each([
    ['whole codes', '650900170 가나정', undefined],
    ['old codes', 'W99081548 가나정', undefined],
    ['an odd code where all are', '07400180 가나정', []],
  ])('does not look at %s', async (_, text, others) => {
    expect((await read(reading(text), ['650900180'], others)).seen).toEqual([]);
  });
});
