import { describe, expect, it } from 'vitest';
import { judgePage } from '../../../functions/extraction/domain/judge-page.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate } from '../../../functions/extraction/domain/templates.ts';
import { drugMaster } from '../../helpers/drug-table.ts';
import { type CellSpec, pageReading, readTable } from '../../helpers/page-reading.ts';

const template = findTemplate(DEFAULT_TEMPLATE_ID)!;
const master = drugMaster({
  '642100010': ['가나정10mg', 112],
  '642100020': ['다라캡슐', 30],
  '642100030': ['마바정', 9],
});
const TODAY = '2026-11-21';
const SHEET: readonly (readonly CellSpec[])[] = [
  ['약품코드', '약품명', '투여량', '횟수', '투여일수'],
  ['642100010', '가나정10mg', '1', '3', '30'],
  ['642100020', '다라캡슐', '2', '3', '7'],
];

function judged(texts: readonly string[], learnedCodes: readonly string[] | null = null) {
  const learned = learnedCodes && { table: null, labels: [], codes: learnedCodes };
  const reading = pageReading([readTable(SHEET)], texts);
  return judgePage(reading, template, master, { today: TODAY, serviceDate: TODAY }, learned);
}

const isComplete = (...args: Parameters<typeof judged>) => judged(...args).summary.completeExtraction;

describe('a page on which a drug code is printed that no line has', () => {
  it('is not complete if the list has the code', () => {
    expect(isComplete([])).toBe(true);
    expect(isComplete(['642100030 마바정'])).toBe(false);
  });

  it('is not complete if the network takes the print for a code, though the list does not know it', () => {
    expect(isComplete(['642199990'])).toBe(true);
    expect(isComplete(['642199990'], ['642199990'])).toBe(false);
  });

  it('keeps its lines as they are', () => {
    expect(judged(['642100030 마바정']).items).toEqual(judged([]).items);
  });

  it('is complete if a check of the prescription names the codes of lines once more, one of them as a standard code', () => {
    expect(isComplete(['DUR 점검결과 642100010', '8806421000209'], ['642100010', '8806421000209'])).toBe(true);
  });

  it('says nothing about completeness where there are no lines', () => {
    const reading = pageReading([], ['642100030']);
    const learned = { table: null, labels: [], codes: ['642100030'] };
    expect(judgePage(reading, template, master, { today: TODAY }, learned).summary.completeExtraction).toBeNull();
  });
});
