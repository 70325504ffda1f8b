import type { DrugTable } from '../../functions/extraction/domain/drug-line.ts';
import { interpretPage } from '../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from './page-reading.ts';

export const template = findTemplate('default')!;
export const HEADER = ['연번', '보험코드', '약품명', '1회투약량', '횟수', '투약일수', '총사용량', '단가', '금액'];
export const ROWS = [
  ['1', '640500010', '가온정5밀리그램(암로디핀)', '1', '3', '7', '21', '112', '2,352'],
  ['2', '053100230', '나래캡슐200mg', '0.5', '2', '5', '5', '1,230', '6,150'],
  ['3', '651700430', '다솜시럽', '15', '3', '3', '135', '11', '1,485'],
  ['4', '642900120', '라온정', '2', '1', '30', '60', '402', '24,120'],
];

export function interpret(rows: readonly (readonly CellSpec[])[], texts: readonly string[] = []) {
  return interpretPage(pageReading([readTable(rows)], texts), template);
}

export function values(table: DrugTable | null) {
  return table?.lines.map((line) => [
    line.drugCode.value,
    line.drugName.value,
    line.quantity.value,
    line.timesPerDay.value,
    line.days.value,
    line.prescribedQty.value,
    line.unitPrice.value,
    line.totalAmount.value,
  ]);
}

export const EXPECTED = [
  ['640500010', '가온정5밀리그램(암로디핀)', 1, 3, 7, 21, 112, 2352],
  ['053100230', '나래캡슐200mg', 0.5, 2, 5, 5, 1230, 6150],
  ['651700430', '다솜시럽', 15, 3, 3, 135, 11, 1485],
  ['642900120', '라온정', 2, 1, 30, 60, 402, 24120],
];
