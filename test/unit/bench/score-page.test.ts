import { describe, expect, it } from 'vitest';
import { scorePage } from '../../../bench/scoring/score-page.ts';
import { answer, item, pageTruth, row } from './lines.ts';

const first = { drugCode: '641600170', drugName: '가나정 5mg', quantity: 3, unitPrice: 112, totalAmount: 336 };
const second = { drugCode: '073400340', drugName: '다라캡슐', quantity: 2, unitPrice: 50, totalAmount: 100 };
const truth = pageTruth([row(first), row(second)]);

describe('scorePage', () => {
  it('finds nothing wrong with a faultless answer', () => {
    const score = scorePage(truth, answer([item(first), item(second)]), 0.5, null);
    expect(score.cells.quantity).toEqual({ right: 2, of: 2 });
    expect(score.cells.days).toEqual({ right: 0, of: 0 });
    expect(score.names).toEqual({ right: 2, of: 2 });
    expect(score.columns.right).toBe(score.columns.of);
    expect(score).toMatchObject({ wrongGreen: [], extraRows: 0, quadIou: 1, rotation: { right: 1, of: 1 } });
    expect(score.greens).toEqual({ right: 2, of: 2 });
    expect(score.judgements).toEqual({ right: 2, of: 2 });
  });

  it('reports a GREEN line with one wrong number', () => {
    const score = scorePage(truth, answer([item(first), item({ ...second, quantity: 7 })]), 0, null);
    expect(score.wrongGreen).toEqual([{ page: 'photo-000', row: 2, differences: ['quantity 7 is 2'] }]);
    expect(score.cells.quantity).toEqual({ right: 1, of: 2 });
  });

  it('reports a GREEN line with a value in a column that the sheet does not have', () => {
    const score = scorePage(truth, answer([item(first), item({ ...second, days: 5 })]), 0, null);
    expect(score.wrongGreen[0]?.differences).toEqual(['days 5 is null']);
  });

  it('reports a GREEN line that is not on the sheet', () => {
    const extra = item({ drugCode: '999999999', drugName: '합계' });
    const score = scorePage(truth, answer([item(first), item(second), extra]), 0, null);
    expect(score.extraRows).toBe(1);
    expect(score.wrongGreen).toEqual([{ page: 'photo-000', row: null, differences: ['no such row'] }]);
  });

  it('forgives a wrong line that asks for review', () => {
    const score = scorePage(truth, answer([item(first), item({ ...second, quantity: 7, status: 'YELLOW' })]), 0, null);
    expect(score.wrongGreen).toEqual([]);
    expect(score.greens).toEqual({ right: 1, of: 2 });
  });

  it('counts right lines that were not turned GREEN apart from misread ones', () => {
    const doubted = item({ ...first, status: 'YELLOW' });
    const misread = item({ ...second, quantity: 7, status: 'YELLOW' });
    const score = scorePage(truth, answer([doubted, misread]), 0, null);
    expect(score.greens).toEqual({ right: 0, of: 2 });
    expect(score.rightGreens).toEqual({ right: 0, of: 1 });
  });

  it('keeps the reasons why a right line is not GREEN', () => {
    const doubted = item({ ...first, status: 'YELLOW', review: ['name_uncertain: it ends early'] });
    const score = scorePage(truth, answer([doubted, item(second)]), 0, null);
    expect(score.rightNotGreen).toEqual([
      {
        page: 'photo-000',
        row: 1,
        drugCode: '641600170',
        drugName: '가나정 5mg',
        status: 'YELLOW',
        review: ['name_uncertain: it ends early'],
      },
    ]);
  });

  it('reports a line that was read right, is GREEN and deserves less', () => {
    const unlisted = pageTruth([row(first, { status: 'RED', codeInMaster: false }), row(second)]);
    const score = scorePage(unlisted, answer([item(first), item(second)]), 0, null);
    expect(score.wrongGreen).toEqual([]);
    expect(score.undeservedGreen).toMatchObject([{ row: 1, status: 'GREEN' }]);
  });

  it('lets an answer hold lines of fees, or leave them out', () => {
    const table = { ...truth.table!, tolerated: ['AA154'] };
    const withFee = answer([item({ drugCode: 'AA154', drugName: '초진진찰료' }), item(first), item(second)]);
    expect(scorePage({ ...truth, table }, withFee, 0, null)).toMatchObject({ extraRows: 0, wrongGreen: [] });
    expect(scorePage(truth, withFee, 0, null).extraRows).toBe(1);
  });

  it('counts every cell of a missed row as wrong', () => {
    const score = scorePage(truth, answer([item(first)]), 0, null);
    expect(score.rows).toEqual({ right: 1, of: 2 });
    expect(score.cells.drugCode).toEqual({ right: 1, of: 2 });
    expect(score.nameLetters).toEqual({ wrong: 4, of: 10 });
  });

  it('counts a page without an answer as all wrong', () => {
    const score = scorePage(truth, null, 0, 'Error: broken');
    expect(score).toMatchObject({
      failure: 'Error: broken',
      quadIou: 0,
      rows: { right: 0, of: 2 },
      foundTable: { right: 0, of: 1 },
    });
    expect(score.columns.right).toBe(0);
  });

  it('counts an empty cell as right when nothing is read there', () => {
    const withGap = pageTruth([row({ ...first, quantity: null })]);
    expect(scorePage(withGap, answer([item({ ...first, quantity: null })]), 0, null).cells.quantity).toEqual({
      right: 1,
      of: 1,
    });
    expect(scorePage(withGap, answer([item(first)]), 0, null).cells.quantity).toEqual({ right: 0, of: 1 });
  });

  it('scores names by their letters, without regard to blanks', () => {
    const score = scorePage(
      truth,
      answer([item({ ...first, drugName: '가나정5mg' }), item({ ...second, drugName: '다리캡슐' })]),
      0,
      null,
    );
    expect(score.names).toEqual({ right: 1, of: 2 });
    expect(score.nameLetters).toEqual({ wrong: 1, of: 10 });
    expect(score.wrongGreen).toMatchObject([{ row: 2, differences: ['drugName 다리캡슐 is 다라캡슐'] }]);
  });

  it('does not call a GREEN line wrong whose name differs in marks or in the spelling of a unit', () => {
    const marked = { ...first, drugName: '가나정5밀리그램.' };
    const score = scorePage(pageTruth([row(first)]), answer([item(marked)]), 0, null);
    expect(score).toMatchObject({ wrongGreen: [], greenWithOtherMarks: 1, names: { right: 0, of: 1 } });
  });

  it('notices two columns that were mixed up', () => {
    const mixed = [first, second].map((values) =>
      item({ ...values, quantity: values.unitPrice, unitPrice: values.quantity }),
    );
    const { columns } = scorePage(truth, answer(mixed), 0, null);
    expect(columns.of - columns.right).toBe(2);
  });

  it('leaves a row that the picture cuts through out of account, read or not', () => {
    const cut = pageTruth([row(first), row(second, { cut: true })]);
    for (const items of [[item(first)], [item(first), item({ ...second, quantity: 9 })]]) {
      const score = scorePage(cut, answer(items), 0, null);
      expect(score).toMatchObject({ rows: { right: 1, of: 1 }, extraRows: 0, wrongGreen: [] });
    }
  });

  it('takes the whole image for the page when nothing was cropped', () => {
    const uncropped = answer([], {
      geometry: { rotation: 0, source: { width: 100, height: 100 }, oriented: { width: 100, height: 100 }, crop: null },
    });
    const score = scorePage(truth, uncropped, 0, null);
    expect(score.quadIou).toBeCloseTo(0.64);
    expect(score.rotation).toEqual({ right: 0, of: 1 });
  });
});
