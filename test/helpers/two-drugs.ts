import type { Item } from '../../functions/extraction/domain/extraction.ts';
import { judgeTable } from '../../functions/extraction/domain/judging/judge-table.ts';
import { drugMaster, drugTable, type LineValues } from './drug-table.ts';

/** A list of few drugs; two of them are on most sheets of the tests. */

export const TODAY = '2026-11-21';
export const GAON = '가온정5밀리그램(암로디핀베실산염)_(5mg/1정)';
export const NARAE = '나래캡슐200밀리그램(세레콕시브)_(0.2g/1캡슐)';
export const master = drugMaster({
  '640500010': [GAON, 112],
  '642900120': [
    NARAE,
    [
      { from: '2025-01-01', krw: 450 },
      { from: '2026-01-01', krw: 402 },
      { from: '2026-12-01', krw: 390 },
    ],
  ],
  '651700430': [
    '다솜시럽100mL(암브록솔염산염)_(100mL)',
    [
      { from: '2025-01-01', krw: 11 },
      { from: '2026-10-01', krw: null },
    ],
  ],
  '660000010': ['라온시럽(가나다)_(100mL)', 20],
  '660000020': ['라온시럽(가나다)_(500mL)', 20],
});

export const gaon: LineValues = {
  drugCode: '640500010',
  drugName: GAON,
  quantity: 3,
  days: 7,
  prescribedQty: 21,
  unitPrice: 112,
  totalAmount: 2352,
};
export const narae: LineValues = {
  drugCode: '642900120',
  drugName: NARAE,
  quantity: 1,
  days: 30,
  prescribedQty: 30,
  unitPrice: 402,
  totalAmount: 12060,
};

export function judgeOne(values: LineValues, options: Parameters<typeof drugTable>[1] = {}): Item {
  return judgeTable(drugTable([values], options), master, TODAY).items[0]!;
}
export const codesOf = (item: Item) => item.review.map((note) => note.slice(0, note.indexOf(':')));
