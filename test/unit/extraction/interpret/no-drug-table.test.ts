import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from '../../../helpers/page-reading.ts';

const template = findTemplate('default')!;

describe('what is no drug table', () => {
  const pages: Record<string, readonly (readonly CellSpec[])[]> = {
    'a nutrition label': [
      ['', 'QUANTITY PER SERVING', 'DAILY INTAKE', 'QUANTITY PER 100g'],
      ['ENERGY', '493 kJ', '5.6 %', '1,970 kJ'],
      ['PROTEIN', '2.0 g', '3.9 %', '7.9 g'],
      ['SODIUM', '212 mg', '9.2 %', '848 mg'],
    ],
    'a laboratory report': [
      ['검사항목', '결과', '참고치', '단위'],
      ['백혈구', '3.86', '4.00~10.00', '10^9/L'],
      ['혈소판', '171', '100~300', '10^9/L'],
      ['적혈구', '4.35', '4.00~5.50', '10^12/L'],
    ],
    'a statement of accounts': [
      ['거래일', '거래번호', '출금', '입금', '잔액'],
      ['2026.01.05', '80008700', '12,000', '', '1,204,110'],
      ['2026.01.07', '80008701', '', '50,000', '1,254,110'],
      ['2026.01.09', '80008702', '4,800', '', '1,249,310'],
    ],
    'a bill of fees': [
      ['코드', '명칭', '단가', '1회투약량', '횟수', '일수', '금액'],
      ['AA154', '초진진찰료', '16,140', '1.00', '1', '1', '16,140'],
      ['D2280', '일반혈액검사', '4,200', '1.00', '1', '1', '4,200'],
    ],
  };

  it.each(Object.keys(pages))('%s', (name) => {
    const { documentType, table } = interpretPage(pageReading([readTable(pages[name]!)]), template);
    expect(table).toBeNull();
    expect(documentType).not.toBe('drug_table');
  });

  it.each([
    ['hospital_bill', 'receipt', ['진료비 계산서·영수증', '진찰료 16,140', '검사료 4,200', '비급여']],
    ['business_registration', 'business_registration', ['사업자등록증', '개업연월일 2020년 1월 5일']],
    ['receipt', 'receipt', ['신용카드 매출전표', '승인번호 12345678']],
  ])('is distinguished: %s', (kind, type, texts) => {
    const page = interpretPage(pageReading([], texts), template);
    expect([page.documentKind, page.documentType]).toEqual([kind, type]);
  });
});
