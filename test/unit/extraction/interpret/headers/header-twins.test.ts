import { describe, expect, it } from 'vitest';
import type { HeaderCell } from '../../../../../functions/extraction/domain/interpret/headers/find-headers.ts';
import { withTwins } from '../../../../../functions/extraction/domain/interpret/headers/header-twins.ts';
import { matchHeader } from '../../../../../functions/extraction/domain/interpret/headers/header-words.ts';
import { splitHeader } from '../../../../../functions/extraction/domain/interpret/headers/split-header.ts';
import type { Print } from '../../../../../functions/extraction/domain/interpret/print.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';

const template = findTemplate('default')!;

/** A header's word, and the middle of its place. */
type Word = readonly [text: string, middle: number];
const LEFT: readonly Word[] = [
  ['약품명', 100],
  ['1회량', 260],
  ['툽여', 310],
];

function cellOf([text, middle]: Word): HeaderCell {
  const box = { x: middle - 20, y: 0, width: 40, height: 12 };
  const print: Print = { text, confidence: 1, numeral: null, box, cell: null, table: null, line: null };
  return { text, match: matchHeader(text, template), prints: [print], box };
}

/** The fields that a header's words announce. */
function kindsOf(...words: readonly Word[]) {
  return withTwins(words.map(cellOf)).map(({ match }) => match?.kind ?? null);
}

describe('the words of a header in two halves', () => {
  it('announce in one what those at the same distance do in the other, where they were not read', () => {
    expect(kindsOf(...LEFT, ['일수', 350], ['약품명', 540], ['1회량', 700], ['횟수', 751], ['학일슴', 790])).toEqual([
      'drugName',
      'quantity',
      'timesPerDay',
      'days',
      'drugName',
      'quantity',
      'timesPerDay',
      'days',
    ]);
  });

  it.each<[string, ...Word[]]>([
    ['are at other distances', ...LEFT, ['약품명', 540], ['1회량', 790], ['횟수', 860]],
    ['have but one word in common', ...LEFT, ['코드', 540], ['1회량', 700], ['횟수', 751]],
    ['are of one list', ...LEFT, ['일수', 350], ['용법', 700]],
  ])('announce nothing that others do where they %s', (_, ...words) => {
    expect(kindsOf(...words)[2]).not.toBe('timesPerDay');
  });
});

it('a header in two halves is parted before the names of the second: a word between that was not read is the first half’s', () => {
  const words: readonly Word[] = [...LEFT, ['0', 350], ['약품명', 540], ['1회량', 700], ['횟수', 751], ['약밀4', 790]];
  const cells = words.map(cellOf);
  const halves = splitHeader({ cells, box: { x: 80, y: 0, width: 730, height: 12 }, table: null });
  expect(halves.map((half) => half.cells.length)).toEqual([4, 4]);
});
