import { describe, expect, it } from 'vitest';
import { explainPage } from '../../../functions/extraction/domain/explain-page.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate } from '../../../functions/extraction/domain/templates.ts';
import { explanationOf } from '../../../show/explanation.ts';
import { drugMaster } from '../../helpers/drug-table.ts';
import { type CellSpec, pageReading, readTable } from '../../helpers/page-reading.ts';

const template = findTemplate(DEFAULT_TEMPLATE_ID)!;
const master = drugMaster({
  '642100010': ['가나정10mg(가나성분)_(10mg/1정)', 112],
  '642100030': ['마바정', 30],
});
const traceOf = (tables: readonly (readonly (readonly CellSpec[])[])[], texts: readonly string[] = []) =>
  explainPage(
    pageReading(
      tables.map((rows) => readTable(rows)),
      texts,
    ),
    template,
    master,
    { today: '2026-11-21' },
  );

const SHEET: readonly (readonly CellSpec[])[] = [
  ['약품코드', '약품명', '투여량', '투여일수', '비고'],
  [{ text: '[내복]', columnSpan: 5 }, null, null, null, null],
  ['642100010', '가나정10mg', '1', '30', ''],
  ['642100020', '다라캡슐', '2', '7', ''],
  ['합계', '', '', '37', ''],
];
const RECEIPT: readonly (readonly CellSpec[])[] = [
  ['품명', '수량', '금액'],
  ['아메리카노', '2', '9,000'],
  ['샌드위치', '1', '6,500'],
];

describe('the trace of a page', () => {
  it('names header words, sections and rows of a table of drugs', () => {
    const [table] = traceOf([SHEET]).tables;
    expect(table).toMatchObject({
      rowCount: 5,
      columnCount: 5,
      sections: ['[내복]'],
      rows: ['header', 'section', 'line', 'line', 'total'],
      verdict: 'drug_table',
    });
    expect(table!.headerWords.map(({ text, kind }) => [text, kind])).toContainEqual(['투여일수', 'days']);
    expect(table!.columns).toContainEqual({ field: 'quantity', inferred: false });
    expect(table!.evidence).toBeGreaterThanOrEqual(table!.required);
  });

  it('shows the cells of each line as they were read, next to its code and name', () => {
    const [table] = traceOf([SHEET]).tables;
    expect(table!.lines).toEqual([
      {
        row: 2,
        read: ['642100010', '가나정10mg', '1', '30'],
        drugCode: '642100010',
        drugName: '가나정10mg',
        openLetters: [],
      },
      {
        row: 3,
        read: ['642100020', '다라캡슐', '2', '7'],
        drugCode: '642100020',
        drugName: '다라캡슐',
        openLetters: [],
      },
    ]);
  });

  it('reports the parts that a table without drugs lacks', () => {
    const [receipt, blank] = traceOf([RECEIPT, [['성명', '홍길동']]]).tables;
    expect(receipt!.verdict).toBe('too_little_evidence');
    expect(receipt!.evidence).toBeLessThan(receipt!.required);
    expect(blank!.verdict).toBe('no_lines');
  });
});

describe('the explanation of a page', () => {
  it('has a sentence for every table', () => {
    const [sheet, receipt, ...more] = explanationOf(traceOf([SHEET, RECEIPT]));
    expect(sheet).toMatch(/^Table 1, 5 rows × 5 columns: a table of drugs .*투여량 \(quantity\).*sections: \[내복\]/);
    expect(sheet).toMatch(/rows: 1 header, 1 section, 2 line, 1 total\.$/);
    expect(receipt).toMatch(/^Table 2, .*: no table of drugs: too few codes.*수량 \(quantity\)/);
    expect(more).toEqual(['The network was not asked.']);
  });

  it('says that there is no table', () => {
    expect(explanationOf(traceOf([], ['복약안내', '아침 식후']))).toEqual([
      'No table of drugs: the page has 2 lines of text, but no grid, and no list below header words.',
      'The network was not asked.',
    ]);
  });

  it('names the prints of each line of the network, how sure it is of them, and whose lines are answered', () => {
    const box = { x: 0, y: 0, width: 10, height: 10 };
    const labels = [
      { text: '642100010', box, role: 'drugCode', chance: 1, line: 0 },
      { text: '처방전', box, role: 'none', chance: 1, line: null },
      { text: '3', box, role: 'days', chance: 0.61, line: 0 },
    ] as const;
    const trace = { ...traceOf([]), network: { lineCount: 1, labels } };
    expect(explanationOf({ ...trace, answeredBy: 'network' }).slice(1)).toEqual([
      "The network's reading, 1 line, is answered: it proves more.",
      'Line 1 of the network: 642100010 (drugCode), 3 (days 0.61).',
    ]);
    expect(explanationOf(trace)[1]).toMatch(/proves no more; the rules are answered/);
    expect(explanationOf({ ...trace, network: { lineCount: 0, labels } })[1]).toBe('The network finds no drugs.');
  });

  it('names codes of the list that no line has', () => {
    const trace = traceOf([SHEET], ['642100030 마바정']);
    expect(trace.lostCodes).toEqual(['642100030']);
    expect(explanationOf(trace).at(-1)).toBe('Codes that no line has: 642100030.');
  });
});
