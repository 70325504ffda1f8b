import { describe, expect, it } from 'vitest';
import { exampleLines, findingsOf, printReviews } from '../../../bench/scoring/reviews.ts';

const line = (row: number, ...review: string[]) => ({
  page: 'scan-001',
  row,
  drugCode: '641600170',
  drugName: '가나정',
  status: 'YELLOW' as const,
  review,
});
const lines = [
  line(1, 'name_uncertain: it ends earlier', 'name_uncertain: it has other marks'),
  line(2, 'name_uncertain: it ends earlier'),
  line(3, 'low_confidence: days', 'name_uncertain: it ends earlier'),
];

describe('findingsOf', () => {
  it('gives each machine code of a review once', () => {
    expect(lines.map(findingsOf)).toEqual([
      ['name_uncertain'],
      ['name_uncertain'],
      ['low_confidence', 'name_uncertain'],
    ]);
  });
});

describe('printReviews', () => {
  const row = (label: string, cells: readonly string[]) => [label, ...cells].join(' ');

  it('counts the lines of each group by their findings, the most frequent first', () => {
    expect(
      printReviews(
        [
          ['scan', lines],
          ['photo', []],
        ],
        row,
      ),
    ).toEqual(['right lines not GREEN 3 0', '  name_uncertain 3 0', '  low_confidence 1 0']);
  });

  it('prints nothing where every right line is GREEN', () => {
    expect(printReviews([['scan', []]], row)).toEqual([]);
  });
});

describe('exampleLines', () => {
  it('lists a few lines of each set of findings', () => {
    expect(exampleLines(lines, 1)).toEqual([
      'right, not GREEN: scan-001 row 1: YELLOW 641600170 가나정: name_uncertain: it ends earlier | name_uncertain: it has other marks',
      'right, not GREEN: scan-001 row 3: YELLOW 641600170 가나정: low_confidence: days | name_uncertain: it ends earlier',
    ]);
    expect(exampleLines(lines, 0)).toEqual([]);
  });
});
