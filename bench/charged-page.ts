import type { JudgedPage } from '../functions/extraction/domain/extraction.ts';

/** A page of twenty lines, stored with each charge. */
export const chargedPage: JudgedPage = {
  documentType: 'drug_table',
  foundTable: true,
  items: Array.from({ length: 20 }, (_, row) => ({
    drugCode: String(642_100_010 + 10 * row),
    drugName: `가나정${row}mg(가나성분)_(${row}mg/1정)`,
    quantity: 1,
    days: 30,
    prescribedQty: 30,
    unitPrice: 112 + row,
    totalAmount: 30 * (112 + row),
    codeInMaster: true,
    suggestedDrugCode: null,
    priceCheck: 'current',
    status: 'GREEN',
    needsReview: false,
    review: [],
  })),
  summary: { items: 20, needsReview: 0, byStatus: { green: 20, yellow: 0, red: 0 }, completeExtraction: true },
  geometry: {
    rotation: 0,
    source: { width: 1240, height: 1754 },
    oriented: { width: 1240, height: 1754 },
    crop: null,
  },
  meta: {
    documentKind: 'edi_claim',
    imageReadable: true,
    imageIssues: [],
    rotationApplied: 0,
    cropped: false,
    template: 'default',
  },
};
