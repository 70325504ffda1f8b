import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RealPage, realPages } from '../../../bench/scoring/real-truth.ts';
import { scoreReal } from '../../../bench/scoring/score-real.ts';
import { answer, item } from './lines.ts';

const page: RealPage = {
  file: 'page.jpg',
  documentTypeExpected: 'drug_table',
  hasDrugTable: true,
  expected: {
    rows: [
      { drugCode: '641600170', drugName: '가나정 5mg', quantity: '0.50', days: '3' },
      { drugCode: '073400340', drugName: '다라캡슐', quantity: null, days: '14' },
    ],
  },
};
const first = item({ drugCode: '641600170', drugName: '가나정5mg', quantity: 0.5, days: 3 });
const second = item({ drugCode: '073400340', drugName: '다라캡슐', quantity: 2, days: 14 });

describe('scoreReal', () => {
  it('finds no fault in a faultless answer, and does not score illegible cells', () => {
    expect(scoreReal(page, answer([first, second]), 1)).toMatchObject({
      lines: { right: 2, of: 2 },
      fields: { right: 3, of: 3 },
      names: { right: 2, of: 2 },
      inventedValues: 0,
      falseLines: 0,
      green: 2,
      rightGreens: { right: 2, of: 2 },
      rightNotGreen: [],
      wrongGreen: [],
      mistakes: [],
    });
  });

  it('counts fields and names of lines with the exact code alone', () => {
    const misread = { ...second, drugCode: '073400840', days: 1 };
    expect(scoreReal(page, answer([first, misread]), 1)).toMatchObject({
      lines: { right: 1, of: 2 },
      fields: { right: 2, of: 2 },
      names: { right: 1, of: 1 },
      falseLines: 0,
      wrongGreen: ['row 2: days 1 is 14; drugCode 073400840 is 073400340'],
    });
  });

  it('gives the reasons why a line that was read right is not GREEN', () => {
    const doubted = item({ ...first, status: 'YELLOW', review: ['name_uncertain: it ends early'] });
    const misread = item({ ...second, days: 1, status: 'YELLOW' });
    expect(scoreReal(page, answer([doubted, misread]), 1)).toMatchObject({
      rightGreens: { right: 0, of: 1 },
      rightNotGreen: ['row 1: YELLOW 641600170 가나정5mg: name_uncertain: it ends early'],
    });
  });

  it('takes a line that is like no row for a false one, also where a row was missed', () => {
    const repeated = item({ drugCode: '999999999', drugName: '사유코드' });
    expect(scoreReal(page, answer([first, repeated]), 1)).toMatchObject({
      lines: { right: 1, of: 2 },
      falseLines: 1,
      wrongGreen: ['false line 999999999 사유코드'],
      mistakes: ['false line: 999999999 사유코드', 'row 2: missed (073400340)'],
    });
  });

  it('takes dots and the one sign for them as the same mark of a cut name', () => {
    const cut: RealPage = { ...page, expected: { rows: [{ drugCode: '641600170', drugName: '가나정5밀리...' }] } };
    const read = item({ drugCode: '641600170', drugName: '가나정 5밀리…' });
    expect(scoreReal(cut, answer([read]), 1).names).toEqual({ right: 1, of: 1 });
  });

  it('knows an amount printed in groups of three', () => {
    const [row] = page.expected.rows!;
    const priced: RealPage = { ...page, expected: { rows: [{ ...row!, totalAmount: '19,080' }] } };
    const fieldsOf = (totalAmount: number) => scoreReal(priced, answer([{ ...first, totalAmount }]), 1).fields;
    expect([fieldsOf(19_080), fieldsOf(19)]).toEqual([
      { right: 3, of: 3 },
      { right: 2, of: 3 },
    ]);
  });

  it('reports values that the page does not print', () => {
    expect(scoreReal(page, answer([{ ...first, prescribedQty: 9 }, second]), 1)).toMatchObject({
      fields: { right: 3, of: 3 },
      inventedValues: 1,
      wrongGreen: ['row 1: prescribedQty 9 is not printed'],
    });
  });

  it('finds lines without a printed code by their name', () => {
    const guide = { ...page, expected: { rows: [{ drugName: '가나정 5mg', quantity: '1.00', days: '3' }] } };
    const read = item({ drugName: '가나정5mg', quantity: 1, days: 3 });
    expect(scoreReal(guide, answer([read]), 1)).toMatchObject({
      lines: { right: 1, of: 1 },
      fields: { right: 2, of: 2 },
    });
  });

  it('reports a page without drugs that is billed', () => {
    const label: RealPage = { file: 'label.jpg', documentTypeExpected: 'other', hasDrugTable: false, expected: {} };
    expect(scoreReal(label, answer([]), 1)).toMatchObject({ billedWithoutDrugs: true, foundTable: { right: 0 } });
    expect(scoreReal(label, null, 1)).toMatchObject({ billedWithoutDrugs: false, documentType: { right: 0 } });
  });
});

describe('realPages', () => {
  it('says what a folder lacks', () => {
    const folder = mkdtempSync(join(tmpdir(), 'real-'));
    expect(() => realPages(folder)).toThrow(/truth\.json cannot be read\. Name a folder/);
    writeFileSync(join(folder, 'truth.json'), '{"images": [{"file": 3}]}');
    expect(() => realPages(folder)).toThrow(/truth\.json: images\.0\.file: /);
    writeFileSync(join(folder, 'truth.json'), 'not json');
    expect(() => realPages(folder)).toThrow(/is not JSON/);
  });
});
