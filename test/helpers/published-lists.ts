import iconv from 'iconv-lite';
import { packed, workbook } from './workbook.ts';

/**
 * Drug lists in the shapes in which they are published, with invented drugs. XLSX sheets have a header, headings of groups
 * between the drugs and the columns of the real file; CSV files are CP949 with CRLF, as the portal gives them.
 */
export interface PublishedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

type Sheet = readonly (readonly string[])[];

const MONTHLY_12 = '연번 투여 분류 주성분코드 제품코드 제품명 업체명 규격 단위 상한금액 전일 비고'.split(' ');
const MONTHLY_13 = MONTHLY_12.toSpliced(5, 0, '목록정비전코드');
const MONTHLY_20 = [...MONTHLY_13, ...'식약분류 대체조제 저가의약품 퇴장방지 희귀의약품 생동시험 고시일자'.split(' ')];
const PORTAL =
  '한글상품명 업체명 약품규격 제품총수량 제형구분 포장형태 품목기준코드 품목허가일자 전문일반구분 대표코드 표준코드 제품코드(개정후) 일반명코드(성분명코드) 비고 취소일자 양도양수적용(공고)일자 양도양수종료일자 일련번호생략여부 일련번호생략사유 국제표준코드(ATC코드) 특수관리약품구분 의약품판독장비구분'.split(
    ' ',
  );
const ATC = '주성분코드|제품코드|제품명|업체명|ATC코드|ATC코드 명칭|비고'.split('|');
const DATED =
  '제품코드 적용시작일자 급여기준 상한가 가산금 투여경로 제품명 규격 단위 업체명 분류번호 주성분코드 전문/일반 변경이전약품코드 변경이후약품코드'.split(
    ' ',
  );

export const codeAt = (i: number) => String(640_000_000 + i * 10);
const nameAt = (i: number) => `가람${i}정5밀리그램(암로디핀베실산염)_(5mg/1정)`;
/** Every 500th drug has no price. */
const priceAt = (i: number) => (i % 500 === 0 ? '산정불가' : String(50 + (i % 900)));
const oldCodeAt = (i: number) => (i % 100 === 0 ? String(Number(codeAt(i)) + 1) : '');

export const publishedForms = {
  'the monthly list with 12 columns': (rows: number): PublishedFile => ({
    name: 'list.xlsx',
    bytes: xlsx('Sheet1', [['약제급여목록 및 급여상한금액표 (2026.9.1.)'], MONTHLY_12, ...monthly(rows, 12)]),
  }),
  'the monthly list with 13 columns': (rows: number): PublishedFile => ({
    name: `약제급여목록및급여상한금액표_(2026.9.1.)(${rows}).xlsx`,
    bytes: xlsx('2026년9월1일_(30,000)', [MONTHLY_13, ...monthly(rows, 13)]),
  }),
  'the monthly list with 20 columns': (rows: number): PublishedFile => ({
    name: 'list20.xlsx',
    bytes: xlsx('2026년9월1일', [MONTHLY_20, ...monthly(rows, 20)]),
  }),
  'the list of prices with their dates': (rows: number): PublishedFile => ({
    name: '20230901_20260901 적용약가파일.xlsx',
    bytes: xlsx('Sheet1', [DATED, ...Array.from({ length: rows }, (_, i) => dated(i))]),
  }),
  "the portal's master": (rows: number): PublishedFile => ({
    name: '약가마스터.csv',
    bytes: cp949([PORTAL, ...Array.from({ length: rows }, (_, i) => portal(i))]),
  }),
  "the portal's ATC list": (rows: number): PublishedFile => ({
    name: 'ATC코드 매핑 목록.csv',
    bytes: cp949([
      ATC,
      ...Array.from({ length: rows }, (_, i) => [
        '100101ATB',
        codeAt(i),
        nameAt(i),
        '가람제약',
        'C08CA01',
        'amlodipine',
        '',
      ]),
    ]),
  }),
  'our own history': (rows: number): PublishedFile => ({
    name: 'history.csv',
    bytes: Buffer.from(
      csv([
        ['code', 'name', 'maker', 'unit', 'price', 'from'],
        ...Array.from({ length: rows }, (_, i) => [codeAt(i), nameAt(i), '가람제약', '1 정', priceAt(i), '2026-09-01']),
      ]),
    ),
  }),
} as const;

function monthly(rows: number, columns: 12 | 13 | 20): Sheet {
  return Array.from({ length: rows }, (_, i) => i).flatMap((i) => {
    const drug = [
      String(i),
      '내복',
      '112',
      '100101ATB',
      codeAt(i),
      oldCodeAt(i),
      nameAt(i),
      '가람제약',
      '1',
      '정',
      priceAt(i),
      '전문',
      ' ',
    ];
    const wide = columns === 12 ? drug.toSpliced(5, 1) : [...drug, ...Array<string>(columns - 13).fill('')];
    const heading = [String(i), '내복', '112', '100101ATB', 'amlodipine besylate (as amlodipine 5mg)'];
    return i % 3 === 0 ? [heading, wide] : [wide];
  });
}

function dated(i: number): readonly string[] {
  return [
    codeAt(i),
    '20260901',
    i % 500 === 0 ? '산정불가' : '급여',
    i % 500 === 0 ? '0' : priceAt(i),
    '0',
    '내복',
    nameAt(i),
    '1',
    '정',
    '가람제약',
    '112',
    '100101ATB',
    '전문',
    oldCodeAt(i),
    '',
  ];
}

function portal(i: number): readonly string[] {
  const row = PORTAL.map(() => '');
  const code = codeAt(i);
  const values = {
    한글상품명: nameAt(i),
    업체명: '가람제약',
    약품규격: '5mg',
    제품총수량: '30',
    제형구분: '정제',
    포장형태: '병',
    전문일반구분: '전문의약품',
    표준코드: `880${code}1`,
    '제품코드(개정후)': i % 4 === 3 ? '' : code,
  };
  for (const [column, value] of Object.entries(values)) row[PORTAL.indexOf(column)] = value;
  return row;
}

function xlsx(sheetName: string, sheet: Sheet): Buffer {
  const cells = sheet.flatMap((row, r) =>
    row.map((text, c) => [`${String.fromCharCode(65 + c)}${r + 1}`, text] as const).filter(([, text]) => text !== ''),
  );
  const files = workbook(Object.fromEntries(cells));
  const book = files['xl/workbook.xml']!.replace('name="1"', `name="${sheetName}"`);
  return packed({ ...files, 'xl/workbook.xml': book });
}

function cp949(sheet: Sheet): Buffer {
  return iconv.encode(csv(sheet), 'cp949');
}

function csv(sheet: Sheet): string {
  return `${sheet.map((row) => row.map((text) => (/[,"]/.test(text) ? `"${text}"` : text)).join(',')).join('\r\n')}\r\n`;
}
