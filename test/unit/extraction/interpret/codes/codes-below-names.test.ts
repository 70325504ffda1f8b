import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { DRUGS, drugLinesOf, LINES, type Printed, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;
const HEADER: readonly Printed[] = [
  ['순번', 40, 400],
  ['처방의약품의 명칭', 230, 400],
  ['1회투약량', 460, 400],
  ['1일투여횟수', 580, 400],
  ['총투약일수', 720, 400],
  ['용법', 880, 400],
];
const PITCH = 70;

function listed(rows: (drug: (typeof DRUGS)[number], y: number, index: number) => readonly Printed[]) {
  const body = DRUGS.flatMap((drug, index) => {
    const y = 440 + index * PITCH;
    const [quantity, times, days] = drug.slice(2) as [string, string, string];
    const numbers: readonly Printed[] = [
      [quantity, 480, y + 11],
      [times, 610, y + 11],
      [days, 750, y + 11],
      ['식후 30분', 870, y + 11],
    ];
    return [...rows(drug, y, index), ...numbers];
  });
  return drugLinesOf(interpretPage(printedForm([], [['처방전', 440, 70], ...HEADER, ...body]), template));
}

describe('a list with codes in separate lines', () => {
  it('has them below the names level with the numbers, a row away, with any text that closes the list', () => {
    const [first, second] = DRUGS;
    const row = ([, , ...numbers]: (typeof DRUGS)[number], y: number) =>
      numbers.map((number, index): Printed => [number, [480, 610, 750][index]!, y]);
    const page = printedForm(
      [],
      [
        ['처방전', 440, 70],
        ...HEADER,
        [first[1], 100, 440],
        [first[0], 110, 474],
        [second[1], 100, 508],
        [second[0], 110, 542],
        ['보쓿겻', 130, 592],
        ...row(first, 440),
        ...row(second, 508),
      ],
    );
    const lines = drugLinesOf(interpretPage(page, template))!;
    expect(lines.map(([code, , dose, days]) => [code, dose, days])).toEqual(
      LINES.slice(0, 2).map(([code, , dose, days]) => [code, dose, days]),
    );
  });

  it('has them below the names where all lines are as far from each other', () => {
    expect(
      listed(([code, name], y) => [
        [name, 100, y],
        [code, 110, y + PITCH / 2],
      ]),
    ).toEqual(LINES);
  });

  it('has them below the names though these are a little closer than the next ones', () => {
    expect(
      listed(([code, name], y) => [
        [name, 100, y],
        [code, 110, y + PITCH / 2 - 1],
      ]),
    ).toEqual(LINES);
  });

  it('has the numbers of each name in its row where one was not seen, and a stroke below the last was read as one', () => {
    const body = DRUGS.flatMap(([code, name, quantity, times, days], index): readonly Printed[] => {
      const y = 440 + index * PITCH;
      const numbers: readonly Printed[] = [
        [index === 0 ? '' : quantity, 480, y],
        [times, 610, y],
        [days, 750, y],
      ];
      return [[name, 100, y], [code, 110, y + 30], ...numbers.filter(([text]) => text !== '')];
    });
    const stroke: Printed = ['2', 480, 440 + DRUGS.length * PITCH - 16];
    const page = printedForm([], [['처방전', 440, 70], ...HEADER, ...body, stroke]);
    const [, ...others] = LINES;
    expect(drugLinesOf(interpretPage(page, template))?.slice(1)).toEqual(others);
  });

  it('has them below the names that they take turns with, though these seem farther than the next ones', () => {
    expect(
      listed(([code, name], y) => [
        [name, 100, y],
        [code, 110, y + PITCH / 2 + 5],
      ]),
    ).toEqual(LINES);
  });

  it('has them below the names, and a stroke next to one that was read as a digit', () => {
    expect(
      listed(([code, name], y, index) => [
        [name, 100, y],
        [index === 1 ? `${code} 2` : code, 110, y + PITCH / 2],
      ]),
    ).toEqual(LINES);
  });

  it('has them below the names, in brackets, and remains of a watermark behind one', () => {
    expect(
      listed(([code, name], y, index) => [
        [name, 100, y],
        [`[${code}]${index === 1 ? 'V2' : ''}`, 110, y + 22],
      ]),
    ).toEqual(LINES);
  });

  it('has them below the names, before the makers', () => {
    expect(
      listed(([code, name], y) => [
        [name, 100, y],
        [`(${code}) 가나다(주)`, 110, y + 22],
      ]),
    ).toEqual(LINES);
  });

  it('has them below the names, numbers between the two', () => {
    expect(
      listed(([code, name], y) => [
        [name, 100, y],
        [code, 110, y + 22],
      ]),
    ).toEqual(LINES);
  });

  it('has them below the names in smaller print, some of it yet less tall', () => {
    expect(
      listed(([code, name], y, index) => [
        [name, 100, y],
        [code, 110, y + 28, index === 1 ? 13 : 16],
      ]),
    ).toEqual(LINES);
  });

  it('has them below names of two lines, numbers level with the second, and what the drug is made of below that', () => {
    const rows = listed(([code, name], y) => [
      [`${name}(나다`, 100, y - 11],
      ['라마)', 100, y + 7],
      [code, 110, y + 25],
      ['성분: 나다라마염산염', 110, y + 43],
    ]);
    expect(rows).toEqual(LINES.map(([code, name, ...numbers]) => [code, `${name}(나다라마)`, ...numbers]));
  });

  it('has them above the names', () => {
    expect(
      listed(([code, name], y) => [
        [code, 100, y],
        [name, 100, y + 22],
      ]),
    ).toEqual(LINES);
  });

  it('has numbers of its rows before the names, which are not a part of them, or alone between the lines', () => {
    expect(
      listed(([code, name], y, index) => [
        ...(index === 1 ? ([['2.', 100, y + 11]] as const) : []),
        [index === 1 ? name : `${index + 1}.${name}`, index === 1 ? 130 : 100, y],
        [code, 130, y + 22],
      ]),
    ).toEqual(LINES);
  });
});
