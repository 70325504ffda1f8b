import { describe, expect, it } from 'vitest';
import {
  findHeaders,
  joinHeaderWords,
} from '../../../../../functions/extraction/domain/interpret/headers/find-headers.ts';
import type { Print } from '../../../../../functions/extraction/domain/interpret/print.ts';
import type { ReadCell } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';

const template = findTemplate('default')!;
const WIDTH = 60;
const LINE = 10;

/** The lines of a form's cell, one below the other. */
function cellOf(column: number, lines: readonly string[]): readonly Print[] {
  const box = { x: column * WIDTH, y: 0, width: WIDTH, height: 3 * LINE };
  const text = { text: lines.join(''), confidence: 1 };
  const cell: ReadCell = {
    row: 0,
    column,
    rowSpan: 1,
    columnSpan: 1,
    box,
    blank: false,
    text,
    numeral: null,
  };
  return lines.map((line, index) => ({
    text: line,
    confidence: 1,
    numeral: null,
    box: { x: box.x + 5, y: index * LINE, width: 0.8 * LINE * line.length, height: LINE - 1 },
    cell,
    table: null,
    line: null,
  }));
}

/** The fields that a header's words announce, each column's lines given. */
function kindsOf(...columns: readonly (readonly string[])[]) {
  const [header] = findHeaders(
    columns.flatMap((lines, column) => cellOf(column, lines)),
    template,
  );
  return header?.cells.map(({ match }) => match?.kind ?? null);
}

describe('the pieces of a line', () => {
  /** The texts of one line from left to right, with a gap before each but the first. */
  const joined = (texts: readonly string[], gap: number) => {
    const widths = texts.map((text) => text.length * LINE);
    const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width + gap, 0));
    const box = { x: 0, y: 0, width: starts.at(-1)! + widths.at(-1)!, height: LINE };
    const whole = { text: texts.join(' '), confidence: 1, numeral: null, box };
    const line = { whole, parts: texts.length, unread: [] };
    const pieces = texts.map((text, at) => ({
      ...whole,
      text,
      box: { ...box, x: starts[at]!, width: widths[at]! },
      cell: null,
      table: null,
      line,
    }));
    return joinHeaderWords(pieces, template).map(({ text }) => text);
  };

  it.each([
    ['with a blank between them are one word', ['총', '투여량', '단가'], 6, ['총 투여량', '단가']],
    ['are one word of three', ['처방', '의약품의', '명칭'], 6, ['처방 의약품의 명칭']],
    ['far apart are words of two columns', ['1일', '횟수'], 40, ['1일', '횟수']],
    ['are not a word where they are two', ['횟수', '일수'], 6, ['횟수', '일수']],
  ])('%s', (_, texts, gap, expected) => {
    expect(joined(texts, gap)).toEqual(expected);
  });
});

describe('a word over the first line of its list', () => {
  it.each(['TAB', 'AMLD5', 'INJ-0123'])('does not continue with %s', (value) => {
    const prints = [['처방코드', 'AMLD5'], ['약품명'], ['1회량'], ['단위', value]].flatMap((lines, column) =>
      cellOf(column, lines),
    );
    const [header] = findHeaders(prints, template);
    expect(header!.cells.map(({ text }) => text)).toEqual(['처방코드', '약품명', '1회량', '단위']);
  });
});

describe('a header of several lines in one cell', () => {
  const before = [['약품명'], ['1회', '투약량']] as const;

  it('is announced by all its lines, though the first alone would name a column of no field', () => {
    expect(kindsOf(...before, ['1일', '투여', '횟수'], ['투여', '식수'])).toEqual([
      'drugName',
      'quantity',
      'timesPerDay',
      'days',
    ]);
  });

  it('is one column’s where a line between its start and its end cannot be read', () => {
    expect(
      kindsOf(
        ['처방의약품의', '명칭', '및코드'],
        ['1회', '투약량'],
        ['1일', '581시', '우약횟수'],
        ['총', '투여', '일수'],
      ),
    ).toEqual(['drugName', 'quantity', 'timesPerDay', 'days']);
  });

  it('says nothing where its other lines cannot be read', () => {
    expect(kindsOf(...before, ['투여', '얗둑슬'])).toEqual(['drugName', 'quantity', null]);
  });

  it('names no field if all its legible words say so', () => {
    expect(kindsOf(...before, ['투여'])).toEqual(['drugName', 'quantity', 'other']);
  });
});
