import { expect, it } from 'vitest';
import type { HeaderCell } from '../../../../../functions/extraction/domain/interpret/headers/find-headers.ts';
import { matchHeader } from '../../../../../functions/extraction/domain/interpret/headers/header-words.ts';
import { splitHeader } from '../../../../../functions/extraction/domain/interpret/headers/split-header.ts';
import type { Print } from '../../../../../functions/extraction/domain/interpret/print.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';

const template = findTemplate('default')!;

/** A header's word, and the middle of its place. */
type Word = readonly [text: string, middle: number];

function cellOf([text, middle]: Word): HeaderCell {
  const box = { x: middle - 20, y: 0, width: 40, height: 12 };
  const print: Print = { text, confidence: 1, numeral: null, box, cell: null, table: null, line: null };
  return { text, match: matchHeader(text, template), prints: [print], box };
}

it('a header in two halves is split before the names of the second: a word between that was not read is the first half’s', () => {
  const left: readonly Word[] = [
    ['약품명', 100],
    ['1회량', 260],
    ['횟수', 310],
  ];
  const words: readonly Word[] = [...left, ['0', 350], ['약품명', 540], ['1회량', 700], ['횟수', 751], ['약밀4', 790]];
  const halves = splitHeader({ cells: words.map(cellOf), box: { x: 80, y: 0, width: 730, height: 12 }, table: null });
  expect(halves.map((half) => half.cells.length)).toEqual([4, 4]);
});
