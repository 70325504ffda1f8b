import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { drugLinesOf, type FormCell, type Printed, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

describe('a guide whose blanks were not read', () => {
  const doseOf = (dose: string) => {
    const [line] = drugLinesOf(
      interpretPage(
        printedForm(
          [],
          [
            ['복약안내', 420, 20],
            ['가온정 5mg', 200, 80],
            [dose, 200, 128],
          ],
        ),
        template,
      ),
    )!;
    return line!.slice(2);
  };

  it.each([
    ['투약량 0.5 횟수 4일수 30', [0.5, 30]],
    ['1회 투약량: 1.001일 투여횟수: 3 총투약일수: 7', [1, 7]],
    ['1회투약량 11일투여횟수 1 총투약일수 21일', [1, 21]],
    ['1회투약량 100.001일투여횟수 3 총투약일수7', [100, 7]],
  ])('%s', (dose, expected) => {
    expect(doseOf(dose)).toEqual(expected);
  });

  it('has the whole of a name that the border of a frame cuts', () => {
    const frame: FormCell[] = [
      { box: [190, 60, 300, 160], prints: [['가온정5밀리', 200, 80]], row: 0 },
      { box: [300, 60, 600, 160], prints: [['그램(내복)', 301, 80]], row: 0, column: 1 },
    ];
    const page = printedForm(frame, [
      ['복약안내', 420, 20],
      ['1회투약량 1  1일투여횟수 3  총투약일수 7', 200, 180],
    ]);
    // Hangul is as wide as it is high.
    const cut = page.tables[0]!.cells.map((cell) => {
      const widened = (box: typeof cell.box) => ({ ...box, width: cell.column === 0 ? 100 : box.width });
      return { ...cell, lines: cell.lines!.map((line) => ({ ...line, box: widened(line.box) })) };
    });
    const { table } = interpretPage({ ...page, tables: [{ ...page.tables[0]!, cells: cut }] }, template);
    expect(table!.lines.map(({ drugName }) => drugName.value)).toEqual(['가온정5밀리그램(내복)']);
  });
});

describe('a guide in words', () => {
  it('is read for its doses, and advice for none', () => {
    const block = (name: string, dose: string, y: number): readonly Printed[] => [
      [name, 200, y],
      ['1일 3회 이상 복용하지 마세요. (최대 4,000 mg)', 200, y + 24],
      [dose, 200, y + 48],
    ];
    const page = interpretPage(
      printedForm(
        [],
        [
          ['조제약 복약안내서', 420, 20],
          ['하루 1 번 5 일분 식후 30분에 복용하세요', 200, 50],
          ['약사 오정희', 200, 64],
          ...block('가온정 5mg', '1회 1.5정 1일 2회 14일분', 80),
          ...block('나래시럽', '1회 7.5mL 하루 3번 5일분', 200),
        ],
      ),
      template,
    );
    expect(drugLinesOf(page)).toEqual([
      [null, '가온정 5mg', 1.5, 14],
      [null, '나래시럽', 7.5, 5],
    ]);
  });
});

describe('a dose among whose words a speck was read', () => {
  it('continues behind it', () => {
    const form = printedForm(
      [],
      [
        ['복약안내 약사 서현주', 300, 20],
        ['가온정5mg', 60, 100],
        ['1회 1정', 60, 160],
        ['.6', 100, 168],
        ['1일 3회 7일분', 180, 155],
      ],
    );
    const read = form.texts.map((text) =>
      text.text === '.6' ? { ...text, box: { ...text.box, height: 5, y: 171 } } : text,
    );
    expect(drugLinesOf(interpretPage({ ...form, texts: read }, template))).toEqual([[null, '가온정5mg', 1, 7]]);
  });
});
