import { describe, expect, it } from 'vitest';
import { headerOf } from '../../../../../functions/extraction/domain/interpret/headers/column-header.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';

const template = findTemplate('default')!;

function kinds(words: readonly string[]) {
  return words.map((word) => headerOf(word, template)?.kind ?? null);
}

describe('headerOf', () => {
  it('knows words with blanks, units and letters misread', () => {
    expect(kinds(['No.', '보험 코드', '약품명', '1회 투약량', '단가(원)', '금 엑'])).toEqual([
      'other',
      'drugCode',
      'drugName',
      'quantity',
      'unitPrice',
      'totalAmount',
    ]);
  });

  it('knows Korean words with the English ones that forms in two languages print over them', () => {
    expect(
      kinds(['Medication 처방의약품의 명칭', 'Dose 1회투약량', 'Freq./day 1일횟수', 'Days 총일수', 'Sig. 용법']),
    ).toEqual(['drugName', 'quantity', 'timesPerDay', 'days', 'other']);
    expect(kinds(['EDI코드', '약품명', 'DRUG STORE 강남'])).toEqual(['drugCode', 'drugName', null]);
    // Similar enough to the word alone to be identified without the other one.
    expect(headerOf('Days총투약일수', template)?.score).toBe(1);
    // The legible part of the Korean word starts another one, too.
    expect(kinds(['DRUG NAME 약품명', 'Dose/time 1회투약량', 'Days총투약'])).toEqual(['drugName', 'quantity', 'days']);
    expect(kinds(['DRUG NAME 약품명', 'Total 총투약량'])).toEqual(['drugName', 'prescribedQty']);
  });

  it('knows one letter, where it is the whole header', () => {
    expect(kinds(['코드', '약품명', '량', '일', '총', '단가', '금액']).slice(2, 5)).toEqual([
      'quantity',
      'days',
      'prescribedQty',
    ]);
  });

  it('of directions is not one of our fields', () => {
    expect(kinds(['약품명', '투여', '비고'])).toEqual(['drugName', 'other', 'other']);
  });

  it('takes no word of a neighbour in either language for its own', () => {
    expect(kinds(['Dose 1회투약량', 'Tmes/day 1일투약횟수', 'Duration 총투약일수'])).toEqual([
      'quantity',
      'timesPerDay',
      'days',
    ]);
  });

  it('knows names next to the word of another column', () => {
    expect(kinds(['약품명 / 제조사', '제조회사/품명', '1회투약량'])).toEqual(['drugName', 'drugName', 'quantity']);
    expect(kinds(['약품명', '용법/용량'])[1]).not.toBe('quantity');
  });

  it('announces nothing if it is not a header', () => {
    expect(kinds(['가나다라', '640500010', ''])).toEqual([null, null, null]);
  });
});
