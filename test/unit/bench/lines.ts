import type { ItemValues, PageTruth, RowTruth } from '../../../bench/corpus/truth.ts';
import type { ScoredAnswer } from '../../../bench/scoring/score-page.ts';
import type { Item } from '../../../functions/extraction/domain/extraction.ts';
import type { Quad } from '../../../functions/extraction/domain/reading/geometry.ts';

const NOTHING: ItemValues = {
  drugCode: null,
  drugName: null,
  quantity: null,
  days: null,
  prescribedQty: null,
  unitPrice: null,
  totalAmount: null,
};

export function line(values: Partial<ItemValues>): ItemValues {
  return { ...NOTHING, ...values };
}

export const PAGE_QUAD: Quad = [
  { x: 10, y: 10 },
  { x: 90, y: 10 },
  { x: 90, y: 90 },
  { x: 10, y: 90 },
];

const BOX = { x: 0, y: 0, width: 1, height: 1 };

/** A row of a sheet with columns for what `values` names. */
export function row(values: Partial<ItemValues>, more: Partial<RowTruth> = {}): RowTruth {
  const cells = Object.entries(values).map(([field, value]) => [field, { text: String(value ?? ''), value, box: BOX }]);
  return {
    box: BOX,
    cells: Object.fromEntries(cells),
    item: line(values),
    nameTruncated: false,
    codeInMaster: true,
    priceCheck: 'current',
    suggestedDrugCode: null,
    status: 'GREEN',
    errors: [],
    cut: false,
    ...more,
  };
}

export function pageTruth(rows: readonly RowTruth[], more: Partial<PageTruth> = {}): PageTruth {
  return {
    id: 'photo-000',
    split: 'tuned',
    class: 'photo',
    seed: 1,
    image: { file: 'photo-000.jpg', width: 100, height: 100 },
    made: {},
    documentType: 'drug_table',
    foundTable: true,
    geometry: {
      rotation: 90,
      page: { width: 80, height: 80 },
      pageToImage: [1, 0, 10, 0, 1, 10, 0, 0, 1],
      quad: PAGE_QUAD,
      edgesVisible: true,
    },
    table: {
      box: BOX,
      headerRowCount: 1,
      columns: [],
      rows,
      grid: { rowCount: 0, columnCount: 0, cells: [] },
      footer: { totalAmount: null, lineCount: null, totalIsSum: true },
      complete: true,
    },
    ...more,
  };
}

export function item(values: Partial<Item>): Item {
  return {
    ...NOTHING,
    codeInMaster: true,
    suggestedDrugCode: null,
    priceCheck: 'current',
    status: 'GREEN',
    needsReview: false,
    review: [],
    ...values,
  };
}

export function answer(items: readonly Item[], more: Partial<ScoredAnswer> = {}): ScoredAnswer {
  return {
    documentType: 'drug_table',
    foundTable: true,
    items,
    summary: {
      items: items.length,
      needsReview: 0,
      byStatus: { green: 0, yellow: 0, red: 0 },
      completeExtraction: true,
    },
    geometry: {
      rotation: 90,
      source: { width: 100, height: 100 },
      oriented: { width: 100, height: 100 },
      crop: { score: 1, corners: PAGE_QUAD, box: BOX, sourceCorners: PAGE_QUAD, sourceBox: BOX, normalized: BOX },
    },
    ...more,
  };
}
