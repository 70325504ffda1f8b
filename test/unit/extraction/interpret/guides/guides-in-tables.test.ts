import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { drugLinesOf, type FormCell, type Printed, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

describe('a guide with labels and values in cells', () => {
  it('is read row by row, however wide the cells are, and is a guide though no title says so', () => {
    const block = (row: number, name: string, values: readonly string[]): readonly FormCell[] => {
      const top = 100 + 120 * row;
      const cells = ['투약량', values[0]!, '횟수', values[1]!, '일수', values[2]!];
      return [
        { box: [100, top, 1000, top + 40], prints: [[name, 110, top + 10]], row: 2 * row, columnSpan: 6 },
        ...cells.map((text, column): FormCell => {
          const left = 100 + 150 * column;
          return {
            box: [left, top + 40, left + 150, top + 80],
            prints: [[text, left + 50, top + 50]],
            row: 2 * row + 1,
            column,
          };
        }),
      ];
    };
    const blocks = [
      ...block(0, '가온정5밀리그램', ['1정', '3회', '7일']),
      ...block(1, '나래캡슐', ['0.5캡슐', '2회', '14일']),
    ];
    const page = interpretPage(printedForm(blocks, [['약 드시는 방법', 420, 20]]), template);
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정5밀리그램', 1, 7],
      [null, '나래캡슐', 0.5, 14],
    ]);
    expect(page.documentKind).toBe('pharmacy_guide');
  });
});

describe('a guide of small tables', () => {
  const table = (row: number, name: string, [dose, times, days]: readonly [string, string, string]): FormCell[] => {
    const top = 100 + 200 * row;
    const rows = [
      ['1회량', dose, '1일횟수', times],
      ['일수', days, '복용시간', '식후 30분'],
    ];
    const cells = rows.flatMap((texts, index) =>
      texts.map((text, column): FormCell => {
        const [left, y] = [100 + 160 * column, top + 45 * (index + 1)];
        return {
          box: [left, y, left + 160, y + 45],
          prints: [[text, left + 10, y + 15]],
          row: 3 * row + index + 1,
          column,
        };
      }),
    );
    return [{ box: [100, top, 740, top + 45], prints: [[name, 110, top + 15]], row: 3 * row, columnSpan: 4 }, ...cells];
  };

  it('has doses of two rows, though they are far apart, and names without the circled numbers before them', () => {
    const page = printedForm(
      [...table(0, '① 가온캡슐300mg', ['1캡슐', '3회', '14일']), ...table(1, '(2나래정', ['0.5정', '2회', '7일'])],
      [['약 알고 먹기', 420, 20]],
    );
    expect(drugLinesOf(interpretPage(page, template))).toEqual([
      [null, '가온캡슐300mg', 1, 14],
      [null, '나래정', 0.5, 7],
    ]);
  });
});

describe('a guide with a part that was read as a table', () => {
  it('is read block by block all the same: no line of that table has a code', () => {
    const rows = [
      ['', '투약량', '횟수', '일수'],
      ['1일 3회 이상 복용하지 마세요 (최대 4,000 mg)', '0.5', '4', '10'],
    ];
    const frame = rows.flatMap((row, y) =>
      row.map((text, x): FormCell => {
        const [left, top] = [60 + (x === 0 ? 0 : 300 + 80 * x), 60 + 30 * y];
        const box = [left, top, x === 0 ? 440 : left + 80, top + 30] as const;
        return { box: [...box], prints: text === '' ? [] : [[text, left + 4, top + 8]], row: y, column: x };
      }),
    );
    const block = (name: string, days: number, y: number): readonly Printed[] => [
      [name, 60, y],
      [`투약량 1 횟수 3 일수 ${days}`, 60, y + 30],
    ];
    const form = printedForm(frame, [
      ['복약안내 약사 서현주', 300, 20],
      ...block('가온정5mg', 3, 200),
      ...block('나래캡슐5mg', 5, 300),
      ...block('다솜정5mg', 7, 400),
    ]);
    expect(drugLinesOf(interpretPage(form, template))!.map(([, name]) => name)).toEqual([
      '가온정5mg',
      '나래캡슐5mg',
      '다솜정5mg',
    ]);
  });
});
