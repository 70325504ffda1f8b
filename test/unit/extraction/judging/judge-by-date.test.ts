import { describe, expect, it } from 'vitest';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { drugMaster, drugTable, type LineValues } from '../../../helpers/drug-table.ts';
import { codesOf } from '../../../helpers/two-drugs.ts';

const NAME = '다솜정5밀리그램(암로디핀)_(5mg/1정)';
const master = drugMaster({
  '640500010': [
    NAME,
    [
      { from: '2024-01-01', krw: 120 },
      { from: '2025-01-01', krw: 112 },
      { from: '2026-06-01', krw: null },
    ],
  ],
  '655500010': [NAME, [{ from: '2026-06-01', krw: 112 }]],
  '660000010': ['라온정10밀리그램(가나다)_(10mg/1정)', 20, ['660000019', 'A01508421']],
  '660000030': ['라온캡슐10밀리그램(가나다)_(10mg/1캡슐)', 20, ['660000019']],
  '660000050': ['해담주사', [{ from: '2025-01-01', krw: null, listed: true }]],
});

function judge(values: LineValues, date: string) {
  const columns = new Set(['drugCode', 'drugName', 'quantity', 'days', 'unitPrice'] as const);
  const line = { quantity: 1, days: 3, ...values };
  return judgeTable(drugTable([line], { columns }), master, date).items[0]!;
}

describe('a price', () => {
  const dasom = { drugCode: '640500010', drugName: NAME };

  it('is current when it was in force on the date of the sheet', () => {
    expect(judge({ ...dasom, unitPrice: 120 }, '2024-05-01').priceCheck).toBe('current');
    expect(judge({ ...dasom, unitPrice: 112 }, '2025-05-01').priceCheck).toBe('current');
  });

  it('is historical with the period in which it was in force', () => {
    const item = judge({ ...dasom, unitPrice: 120 }, '2025-05-01');
    expect(item.priceCheck).toBe('historical');
    expect(item.review.join()).toContain('was in force from 2024-01-01 until 2025-01-01');
  });

  it('is a mismatch when it came into force after the date of the sheet', () => {
    expect(judge({ ...dasom, unitPrice: 112 }, '2024-05-01').priceCheck).toBe('mismatch');
  });

  it('of a sheet that is older than the list is historical when it is the first one of the list', () => {
    expect(judge({ ...dasom, unitPrice: 120 }, '2019-05-01')).toMatchObject({
      priceCheck: 'historical',
      status: 'YELLOW',
    });
  });

  it('of a drug that is listed without a price cannot be checked', () => {
    const item = judge({ drugCode: '660000050', drugName: '해담주사', unitPrice: 900 }, '2026-01-01');
    expect(item).toMatchObject({ priceCheck: 'none', status: 'YELLOW' });
    expect(codesOf(item)).toContain('price_unlisted');
  });
});

describe('a code', () => {
  it('that had left the list by the date of the sheet is YELLOW, and its successor is named', () => {
    const item = judge({ drugCode: '640500010', drugName: NAME }, '2026-07-01');
    expect(codesOf(item)).toContain('code_ended');
    expect(item.review.join()).toContain('655500010');
    expect(codesOf(judge({ drugCode: '640500010', drugName: NAME }, '2026-05-01'))).not.toContain('code_ended');
  });

  it('from before the renumbering is returned as printed, and the present one is named', () => {
    const item = judge({ drugCode: 'A01508421', drugName: '라온정10mg' }, '2026-07-01');
    expect(item).toMatchObject({ drugCode: 'A01508421', codeInMaster: true, suggestedDrugCode: null });
    expect(item.review.join()).toContain('code_replaced: code A01508421 was replaced by 660000010');
  });

  it('that became several is the one that has the printed name', () => {
    expect(judge({ drugCode: '660000019', drugName: '라온캡슐10mg' }, '2026-07-01').review.join()).toContain(
      '660000030',
    );
    const item = judge({ drugCode: '660000019', drugName: '라온' }, '2026-07-01');
    expect(item).toMatchObject({ codeInMaster: false, status: 'RED' });
    expect(item.review.join()).toContain('660000010, 660000030');
  });
});
