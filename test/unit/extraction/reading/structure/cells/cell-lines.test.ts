import { describe, expect, it } from 'vitest';
import { linesIn } from '../../../../../../functions/extraction/domain/reading/structure/cells/cell-lines.ts';
import type { PageStructure } from '../../../../../../functions/extraction/domain/reading/structure/find-tables.ts';

const LETTER = 20;
const pixels = new Uint8Array(600 * 100).fill(255);
const structure = { clean: { width: 600, height: 100, pixels }, letterHeight: LETTER } as PageStructure;
const CELL = { left: 100, right: 200, top: 0, bottom: 60 };

function lineOf(part: { left: number; right: number }) {
  const [line] = linesIn(CELL, structure, [{ ...part, top: 20, bottom: 44, area: 500 }]);
  return line && { left: line.left, right: line.right };
}

describe('linesIn', () => {
  it('takes of a stroke that has joined the numbers of two columns what lies in its own', () => {
    expect(lineOf({ left: 110, right: 285 })).toEqual({ left: 110, right: 200 });
  });

  it('takes the whole of print that reaches a little over the border', () => {
    expect(lineOf({ left: 120, right: 230 })).toEqual({ left: 120, right: 230 });
  });
});
