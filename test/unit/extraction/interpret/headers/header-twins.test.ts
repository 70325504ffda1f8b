import { describe, expect, it } from 'vitest';
import type { HeaderCell } from '../../../../../functions/extraction/domain/interpret/headers/find-headers.ts';
import { withTwins } from '../../../../../functions/extraction/domain/interpret/headers/header-twins.ts';
import { matchHeader } from '../../../../../functions/extraction/domain/interpret/headers/header-words.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';

const template = findTemplate('default')!;

/** A header's word, and the middle of where it stands. */
type Word = readonly [text: string, middle: number];
const LEFT: readonly Word[] = [
  ['약품명', 100],
  ['1회량', 260],
  ['툽여', 310],
];

/** What the words of a header announce. */
function kindsOf(...words: readonly Word[]) {
  const cells = words.map(([text, middle]): HeaderCell => {
    const box = { x: middle - 20, y: 0, width: 40, height: 12 };
    return { text, match: matchHeader(text, template), prints: [], box };
  });
  return withTwins(cells).map(({ match }) => match?.kind ?? null);
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
    ['stand at other distances', ...LEFT, ['약품명', 540], ['1회량', 790], ['횟수', 860]],
    ['have but one word in common', ...LEFT, ['코드', 540], ['1회량', 700], ['횟수', 751]],
    ['are of one list', ...LEFT, ['일수', 350], ['용법', 700]],
  ])('announce nothing that others do where they %s', (_, ...words) => {
    expect(kindsOf(...words)[2]).not.toBe('timesPerDay');
  });
});
