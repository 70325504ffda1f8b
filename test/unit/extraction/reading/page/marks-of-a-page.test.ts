import { describe, expect, it } from 'vitest';
import { turnRaster } from '../../../../../functions/extraction/domain/reading/page/quarter-turn.ts';
import { warpQuad } from '../../../../../functions/extraction/domain/reading/page/warp.ts';
import { isMarked } from '../../../../../functions/extraction/domain/reading/structure/ink/foreign-ink.ts';
import { fill, flatPicture } from '../../../../helpers/draw.ts';

const [WIDTH, HEIGHT] = [60, 40];

/** A page with a mark of 10 × 8 pixels at (8, 4). */
function markedPage() {
  const marks = flatPicture(WIDTH, HEIGHT, 0);
  fill(marks, 8, 4, 10, 8, 1);
  return { ...flatPicture(WIDTH, HEIGHT, 240), marks: marks.pixels };
}

function marksOf({ width, marks }: { width: number; marks?: Uint8Array }): readonly [number, number][] {
  return [...(marks ?? [])].flatMap((mark, i) =>
    mark ? [[i % width, Math.floor(i / width)] as [number, number]] : [],
  );
}

describe('marks that were taken out of a page', () => {
  it('go where the page goes when it is turned and pulled straight', () => {
    const turned = turnRaster(markedPage(), 180);
    expect(marksOf(turned)[0]).toEqual([WIDTH - 18, HEIGHT - 12]);
    const [left, top] = [4, 2];
    const quad = [
      { x: left, y: top },
      { x: WIDTH, y: top },
      { x: WIDTH, y: HEIGHT },
      { x: left, y: HEIGHT },
    ] as const;
    const cropped = warpQuad(markedPage(), quad, WIDTH - left, HEIGHT - top);
    expect(marksOf(cropped)[0]).toEqual([8 - left, 4 - top]);
    expect(marksOf(cropped)).toHaveLength(80);
  });

  it('are absent on a page without', () => {
    expect(turnRaster(flatPicture(WIDTH, HEIGHT, 240), 90).marks).toBeUndefined();
  });

  it('are over the lines that they covered, and next to others', () => {
    const { marks, ...clean } = markedPage();
    const page = { clean, marks, letterHeight: 10, components: [], words: [], close: [], tables: [] };
    const structure = { ...page, ruled: { page: clean, mask: new Uint8Array(WIDTH * HEIGHT), rows: [] } };
    expect(isMarked({ left: 12, top: 2, right: 40, bottom: 12 }, structure)).toBe(true);
    expect(isMarked({ left: 20, top: 2, right: 40, bottom: 12 }, structure)).toBe(false);
  });
});
