import { describe, expect, it } from 'vitest';
import type { LineImage, LineReading } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { lookAgain } from '../../../../functions/extraction/domain/reading/look-again.ts';

function blankLine(width: number): LineImage {
  return { width, height: 20, pixels: new Uint8Array(width * 20).fill(255) };
}

const LINE = blankLine(40);

function reading(text: string, confidence: number): LineReading {
  return { text: { text, confidence, letters: [...text].map(() => confidence) }, numeral: { text, confidence } };
}

/** Looks of one line after the other. */
async function lookedAt(first: readonly LineReading[], looks: readonly LineReading[], line: LineImage | null = LINE) {
  const seen: LineImage[] = [];
  const recognise = async (lines: readonly LineImage[]) => lines.map((image) => looks[seen.push(image) - 1]!);
  const lines = first.map(() => line);
  return { readings: await lookAgain(lines, first, { recognise }), seen };
}

describe('lookAgain', () => {
  it('takes the reading of an unsure number that most passes agree on, with the mean of their confidence', async () => {
    const looks = [reading('28정', 0.9), reading('28정', 0.8), reading('20정', 0.4)];
    const { readings, seen } = await lookedAt([reading('20정', 0.5)], looks);
    expect(readings[0]!.text.text).toBe('28정');
    expect(readings[0]!.text.confidence).toBeCloseTo(1.7 / 4);
    expect(readings[0]!.text.letters![0]).toBeCloseTo(1.7 / 4);
    expect(readings[0]!.numeral.text).toBe('28정');
    expect(new Set(seen.map(({ width }) => width)).size).toBe(3);
  });

  it('is neither more nor less sure if all samples agree: they share their blind spots', async () => {
    const first = reading('28정', 0.6);
    const { readings } = await lookedAt([first], [reading('28정', 0.9), reading('28정', 0.3), reading('28정', 0.9)]);
    expect(readings).toEqual([first]);
  });

  it('keeps what the first look saw where the others see as much of other things', async () => {
    const looks = [reading('3', 0.5), reading('8', 0.6), reading('5', 0.3)];
    const { readings } = await lookedAt([reading('9', 0.7)], looks);
    expect(readings[0]!.text).toMatchObject({ text: '9', confidence: 0.7 / 4 });
  });

  it.each([
    ['a sure reading', reading('28정', 0.98), LINE],
    ['names', reading('가나다라정5밀리그램(모사프리드)', 0.5), LINE],
    ['words', reading('정', 0.5), LINE],
    ['a number already read in another way', reading('28정', 0.5), null],
  ])('leaves %s as it is', async (_, first, line) => {
    const { readings, seen } = await lookedAt([first], [], line);
    expect(readings).toEqual([first]);
    expect(seen).toEqual([]);
  });

  it('looks again at no more than about a hundred numbers of a page', async () => {
    const first = Array.from({ length: 1000 }, () => reading('28', 0.5));
    const { readings, seen } = await lookedAt(first, new Array(3000).fill(reading('20', 0.9)));
    expect(seen.length).toBe(300);
    expect(readings.filter(({ text }) => text.text === '20').length).toBe(100);
    const narrow = await lookedAt(first, new Array(3000).fill(reading('20', 0.9)), blankLine(2));
    expect(narrow.seen.length).toBe(600);
  });
});
