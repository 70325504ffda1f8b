import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { drugLinesOf, type FormCell, type Printed, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

describe('a guide without a grid', () => {
  it('is read block by block: a name, and below it labels and values', () => {
    const block = (name: string, values: readonly string[], y: number): readonly Printed[] => [
      [name, 200, y],
      ['열을 내리고 통증을 줄이는 약입니다.', 200, y + 24],
      [`1회투약량 ${values[0]}  1일투여횟수 ${values[1]}  총투약일수 ${values[2]}`, 200, y + 48],
    ];
    const page = interpretPage(
      printedForm(
        [],
        [
          ['복약안내', 420, 20],
          ['액 056-213-9025', 200, 50],
          ...block('가온정 5mg', ['1.00', '2', '14'], 80),
          ...block('나래캡슐', ['0.50', '3', '7'], 200),
        ],
      ),
      template,
    );
    expect(page.documentKind).toBe('pharmacy_guide');
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정 5mg', 1, 14],
      [null, '나래캡슐', 0.5, 7],
    ]);
  });
});

describe('a guide without a table', () => {
  const linesOf = (prints: readonly Printed[]) =>
    drugLinesOf(interpretPage(printedForm([], [['복약안내', 420, 20], ...prints]), template));

  it.each([
    ['투약량: 0.5/ 횟수: 2/일수: 3', [0.5, 3]],
    ['1일 2회,1회 1 정, 3일분', [1, 3]],
    // The round end of a label's box reads as a digit.
    ['1회량3 1정 횟수 3회 일수3 30일', [1, 30]],
    ['[회량:2 1일횟수:3 투약일수:30', [2, 30]],
    // A label whose number was not read is not the next label's.
    ['1회량: 1일횟수:3 투약일수:30', [null, 30]],
  ])('is read for the dose "%s"', (dose, expected) => {
    expect(
      linesOf([
        ['가온정 5mg', 200, 80],
        [dose, 200, 128],
      ]),
    ).toEqual([[null, '가온정 5mg', ...expected]]);
  });

  it.each([
    ['1회 1.5정 / 1일 2회 / 3일 취침 전', [1.5, 3]],
    ['1회 : 1.5정   1일 : 2회   일수 : 3일분', [1.5, 3]],
    ['1회 1개 / 1일 1회 / 1일', [1, 1]],
    ['0.5정씩 하루 3번 3일치', [0.5, 3]],
    ['1캡슐씩 하루 1번 3일치', [1, 3]],
    ['1회 2정씩, 하루 3회, 30일간', [2, 30]],
    ['15mL 3회 7일', [15, 7]],
    ['1정×3회×5일', [1, 5]],
    ['1일 3회 식후 30분에', [null, null]],
  ])('is read for the dose in words "%s"', (dose, expected) => {
    const found = linesOf([
      ['약품명 : *가온정 5mg', 200, 80],
      [dose, 200, 128],
    ]);
    if (expected[0] === null) expect(found).toBeUndefined();
    else expect(found).toEqual([[null, '가온정 5mg', ...expected]]);
  });

  it('has a dose in the cells of one row, below the name over all of it', () => {
    const row = (y: number, index: number, name: string, cells: readonly string[]): FormCell[] => [
      { box: [40, y, 900, y + 40], prints: [[name, 60, y + 12]], row: 2 * index, column: 0, columnSpan: 5 },
      ...cells.map((text, n): FormCell => {
        const left = 40 + n * 200;
        return {
          box: [left, y + 40, left + 200, y + 80],
          prints: [[text, left + 60, y + 52]],
          row: 2 * index + 1,
          column: n,
        };
      }),
    ];
    const form = printedForm(
      [
        ...row(100, 0, '◆ 가온정5밀리그램(나래다라)', ['열을 내리는 약', '1회 1정', '1일 2회', '일수 90일']),
        ...row(200, 1, '◆ 다솜크림', ['바르는 약', '0.5개', '3회', '7일']),
      ],
      [['복약안내', 420, 20]],
    );
    expect(drugLinesOf(interpretPage(form, template))).toEqual([
      [null, '가온정5밀리그램(나래다라)', 1, 90],
      [null, '다솜크림', 0.5, 7],
    ]);
  });

  it('has the code of a block in a separate line, behind a label', () => {
    const block = (name: string, code: string, y: number): readonly Printed[] => [
      [name, 200, y],
      [`보험코드 ${code}`, 200, y + 24],
      ['1회 1정 1일 3회 7일', 200, y + 48],
    ];
    expect(linesOf([...block('가온정 5mg', '640500010', 80), ...block('다솜크림', '651700430', 200)])).toEqual([
      ['640500010', '가온정 5mg', 1, 7],
      ['651700430', '다솜크림', 1, 7],
    ]);
  });

  it('has the code at the other end of its block', () => {
    const block = (name: string, code: string, y: number): readonly Printed[] => [
      [name, 200, y],
      [code, 780, y + 2],
      ['1회 1정 1일 3회 7일', 200, y + 24],
    ];
    const blocks = [
      ...block('가온정 5mg', '640500010', 80),
      ...block('나래캡슐', '653100230', 180),
      ...block('다솜나잘스프', '651700430', 280),
    ];
    expect(linesOf(blocks)).toEqual([
      ['640500010', '가온정 5mg', 1, 7],
      ['653100230', '나래캡슐', 1, 7],
      ['651700430', '다솜나잘스프', 1, 7],
    ]);
  });

  it('has in a second column names that start left of their doses', () => {
    const block = (name: string, dose: string, x: number, y: number): readonly Printed[] => [
      [name, x, y],
      ['1회투약량', x + 100, y + 30],
      [dose, x + 130, y + 52],
      ['1일투여횟수', x + 220, y + 30],
      ['3', x + 260, y + 52],
      ['투약일수', x + 340, y + 30],
      ['7', x + 360, y + 52],
    ];
    expect(
      linesOf([...block('가온정5밀리그램 [640500010]', '0.5', 20, 80), ...block('다솜크림 [651700430]', '2', 520, 80)]),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 0.5, 7],
      ['651700430', '다솜크림', 2, 7],
    ]);
  });

  it('has names whose rest in the next line is too short to reach over the dose', () => {
    expect(
      linesOf([
        ['가온정500밀리그람(가온플록사신염산염수화', 200, 80],
        ['물)', 200, 102],
        ['1회 1정 / 1일 3회 / 3일', 240, 148],
      ]),
    ).toEqual([[null, '가온정500밀리그람(가온플록사신염산염수화물)', 1, 3]]);
  });

  it('has doses and names that continue in the line below', () => {
    const prints: Printed[] = [
      ['가온정5밀리그램(나래다라', 200, 80],
      ['염산염)', 200, 98],
      ['열을 내리는 약입니다.', 200, 122],
      ['1회투약량 1.00  1일투여횟수 2', 200, 146],
      ['총투약일수 14', 200, 164],
    ];
    expect(linesOf(prints)).toEqual([[null, '가온정5밀리그램(나래다라염산염)', 1, 14]]);
  });

  it('has a name to the left of boxes, each with a label over its value, and what the drug looks like below it', () => {
    const block = (name: string, [dose, times, days]: readonly string[], y: number): readonly Printed[] => [
      [name, 100, y],
      ['흰색 원형 정제', 100, y + 24],
      ['1회투약량', 500, y],
      [dose!, 530, y + 22],
      ['1일투여횟수', 620, y],
      [times!, 660, y + 22],
      ['총투약일수', 740, y],
      [days!, 780, y + 22],
    ];
    expect(
      linesOf([
        ...block('가온정5밀리그램(나래다라)', ['0.5', '3', '7'], 80),
        ...block('다솜크림', ['1', '2', '14'], 180),
      ]),
    ).toEqual([
      [null, '가온정5밀리그램(나래다라)', 0.5, 7],
      [null, '다솜크림', 1, 14],
    ]);
  });

  it('counts its drugs, and names one that does not read like a drug where the others stand', () => {
    const block = (name: string, y: number): readonly Printed[] => [
      [name, 100, y],
      ['투약량: 0.5 횟수: 2 일수: 3', 100, y + 24],
      ['졸음이 올 수 있습니다', 100, y + 48],
    ];
    expect(
      linesOf([...block('1. 가온정 5mg', 80), ...block('2. 나래250디스커스', 180), ...block('3. 다솜크림', 280)])?.map(
        ([, name]) => name,
      ),
    ).toEqual(['가온정 5mg', '나래250디스커스', '다솜크림']);
  });

  it('has no name in a line of labels, though a number in it is as long as a code', () => {
    const prints: Printed[] = [
      ['환자명: 가나다 님 조제일자 : 2025-05-15 교부번호: 80218808', 200, 50],
      ['가온정 5mg', 200, 80],
      ['투약량 1 횟수 3 일수 7', 200, 128],
    ];
    expect(linesOf(prints)).toEqual([[null, '가온정 5mg', 1, 7]]);
  });
});

