import { describe, expect, it } from 'vitest';
import { printReport } from '../../../bench/scoring/print-report.ts';
import { quantile, report } from '../../../bench/scoring/report.ts';
import { scorePage } from '../../../bench/scoring/score-page.ts';
import { answer, item, pageTruth, row } from './lines.ts';

const values = { drugCode: '641600170', drugName: '가나정', quantity: 3, totalAmount: 336 };
const right = scorePage(pageTruth([row(values)]), answer([item(values)]), 1, null);
const wrong = scorePage(pageTruth([row(values)]), answer([item({ ...values, quantity: 8 })]), 3, null);
const failed = scorePage(pageTruth([row(values)]), null, 2, 'Error: broken');

describe('report', () => {
  it('adds cells up over pages, not shares of pages', () => {
    const twoRows = scorePage(
      pageTruth([row(values), row(values), row(values)]),
      answer([item(values), item(values), item(values)]),
      1,
      null,
    );
    expect(report([twoRows, wrong]).fields.quantity).toBe(3 / 4);
  });

  it('puts all numeric fields into one figure', () => {
    expect(report([right, wrong]).numericCells).toBe(3 / 4);
  });

  it('has no figure where there is nothing to measure', () => {
    expect(report([right]).fields.days).toBeNull();
    expect(report([])).toMatchObject({ pages: 0, numericCells: null, quadIouMin: null, secondsP50: null });
  });

  it('counts lines that deserve GREEN and did not get it', () => {
    expect(report([right, failed]).falseReview).toBe(0.5);
  });

  it('leaves misread lines out of the right ones that are not GREEN', () => {
    const doubted = scorePage(pageTruth([row(values)]), answer([item({ ...values, status: 'YELLOW' })]), 1, null);
    const { rightNotGreen, falseReview } = report([right, doubted, failed]);
    expect(rightNotGreen).toBe(0.5);
    expect(falseReview).toBeCloseTo(2 / 3);
  });

  it('counts papers without drugs that were taken for drug tables, and says whether bars are met', () => {
    const paper = pageTruth([], { class: 'negative', foundTable: false, table: null, documentType: 'other' });
    const refused = scorePage(paper, answer([], { foundTable: false, documentType: 'other' }), 1, null);
    const taken = scorePage(paper, answer([]), 1, null);
    const broken = scorePage(paper, null, 1, 'Error: broken');
    expect(report([right, refused, taken, broken])).toMatchObject({ takenForTables: 1, pagesWithoutTable: 3 });
    const printed = printReport({
      negative: report([refused, taken]),
      prescription: report([right, wrong]),
      all: report([right, wrong, refused, taken]),
    });
    expect(printed).toContain('bars of negative: taken for drug tables 50.00 of 0.50 at most: missed');
    expect(printed).toContain('bars of prescription: codes 100.00 of 99.00: met; numerals 75.00 of 98.50: missed');
    expect(printed).not.toContain('bars of all');
  });

  it('counts the right lines that are not GREEN by their reasons, in print', () => {
    const doubted = item({ ...values, status: 'YELLOW', review: ['name_uncertain: it ends early'] });
    const score = scorePage(pageTruth([row(values)]), answer([doubted]), 1, null);
    expect(printReport({ all: report([right, score]) })).toMatch(/right lines not GREEN +1\n {2}name_uncertain +1/);
  });

  it('lists every GREEN line that deserves less, in print', () => {
    const score = scorePage(pageTruth([row(values, { status: 'RED' })]), answer([item(values)]), 1, null);
    const printed = printReport({ all: report([right, score]) });
    expect(printed).toContain('GREEN, deserves less: photo-000 row 1: GREEN 641600170 가나정');
  });

  it('lists every wrong GREEN line and every failure in print', () => {
    const printed = printReport({ all: report([right, wrong, failed]) });
    expect(printed).toContain('wrong and GREEN: photo-000 row 1: quantity 8 is 3');
    expect(printed).toContain('failed: photo-000: Error: broken');
    expect(printed).toMatch(/numeric cells exact % +50\.00/);
  });
});

describe('quantile', () => {
  it('is a value of the list', () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([4, 1, 2, 3], 0.5)).toBe(2);
    expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95)).toBe(10);
    expect(quantile([], 0.5)).toBeNull();
  });
});
