import { describe, expect, it } from 'vitest';
import { ENGLISH_FINDINGS } from '../../../../functions/extraction/domain/judging/english-findings.ts';
import type {
  FindingKind,
  FindingParameters,
} from '../../../../functions/extraction/domain/judging/finding-parameters.ts';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { reviewNote } from '../../../../functions/extraction/domain/judging/review-notes.ts';
import { drugTable } from '../../../helpers/drug-table.ts';
import { latinSentences } from '../../../helpers/latin-sentences.ts';
import { gaon, master, narae, TODAY } from '../../../helpers/two-drugs.ts';

const both = { name: '가람정', listed: '나래정' };
const list = { state: 'priced', krw: 1299, date: '2026-11-21', since: '2026-01-01' } as const;
const value = { field: 'quantity', value: 2 } as const;
const equation = { factors: [value, { field: 'unitPrice', value: 1299.5 }], product: 2599, printed: 113_220 } as const;
const empty = { field: 'days' } as const;
const illegible = { field: 'days', text: '가' } as const;
const letters = [{ letter: '정', confidence: 0.04, rivals: ['덩'] }];

const PARAMETERS: FindingParameters = {
  'code_missing.illegible': { text: '6400' },
  'code_missing.empty': {},
  'code_missing.no_column': {},
  'code_unknown.unlisted': { code: '640000010', version: '2026-06-01' },
  'code_unknown.replaced': { code: '640000010', successors: ['640000020', '640000030'] },
  code_incomplete: { code: '6400', lookup: '000006400' },
  code_check_digit: { code: '8806400000101' },
  code_ambiguous: { code: '640000010', twin: '640000020', name: '나래정', byPrice: true },
  code_uncertain: { read: '640000010', byList: '640000070', name: '나래정' },
  code_replaced: { code: 'A01508421', by: '640000010', name: '나래정' },
  code_ended: { code: '640000010', date: '2026-01-01', successor: '640000020' },
  'low_confidence.code': { code: '640000010', confidence: 0.5 },
  'low_confidence.number': { ...value, confidence: 0.5 },
  name_missing: { code: '640000010', listed: '나래정' },
  name_mismatch: { ...both, code: '640000010', difference: { otherCode: '640000020' } },
  'name_uncertain.similar': {
    ...both,
    difference: { letters: [{ printed: '람', listed: '래', confidence: 1 }] },
  },
  'name_uncertain.unread': { ...both, letters },
  'name_uncertain.no_strength': both,
  'name_uncertain.short': both,
  'name_uncertain.open_bracket': both,
  'name_uncertain.end': both,
  'name_uncertain.unknown_maker': both,
  'name_uncertain.other_maker': { ...both, maker: '다솜제약' },
  'name_uncertain.unconfirmed': both,
  price_mismatch: { unitPrice: 118, list },
  price_unlisted: { unitPrice: 118, list: { state: 'unpriced', since: '2026-01-01' } },
  price_historical: { unitPrice: 118, list, from: '2025-01-01', until: '2026-01-01' },
  'quantity_missing.empty': empty,
  'quantity_missing.illegible': illegible,
  'quantity_missing.no_column': {},
  'days_missing.empty': empty,
  'days_missing.illegible': illegible,
  'prescribed_qty_missing.empty': empty,
  'prescribed_qty_missing.illegible': illegible,
  'price_missing.empty': empty,
  'price_missing.illegible': illegible,
  'amount_missing.empty': empty,
  'amount_missing.illegible': illegible,
  'value_doubted.print': { ...value, doubt: 'crossed' },
  'value_doubted.dose': { value: 15, name: '나래정' },
  'value_doubted.times_unread': { quantity: 2 },
  'value_doubted.times': { value: 0.5 },
  value_not_positive: value,
  quantity_contradiction: equation,
  amount_contradiction: equation,
  amount_rounding: equation,
  column_inferred: value,
  unproven_value: value,
  'table_incomplete.unread_row': {},
  'table_incomplete.cut_off': {},
  'table_incomplete.more_pages': {},
  'table_incomplete.count': { printed: 5, read: 4 },
  total_mismatch: { sum: 113_220, printed: 113_230 },
  own_list: { code: 'AUG500', name: { own: '가람', official: '나래' }, price: { own: null, official: 90 } },
};

describe('the text of a finding', () => {
  it.each(Object.keys(ENGLISH_FINDINGS) as FindingKind[])('%s names its parameters in both languages', (kind) => {
    const finding = { kind, parameters: PARAMETERS[kind] };
    const [english, korean] = [reviewNote(finding, 'en'), reviewNote(finding, 'ko')];
    const code = kind.split('.')[0]!;
    expect([english, korean]).toEqual([
      expect.stringMatching(`^${code}: .`),
      expect.stringMatching(`^${code}: .*[가-힣]`),
    ]);
    expect(latinSentences(korean.slice(code.length))).toEqual([]);
    for (const text of [english, korean]) expect(text).not.toMatch(/undefined|NaN|\[object/);
    const codes = english.match(/\b[0-9A-Z]{9,13}\b/g) ?? [];
    expect(codes.filter((each) => !korean.includes(each))).toEqual([]);
  });

  it('writes money in Korean with separators and the word for it', () => {
    expect(reviewNote({ kind: 'amount_contradiction', parameters: equation }, 'ko')).toBe(
      'amount_contradiction: 투여량 2 × 단가 1,299.5원 = 2,599, 금액은 113,220원',
    );
    expect(reviewNote({ kind: 'price_mismatch', parameters: { unitPrice: 118, list } }, 'ko')).toBe(
      'price_mismatch: 단가 118원이 목록과 다릅니다. 목록의 2026-11-21 단가: 1,299원(2026-01-01부터 적용)',
    );
  });

  it('is what review says, in the order of the findings', () => {
    const table = drugTable([
      { ...gaon, unitPrice: 118, totalAmount: 9 },
      { ...narae, quantity: null },
    ]);
    const { items, findings } = judgeTable(table, master, TODAY);
    expect(items.map(({ review }) => review.length)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(items.every(({ review }) => review.length > 0)).toBe(true);
    expect(findings.map((line) => line.map((finding) => reviewNote(finding, 'en')))).toEqual(
      items.map(({ review }) => review),
    );
    expect(JSON.parse(JSON.stringify(findings))).toEqual(findings);
  });
});