describe('a guide of two columns', () => {
  it('gives its blocks line by line, from left to right', () => {
    const block = (name: string, days: string, x: number, y: number): readonly Printed[] => [
      [name, x, y],
      ['투약량 1', x, y + 60],
      ['횟수 3', x + 90, y + 60],
      [`일수 ${days}`, x + 170, y + 60],
    ];
    const blocks = [block('가온정5mg', '3', 60, 100), block('나래캡슐', '5', 700, 104), block('다솜정', '7', 60, 300)];
    const page = interpretPage(printedForm([], [['복약안내 약사 서현주', 300, 20], ...blocks.flat()]), template);
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정5mg', 1, 3],
      [null, '나래캡슐', 1, 5],
      [null, '다솜정', 1, 7],
    ]);
  });

  it('gives the second block of both columns before the third of one, however tall they are', () => {
    const block = (name: string, x: number, y: number): readonly Printed[] => [
      [name, x, y],
      ['1회 1정 1일 3회 3일분', x, y + 30],
    ];
    const left = [block('가온정5mg', 60, 100), block('나래캡슐', 60, 400)];
    const right = [block('다솜정', 700, 100), block('라온정', 700, 200), block('마루정', 700, 300)];
    const page = interpretPage(
      printedForm([], [['복약안내 약사 서현주', 300, 20], ...[...left, ...right].flat()]),
      template,
    );
    expect(drugLinesOf(page)!.map(([, name]) => name)).toEqual(['가온정5mg', '다솜정', '나래캡슐', '라온정', '마루정']);
  });

  it('splits lines of two blocks that no wide blank sets off from each other', () => {
    const dose = '1회투약량 1 1일투여횟수 3 총투약일수';
    const page = interpretPage(
      printedForm(
        [],
        [
          ['복약안내 약사 서현주', 300, 20],
          ['가온정5mg(아목시실린수화물몬테루카스트나 나래서방정2mg(몬테루카스트', 60, 100],
          [`${dose} 3`, 60, 160],
          [`${dose} 5`, 320, 160],
        ],
      ),
      template,
    );
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정5mg(아목시실린수화물몬테루카스트나', 1, 3],
      [null, '나래서방정2mg(몬테루카스트', 1, 5],
    ]);
  });

  it('ends a dose before the advice of the next column that was read in one line with it', () => {
    const dose = '1회투약량 1 1일투여횟수 3 총투약일수';
    const page = interpretPage(
      printedForm(
        [],
        [
          ['복약안내 약사 서현주', 300, 20],
          ['가온정5mg', 60, 100],
          [`${dose} 3 충분한 물과 함께 복용하세요.`, 60, 160],
          ['나래서방정2mg', 340, 100],
          [`${dose} 5`, 340, 220],
          ['다솜정5mg', 60, 200],
          [`${dose} 7`, 60, 260],
        ],
      ),
      template,
    );
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정5mg', 1, 3],
      [null, '나래서방정2mg', 1, 5],
      [null, '다솜정5mg', 1, 7],
    ]);
  });

  it.each([
    ['labels', (days: number) => `1회투약량 1 1일투여횟수 3 총투약일수 ${days}`],
    ['words', (days: number) => `1회 1정 1일 3회 ${days}일분`],
  ])('starts a dose behind the name of the column before that was read in one line with it: %s', (_, dose) => {
    const page = interpretPage(
      printedForm(
        [],
        [
          ['복약안내 약사 서현주', 300, 20],
          ['가온정5mg', 60, 100],
          [dose(3), 60, 160],
          ['나래서방정2mg', 340, 100],
          [`다솜정5mg(아목시실린수화물몬테루카스트나 ${dose(5)}`, 60, 220],
          [dose(7), 60, 280],
        ],
      ),
      template,
    );
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정5mg', 1, 3],
      [null, '나래서방정2mg', 1, 5],
      [null, '다솜정5mg(아목시실린수화물몬테루카스트나', 1, 7],
    ]);
  });

  it('has two doses in words where they were read in one line', () => {
    const page = interpretPage(
      printedForm(
        [],
        [
          ['복약안내 약사 서현주', 300, 20],
          ['가온정5mg', 60, 100],
          ['나래서방정2mg', 340, 100],
          ['1회 1정 1일 3회 3일분    1회 2정 1일 2회 5일분', 60, 160],
          ['다솜정5mg', 340, 200],
          ['1회 1정 1일 3회 7일분', 340, 260],
        ],
      ),
      template,
    );
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정5mg', 1, 3],
      [null, '나래서방정2mg', 2, 5],
      [null, '다솜정5mg', 1, 7],
    ]);
  });
});

