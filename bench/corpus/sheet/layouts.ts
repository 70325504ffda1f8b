import type { OtherColumn, TableField } from '../truth.ts';

export type ColumnKind = TableField | OtherColumn;

export interface ColumnPlan {
  readonly kind: ColumnKind;
  /** Alternative header words; a sheet uses one. `\n` breaks a header into two lines. */
  readonly headers: readonly string[];
  /** Share of the sheets that have this column; 1 when not given. */
  readonly chance?: number;
}

export interface Layout {
  readonly id: string;
  readonly title: readonly string[];
  readonly columns: readonly ColumnPlan[];
  /** Columns under a common upper header, by kind: makes a header of two rows. */
  readonly groups?: readonly { readonly header: string; readonly kinds: readonly ColumnKind[] }[];
  /** `total`: the quantity is the whole period's, without days. */
  readonly quantityMeans: 'dose' | 'perDay' | 'total';
  readonly paperOnly?: boolean;
  readonly longNames?: 'wrap' | 'cut' | 'widen';
  /** A form with a patient's block above its table. */
  readonly prescription?: boolean;
  readonly sections?: boolean;
  readonly standardCodes?: boolean;
}

const CODE = ['보험코드', '약품코드', '청구코드', 'EDI코드', '제품코드', '보험코드', '코드'];
const NAME = ['약품명', '품명', '처방명', '제품명', '약품명칭', '의약품명'];
const MAKER = ['업체명', '제조사', '제약사', '업소명'];
const PRICE = ['단가', '보험가', '상한가', '약가', '단가(원)', '상한금액'];
const AMOUNT = ['금액', '청구금액', '합계금액', '금액(원)', '총금액'];
const TOTAL = ['총사용량', '총투여량', '총수량', '합계수량', '총투약량'];
const SERIAL = ['연번', 'No', '순번', 'NO.', '번호'];
const TIMES = ['횟수', '1일투여횟수', '투여횟수', '1일횟수'];
const DAYS = ['일수', '투약일수', '총투여일수', '투여일수', '총투약일수'];
const DOSE = ['1회투약량', '1회량', '투여량', '1회투여량'];

