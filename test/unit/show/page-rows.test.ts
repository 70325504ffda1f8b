import { describe, expect, it } from 'vitest';
import { judgePage } from '../../../functions/extraction/domain/judge-page.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate } from '../../../functions/extraction/domain/templates.ts';
import { notesOf } from '../../../show/notes.ts';
import { lightOf, pageRows } from '../../../show/page-rows.ts';
import { drugMaster } from '../../helpers/drug-table.ts';
import { pageReading, readTable } from '../../helpers/page-reading.ts';

const master = drugMaster({
  '642100010': ['가나정10mg(가나성분)_(10mg/1정)', 112],
  '642100020': ['다라캡슐(다라성분)_(1캡슐)', 250],
});
const reading = pageReading([
  readTable([
    ['성명', '홍길동'],
    ['생년월일', '800101'],
  ]),
  readTable([
    ['약품코드', '약품명', '투여량', '투여일수', '총투여량', '단가', '금액'],
    ['642100010', '가나정10mg(가나성분)', '1', '30', '30', '112', '3,360'],
    ['642100020', '다라캡슐', '2', '7', '14', '999', '13,986'],
    ['699999990', '없는정', '2', '7', '14', '10', '140'],
    ['합계', '', '', '', '', '', '17,486'],
  ]),
]);
const judged = judgePage(reading, findTemplate(DEFAULT_TEMPLATE_ID)!, master, { today: '2026-11-21' });

describe('the rows of a page', () => {
  const rows = pageRows(reading, judged);

  it('know the line that was read from them; headers, totals and other tables have none', () => {
    expect(rows.map(({ item }) => item?.drugCode ?? null)).toEqual([
      null,
      null,
      null,
      '642100010',
      '642100020',
      '699999990',
      null,
    ]);
    expect(rows.map(lightOf)).toEqual([null, null, null, ...judged.items.map(({ status }) => status), null]);
  });

  it('are around their cells', () => {
    for (const { box, cells } of rows)
      for (const cell of cells) {
        expect(cell.box.x).toBeGreaterThanOrEqual(box.x);
        expect(cell.box.x + cell.box.width).toBeLessThanOrEqual(box.x + box.width);
      }
  });
});

describe('the notes of a line', () => {
  it('state the problem in Korean and English', () => {
    const [, wrongPrice, unknown] = judged.items.map((item) => notesOf(item).map(({ text }) => text));
    expect(wrongPrice![0]).toMatch(/오류 RED {2}642100020 다라캡슐/);
    expect(wrongPrice!.join('\n')).toMatch(/단가 불일치 · unit price 999/);
    expect(unknown!.join('\n')).toContain('등록되지 않은 코드 · code 699999990 is not in the drug master');
  });
});