describe('the name of a block', () => {
  it("omits the drug's purpose, and lines on how to take it", () => {
    const block = (name: string, y: number): readonly Printed[] => [
      [name, 200, y],
      ['용법 : 매일 저녁 피하주사', 200, y + 24],
      ['1회투약량 18  1일투여횟수 1  총투약일수 30', 200, y + 48],
    ];
    const page = printedForm(
      [],
      [['복약안내', 420, 20], ...block('가온정20mg [혈압약]', 80), ...block('나래플렉스주100단위/mL', 200)],
    );
    expect(drugLinesOf(interpretPage(page, template))?.map(([, name]) => name)).toEqual([
      '가온정20mg',
      '나래플렉스주100단위/mL',
    ]);
  });

  const nameBelow = (texts: readonly Printed[], confidence: number) => {
    const form = printedForm(
      [],
      [['복약안내 약사 서현주', 300, 20], ...texts, ['가온서방정5mg', 60, 100], ['1회 1정 1일 3회 7일분', 60, 160]],
    );
    const read = form.texts.map((text) => (text.text === texts[0]?.[0] ? { ...text, confidence } : text));
    return drugLinesOf(interpretPage({ ...form, texts: read }, template))![0]![1];
  };

  it.each([
    ['a barcode that was read as letters', '0386염2953정5', 0.001],
    ['the end of a title', '조정', 0.98],
  ])('is not %s above it', (_, text, confidence) => {
    expect(nameBelow([[text, 60, 60]], confidence)).toBe('가온서방정5mg');
  });
});

describe('a name that bends', () => {
  it('is whole where its line was read as two', () => {
    const form = printedForm(
      [],
      [
        ['복약안내 약사 서현주', 300, 20],
        ['가온점안현탁', 60, 102],
        ['액0.15%', 62 + 6 * 8, 100],
        ['1회 1정 1일 3회 7일분', 60, 160],
      ],
    );
    const read = form.texts.map((text) =>
      text.text === '가온점안현탁' ? { ...text, box: { ...text.box, width: 6 * 8 } } : text,
    );
    expect(drugLinesOf(interpretPage({ ...form, texts: read }, template))).toEqual([
      [null, '가온점안현탁액0.15%', 1, 7],
    ]);
  });
});
