import { describe, expect, it } from 'vitest';
import type { LineImage, LineRecogniser } from '../../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { findUpright } from '../../../../../functions/extraction/domain/reading/page/upright.ts';
import { flatPicture, letters } from '../../../../helpers/draw.ts';

/** Lines of words of five letters across the page. */
function page() {
  const picture = flatPicture(700, 400, 250);
  for (let y = 30; y < 380; y += 40) for (let x = 30; x < 620; x += 100) letters(picture, x, y, 5);
  return picture;
}

/** Reads words along the lines, which are wide, and words across them, each with this clarity, in letters of a word. */
function reading(letters: { readonly along: number; readonly across: number }): LineRecogniser {
  const read = ({ width, height }: LineImage) => {
    const confidence = (width > 2 * height ? letters.along : letters.across) / 4;
    return { text: '가나다라', confidence };
  };
  return { recognise: async (lines) => lines.map((line) => ({ text: read(line), numeral: read(line) })) };
}

describe('findUpright', () => {
  const turnBy = async (letters: Parameters<typeof reading>[0]) =>
    (await findUpright(page(), reading(letters), 0)).turn % 180;

  it('reads along the lines that the shapes of words show', async () => {
    expect(await turnBy({ along: 3, across: 0.2 })).toBe(0);
  });

  it('reads only the expected direction where its first words are plain text, and the others where they are not', async () => {
    const turned = (confidence: number) => {
      let count = 0;
      const text = { text: '가나다라', confidence, letters: [1, 1, 1, 1].map(() => confidence) };
      const recogniser: LineRecogniser = {
        recognise: async (lines) => {
          count += lines.length;
          return lines.map(() => ({ text, numeral: text }));
        },
      };
      return findUpright(page(), recogniser, 0).then(({ turn }) => ({ turn, count }));
    };
    expect(await turned(0.99)).toEqual({ turn: 0, count: 4 });
    expect((await turned(0.9)).count).toBeGreaterThan(4);
  });

  it('reads across them where little is read along them and much across', async () => {
    expect(await turnBy({ along: 0.9, across: 3 })).toBe(90);
  });

  it('keeps to them where as little is read across', async () => {
    expect(await turnBy({ along: 0.9, across: 0.8 })).toBe(0);
  });
});
