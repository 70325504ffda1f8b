import { describe, expect, it } from 'vitest';
import type { LineImage } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import type { ReadText } from '../../../../functions/extraction/domain/reading/table-reader.ts';
import { unreadDigits } from '../../../../functions/extraction/domain/reading/unread-digits.ts';

const DIGIT: LineImage = { width: 12, height: 24, pixels: new Uint8Array(12 * 24).fill(200) };

const printed = (text: string, x: number, y: number, width = 10): ReadText => ({
  text,
  confidence: 0.9,
  box: { x, y, width, height: 20 },
});
const UNREAD = printed('', 300, 60);
/** Two rows of a name and numbers; the last number of the second is not among them. */
const around = (above = printed('3', 298, 20, 14), beside = printed('2', 200, 60)) => [
  printed('가나정', 20, 20, 80),
  printed('다라정', 20, 60, 80),
  printed('1', 200, 20),
  above,
  beside,
];

/** The readings of the samples, in their order; without an end nothing more. */
async function looked(places: readonly ReadText[], ...seen: readonly (readonly [string, number])[]) {
  const looks: LineImage[] = [];
  const recognise = async (lines: readonly LineImage[]) =>
    lines.map((line) => {
      const [text, confidence] = seen[looks.push(line) - 1] ?? ['', 0];
      return { text: { text, confidence }, numeral: { text, confidence } };
    });
  const found = await unreadDigits(places, () => DIGIT, { recognise });
  return { looks, found: [...found] };
}

describe('unreadDigits', () => {
  it('gives the digit that most looks see, doubted, with paper around it', async () => {
    const { found, looks } = await looked([...around(), UNREAD], ['', 0], ['5', 0.8], ['5', 0.4]);
    expect(found).toEqual([[UNREAD, { text: '5', confidence: 0.4 }]]);
    expect(Math.max(...looks.map(({ width }) => width))).toBe(24 + 2 * 48);
  });

  it.each([
    ['one look', [['5', 0.9]]],
    [
      'two digits',
      [
        ['5', 0.9],
        ['3', 0.4],
        ['5', 0.9],
      ],
    ],
    [
      'letters',
      [
        ['정', 0.9],
        ['정', 0.9],
      ],
    ],
  ] as const)('gives none where %s saw it', async (_, seen) => {
    expect((await looked([...around(), UNREAD], ...seen)).found).toEqual([]);
  });

  it.each([
    ['it was read', [...around(), printed('5', 300, 60)]],
    ['it is wider than a digit', [...around(), printed('', 300, 60, 60)]],
    ['no number is above or below it', [...around(printed('식후', 280, 20, 50)), UNREAD]],
    ['its row has no digit', [...around(undefined, printed('식후', 200, 60, 50)), UNREAD]],
  ])('does not look where %s', async (_, places) => {
    expect((await looked(places)).looks).toEqual([]);
  });
});
