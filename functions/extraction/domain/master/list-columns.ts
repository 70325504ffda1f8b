export type ListColumn =
  | 'code'
  | 'name'
  | 'maker'
  | 'size'
  | 'unit'
  | 'price'
  | 'from'
  | 'payment'
  | 'oldCode'
  | 'newCode';

/** Where a table's header is, and which of its columns say what. */
export interface ListHeader {
  /** Index of the row. */
  readonly row: number;
  readonly columns: ReadonlyMap<ListColumn, number>;
}

/**
 * Header words without blanks, in lower case: of the monthly list (약제급여목록및급여상한금액표) with its 12, 13 and 20 columns, of the dated price
 * list (적용약가파일), of the portal's master (약가마스터) and its ATC list, and of our history.
 */
const HEADER_WORDS: Readonly<Record<ListColumn, readonly string[]>> = {
  code: ['제품코드', '제품코드(개정후)', '약품코드', '보험코드', '청구코드', '품목코드', 'code'],
  name: ['제품명', '약품명', '품명', '품목명', '한글상품명', 'name'],
  maker: ['업체명', '제조사', '제조업체', '제조업체명', '제조사명', '회사명', 'maker'],
  size: ['규격', 'unit_quantity'],
  unit: ['단위', 'unit'],
  price: ['상한금액', '상한금액(원)', '상한가', '보험가', '약가', 'price'],
  from: ['적용시작일자', '적용시작일', '적용일자', 'from', 'from_date'],
  payment: ['급여기준', '급여구분'],
  oldCode: ['목록정비전코드', '변경이전약품코드', '변경이전', 'old_code'],
  newCode: ['변경이후약품코드', '변경이후'],
};
const ROWS_SEARCHED_FOR_HEADER = 30;

/** Null when none of the first rows names a column of codes and one of names. */
export function findHeader(rows: readonly (readonly string[])[]): ListHeader | null {
  for (const [row, cells] of rows.slice(0, ROWS_SEARCHED_FOR_HEADER).entries()) {
    const words = cells.map((cell) => cell.replace(/[\s\ufeff]+/g, '').toLowerCase());
    const columns = new Map<ListColumn, number>();
    for (const [column, synonyms] of Object.entries(HEADER_WORDS) as [ListColumn, readonly string[]][]) {
      const word = synonyms.find((synonym) => words.includes(synonym));
      if (word !== undefined) columns.set(column, words.indexOf(word));
    }
    if (columns.has('code') && columns.has('name')) return { row, columns };
  }
  return null;
}