export const LAYOUTS: readonly Layout[] = [
  {
    id: 'edi-monthly',
    title: ['EDI 청구내역', '월별 EDI 청구자료', '의약품 청구 집계표'],
    quantityMeans: 'total',
    columns: [
      { kind: 'serial', headers: SERIAL, chance: 0.7 },
      { kind: 'drugCode', headers: CODE },
      { kind: 'drugName', headers: NAME },
      { kind: 'quantity', headers: ['수량', '수 량', '사용량'] },
      { kind: 'unitPrice', headers: PRICE },
      { kind: 'totalAmount', headers: AMOUNT },
      { kind: 'note', headers: ['비고'], chance: 0.3 },
    ],
  },
  {
    id: 'usage-report',
    title: ['의약품 사용내역', '약품별 사용량 집계', '처방 의약품 통계'],
    quantityMeans: 'total',
    longNames: 'cut',
    columns: [
      { kind: 'maker', headers: MAKER, chance: 0.6 },
      { kind: 'drugCode', headers: CODE },
      { kind: 'drugName', headers: NAME },
      { kind: 'spec', headers: ['규격', '단위'], chance: 0.6 },
      { kind: 'unitPrice', headers: PRICE },
      { kind: 'prescribedQty', headers: TOTAL },
      { kind: 'totalAmount', headers: AMOUNT },
    ],
  },
  {
    id: 'dose-list',
    title: ['원외처방 내역', '처방 내역서', '처방전 집계'],
    quantityMeans: 'dose',
    columns: [
      { kind: 'serial', headers: SERIAL, chance: 0.5 },
      { kind: 'drugCode', headers: CODE },
      { kind: 'drugName', headers: NAME },
      { kind: 'quantity', headers: DOSE },
      { kind: 'timesPerDay', headers: TIMES },
      { kind: 'days', headers: DAYS },
      { kind: 'prescribedQty', headers: TOTAL, chance: 0.8 },
      { kind: 'unitPrice', headers: PRICE },
      { kind: 'totalAmount', headers: AMOUNT },
    ],
  },
  {
    id: 'claim-detail',
    title: ['진료비 청구 명세', '약제비 청구 명세서', '요양급여비용 명세'],
    quantityMeans: 'perDay',
    sections: true,
    columns: [
      { kind: 'category', headers: ['구분', '항목'], chance: 0.4 },
      { kind: 'drugCode', headers: CODE },
      { kind: 'drugName', headers: NAME },
      { kind: 'unitPrice', headers: PRICE },
      { kind: 'quantity', headers: ['1일투여량', '수량', '1일투약량', '투여량'] },
      { kind: 'days', headers: DAYS },
      { kind: 'totalAmount', headers: AMOUNT },
    ],
  },
  {
    id: 'prescription-form',
    title: ['처  방  전', '원외 처방전', '처방전(약국제출용)'],
    quantityMeans: 'dose',
    paperOnly: true,
    prescription: true,
    columns: [
      { kind: 'drugCode', headers: ['약품코드', '처방코드', '청구코드'] },
      { kind: 'drugName', headers: ['처방 의약품의 명칭', '처방의약품명', '약품명'] },
      { kind: 'quantity', headers: ['1회\n투약량', '1회투약량'] },
      { kind: 'timesPerDay', headers: ['1일\n투여횟수', '1일투여횟수'] },
      { kind: 'days', headers: ['총\n투약일수', '총투약일수'] },
      { kind: 'prescribedQty', headers: ['총투약량', '총량'], chance: 0.3 },
      { kind: 'usage', headers: ['용법', '용 법'], chance: 0.8 },
    ],
  },
  {
    id: 'grouped-header',
    title: ['약제 투여 내역', '환자별 투약 명세', '투약내역 명세서'],
    quantityMeans: 'dose',
    columns: [
      { kind: 'serial', headers: SERIAL, chance: 0.8 },
      { kind: 'drugCode', headers: ['코드', '보험코드', '청구코드'] },
      { kind: 'drugName', headers: ['명칭', '품명', '약품명'] },
      { kind: 'quantity', headers: ['1회량', '투여량', '1회투여량'] },
      { kind: 'timesPerDay', headers: ['횟수', '1일횟수'] },
      { kind: 'days', headers: ['일수', '투여일수'] },
      { kind: 'prescribedQty', headers: ['총량', '총투여량'], chance: 0.7 },
      { kind: 'unitPrice', headers: ['단가', '약가'] },
      { kind: 'totalAmount', headers: ['금액', '청구금액'] },
    ],
    groups: [
      { header: '약 품', kinds: ['drugCode', 'drugName'] },
      { header: '투 약', kinds: ['quantity', 'timesPerDay', 'days', 'prescribedQty'] },
      { header: '금 액', kinds: ['unitPrice', 'totalAmount'] },
    ],
  },
  {
    id: 'name-first',
    title: ['조제 내역', '약품 조제 명세', '투약 기록'],
    quantityMeans: 'perDay',
    longNames: 'wrap',
    columns: [
      { kind: 'serial', headers: SERIAL, chance: 0.4 },
      { kind: 'drugName', headers: NAME },
      { kind: 'drugCode', headers: CODE },
      { kind: 'quantity', headers: ['1일투여량', '수량', '1일량'] },
      { kind: 'days', headers: DAYS },
      { kind: 'prescribedQty', headers: TOTAL },
      { kind: 'unitPrice', headers: PRICE },
      { kind: 'totalAmount', headers: AMOUNT },
    ],
  },
  {
    id: 'price-last',
    title: ['의약품 구입 내역', '약품 사용 금액', '보험약 사용 현황'],
    quantityMeans: 'total',
    longNames: 'widen',
    columns: [
      { kind: 'drugName', headers: NAME },
      { kind: 'maker', headers: MAKER },
      { kind: 'drugCode', headers: CODE },
      { kind: 'quantity', headers: ['수량', '사용량'] },
      { kind: 'totalAmount', headers: AMOUNT },
      { kind: 'unitPrice', headers: PRICE },
    ],
  },
  {
    id: 'program-grid',
    title: ['처방입력', '오더 조회', '청구 자료 조회'],
    quantityMeans: 'dose',
    longNames: 'cut',
    columns: [
      { kind: 'serial', headers: ['No', '순'], chance: 0.7 },
      { kind: 'category', headers: ['구분', '급여구분'], chance: 0.4 },
      { kind: 'drugCode', headers: ['청구코드', 'EDI코드', '코드', '보험코드'] },
      { kind: 'drugName', headers: ['처방명', '명칭', '품명', '약품명'] },
      { kind: 'quantity', headers: ['1회량', '투여량', '1회투여량'] },
      { kind: 'timesPerDay', headers: ['횟수', '1일횟수'] },
      { kind: 'days', headers: ['일수', '투약일수'] },
      { kind: 'prescribedQty', headers: ['총사용량', '총량'], chance: 0.6 },
      { kind: 'unitPrice', headers: ['단가', '보험가'], chance: 0.9 },
      { kind: 'totalAmount', headers: ['금액', '청구금액'], chance: 0.9 },
      { kind: 'usage', headers: ['용법'], chance: 0.2 },
    ],
  },
  {
    id: 'standard-code',
    title: ['의약품 공급 내역', '표준코드별 사용내역', '의약품 표준코드 집계'],
    quantityMeans: 'total',
    standardCodes: true,
    columns: [
      { kind: 'serial', headers: SERIAL, chance: 0.6 },
      { kind: 'drugCode', headers: ['표준코드', '의약품표준코드', '제품코드'] },
      { kind: 'drugName', headers: ['제품명', '품명', '의약품명'] },
      { kind: 'unit', headers: ['단위', '규격'], chance: 0.5 },
      { kind: 'prescribedQty', headers: TOTAL },
      { kind: 'unitPrice', headers: PRICE },
      { kind: 'totalAmount', headers: AMOUNT },
      { kind: 'maker', headers: MAKER, chance: 0.4 },
    ],
  },
];
