import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { type KnownDrugs, NO_KNOWN_DRUGS } from '../../../../functions/extraction/domain/master/known-drugs.ts';
import { findTemplate } from '../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from '../../../helpers/page-reading.ts';
import { drugLinesOf, type Printed, printedForm } from '../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

const listWith = (listed: string, price: number): KnownDrugs => ({
  ...NO_KNOWN_DRUGS,
  pricesOf: (code) => (code === listed ? [price] : []),
});

describe('a page without a drug table', () => {
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
    [
      'insurance_claim',
      'other',
      ['보험금 청구서', '피보험자 성명', '구비서류', '진료비 영수증', '진료비 세부내역서', '처방전(질병분류기호 포함)'],
    ],
    ['business_registration', 'business_registration', ['사업자등록증', '개업연월일 2020년 1월 5일']],
    ['receipt', 'receipt', ['신용카드 매출전표', '승인번호 12345678']],
  ])('is distinguished: %s', (kind, type, texts) => {
    const page = interpretPage(pageReading([], texts), template);
    expect([page.documentKind, page.documentType]).toEqual([kind, type]);
  });
});

describe('doses that are of no drug', () => {
  const printed = (texts: readonly string[]) =>
    interpretPage(
      printedForm(
        [],
        texts.map((text, n): Printed => [text, 200, 40 + 40 * n]),
      ),
      template,
    );

  it.each([
    ['the heading of a supplement', ['활력 멀티 맨', '1일섭취량: 1정(1100mg)', '1일 1회, 1회 1정을 물과 함께']],
    [
      'a supplement',
      ['프로폴리스 500mg 정', '1일 1회, 1회 2정 60일분', '식품유형 : 건강기능식품', '영양정보 1일 섭취량당 함량'],
    ],
    [
      'a supplement next to drugs',
      [
        '루테인 20mg 캡슐',
        '1일 1회, 1회 1정',
        '질병의 치료를 위한 의약품이 아닙니다.',
        '의약품 복용 시 전문가와 상담할 것',
      ],
    ],
    ['a supplement for dogs', ['조인트케어정 90정', '동물용 보조사료', '급여량: 1일 2회, 1회 1정 급여 (45일분)']],
  ])('on the label of %s', (_, texts) => {
    const { documentType, table } = printed(texts);
    expect(table).toBeNull();
    expect(documentType).toBe('other');
  });

  it('in a table of foods', () => {
    const rows = [
      ['제품명', '1회 섭취량', '1일 섭취횟수', '총 일수'],
      ['오메가3 1000mg', '2', '1', '60'],
      ['유산균 캡슐', '1', '2', '30'],
    ];
    expect(interpretPage(pageReading([readTable(rows)]), template).table).toBeNull();
  });

  it('but where the drug list knows a code of the page, they are', () => {
    const rows = [
      ['코드', '제품명', '1회 섭취량', '1일 섭취횟수', '총 일수'],
      ['645001234', '가온정 5mg', '2', '1', '60'],
      ['645001245', '나래캡슐', '1', '2', '30'],
    ];
    const known = listWith('645001234', 120);
    const lines = (known?: KnownDrugs) =>
      interpretPage(pageReading([readTable(rows)]), template, known).table?.lines.length;
    expect([lines(), lines(known)]).toEqual([undefined, 2]);
  });

  it.each([
    ['titled', ['복약안내'], ['건강기능식품의 영양·기능정보와 1일 섭취량을 확인하세요.', '유통기한을 확인하세요.']],
    ['untitled', [], ['영양제나 건강기능식품과 함께 복용하지 마십시오.', '칼륨의 1일 섭취량을 지키십시오.']],
  ])('but a guide whose advice speaks of supplements stays one: %s', (_, title, advice) => {
    const page = printed([...title, '가온정 5mg', '1회 1정 1일 3회 5일분', ...advice]);
    expect(drugLinesOf(page)).toEqual([[null, '가온정 5mg', 1, 5]]);
  });
});

describe('numbers of nine digits that start like codes of drugs', () => {
  const PARCELS = [
    ['운송장번호', '품명', '수량', '운임', '합계'],
    ['645001234', '의류', '2', '3,500', '7,000'],
    ['645001245', '서적', '1', '4,000', '4,000'],
    ['645001256', '건강보조식품 500mg', '3', '3,500', '10,500'],
    ['645001267', '생활용품', '5', '5,000', '25,000'],
  ];
  const interpret = (rows: readonly (readonly string[])[], known?: KnownDrugs) =>
    interpretPage(pageReading([readTable(rows)]), template, known);

  it('are not drugs next to names of other goods', () => {
    expect(interpret(PARCELS).table).toBeNull();
  });

  it('are not drugs if one is alone among marks, below no header, unless the drug list knows it', () => {
    const noise = [
      ['-', '050428522', '41', '7'],
      ['=', '', ')', ''],
    ];
    const linesOf = (known?: KnownDrugs) => interpret(noise, known).table?.lines.length;
    expect([linesOf(), linesOf(listWith('050428522', 120))]).toEqual([undefined, 1]);
  });

  it.each([
    ['the drug list knows one', PARCELS, listWith('645001245', 4000)],
    ['no names are printed', PARCELS.map((row) => row.toSpliced(1, 1)), undefined],
    [
      'names are of drugs',
      PARCELS.map(([code = '', , ...rest], n) => [code, n ? '가온정' : '품명', ...rest]),
      undefined,
    ],
  ])('are where %s', (_, rows, known) => {
    expect(interpret(rows, known).table?.lines).toHaveLength(4);
  });
});

describe('a list of goods without codes', () => {
  const GOODS = [
    ['품명', '규격', '수량', '단가', '금액'],
    ['가온정 5mg', '30T', '2', '3,600', '7,200'],
    ['나래캡슐 20mg', '100C', '1', '12,000', '12,000'],
    ['다솜시럽', '500mL', '3', '4,100', '12,300'],
  ];
  const linesOf = (isNamed: KnownDrugs['isNamed']) =>
    interpretPage(pageReading([readTable(GOODS)]), template, { ...NO_KNOWN_DRUGS, isNamed }).table?.lines.length;

  it('is a drug table if the drug list has their names', () => {
    expect([linesOf(() => false), linesOf((name) => /가온정|나래캡슐/.test(name))]).toEqual([undefined, 3]);
  });

  it('has no drug table if the drug list has only one of them', () => {
    expect(linesOf((name) => name.startsWith('가온정'))).toBeUndefined();
  });
});
