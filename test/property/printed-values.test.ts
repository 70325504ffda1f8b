import { expect, test } from 'vitest';
import { Random } from '../../bench/corpus/random.ts';
import type { DrugLine } from '../../functions/extraction/domain/drug-line.ts';
import { HEADER, interpret } from '../helpers/edi-sheet.ts';

const TABLES = 200;

type ReadValue = keyof Pick<
  DrugLine,
  'drugCode' | 'drugName' | 'quantity' | 'timesPerDay' | 'days' | 'prescribedQty' | 'unitPrice' | 'totalAmount'
>;

/** Prints of each column, sensible or not: nothing adds up, and no dose fits its column. */
const COLUMNS: Readonly<Record<string, { readonly field: ReadValue | null; readonly prints: readonly string[] }>> = {
  연번: { field: null, prints: ['1', '2', '3'] },
  보험코드: {
    field: 'drugCode',
    prints: ['640500010', '053100230', '651700471', '651700411', 'A12345611', '057600570'],
  },
  약품명: { field: 'drugName', prints: ['가온정5mg', '나래캡슐200mg', '다솜시럽', '라온정'] },
  '1회투약량': {
    field: 'quantity',
    prints: ['1', '2', '7', '0.5', '0.25', '0.3', '0.33', '0.34', '0.67', '0.166', '1.0', '1.00', '11', '17', '100'],
  },
  횟수: { field: 'timesPerDay', prints: ['1', '2', '3', '4', '6'] },
  '1일투여횟수': { field: 'timesPerDay', prints: ['1', '2', '3', '4'] },
  투약일수: { field: 'days', prints: ['1', '3', '7', '14', '17', '30', '71', '90', '120'] },
  총투약일수: { field: 'days', prints: ['1', '3', '7', '14', '17', '30', '71', '90'] },
  총사용량: { field: 'prescribedQty', prints: ['0.5', '1', '3.5', '7', '21', '42', '120'] },
  단가: { field: 'unitPrice', prints: ['7', '11', '112', '402', '1,230', '35,000'] },
  금액: { field: 'totalAmount', prints: ['11', '150', '1,485', '2,352', '24,120'] },
};

const HEADERS = [
  HEADER,
  ['보험코드', '약품명', '1회투약량', '1일투여횟수', '총투약일수'],
  ['보험코드', '약품명', '1회투약량', '횟수', '투약일수', '단가', '금액'],
];

const printedValue = (field: ReadValue, print: string) =>
  field === 'drugCode' || field === 'drugName' ? print : Number(print.replaceAll(',', ''));

test(`returns every value of ${TABLES} surely read tables as printed, though nothing adds up`, {
  timeout: 60_000,
}, () => {
  const random = new Random('printed values');
  for (let count = 0; count < TABLES; count++) {
    const header = random.pick(HEADERS);
    const rows = Array.from({ length: random.int(2, 8) }, () =>
      header.map((name) => random.pick(COLUMNS[name]!.prints)),
    );
    const shown = header.flatMap((name, at) => {
      const { field } = COLUMNS[name]!;
      return field === null ? [] : [{ field, at }];
    });
    const { table } = interpret([header, ...rows]);
    const read = table?.lines.map((line) => shown.map(({ field }) => line[field].value));
    expect(read).toEqual(rows.map((cells) => shown.map(({ field, at }) => printedValue(field, cells[at]!))));
  }
});
