import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoExtractions, extractionItem } from '../../../functions/adapters/extraction/dynamo-extractions.ts';
import { DynamoSettlements } from '../../../functions/adapters/extraction/dynamo-settlements.ts';
import { DynamoIdempotency } from '../../../functions/adapters/shared/dynamo-idempotency.ts';
import type { Item, JudgedPage } from '../../../functions/extraction/domain/extraction.ts';
import type { StoredExtraction } from '../../../functions/extraction/domain/stored-extraction.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

const MAX_ITEM_BYTES = 400 * 1024;

let dynamo: EmbeddedDynamo;

beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A line of no repeating numbers or names, with more to say about it than most. */
function item(index: number): Item {
  const number = (index * 7919) % 1_000_003;
  return {
    drugCode: String(600_000_000 + number),
    drugName: `${String.fromCodePoint(0xac00 + (number % 11_172))}${number}정 (성분 ${number * 31})_(1정)`,
    quantity: index,
    days: number % 90,
    prescribedQty: number,
    unitPrice: number % 997,
    totalAmount: number * 3,
    codeInMaster: false,
    suggestedDrugCode: String(600_000_000 + number * 7),
    priceCheck: 'none',
    status: 'RED',
    needsReview: true,
    review: [`code_unknown: code ${600_000_000 + number} is not in the drug master`, `low_confidence: ${number}`],
  };
}

function extractionOf(extractionId: string, count: number): StoredExtraction {
  const items = Array.from({ length: count }, (_, index) => item(index));
  const size = { width: 3000, height: 9000 };
  const page: JudgedPage = {
    documentType: 'drug_table',
    foundTable: true,
    items,
    summary: {
      items: count,
      needsReview: count,
      byStatus: { green: 0, yellow: 0, red: count },
      completeExtraction: null,
    },
    geometry: { rotation: 0, source: size, oriented: size, crop: null },
    meta: {
      documentKind: 'edi_claim',
      imageReadable: true,
      imageIssues: [],
      rotationApplied: 0,
      cropped: false,
      template: 'default',
    },
  };
  return {
    extractionId,
    workspaceId: 'ws_1',
    createdAt: '2026-11-21T03:00:00.000Z',
    expiresAt: '2026-12-21T03:00:00.000Z',
    page,
  };
}

function settlements() {
  return new DynamoSettlements(dynamo.client, TABLES, new DynamoIdempotency(dynamo.client, TABLES.idempotency));
}

const unpaid = (extraction: StoredExtraction) => {
  const { workspaceId, extractionId, createdAt } = extraction;
  return { workspaceId, extractionId, nowMs: Date.parse(createdAt), payment: null, extraction, completion: null };
};

it('a page of 300 lines fits into an item, and comes back whole', async () => {
  const extraction = extractionOf('ext_300', 300);
  expect(extractionItem(extraction).page.length).toBeLessThan(MAX_ITEM_BYTES / 4);
  expect(await settlements().settle(unpaid(extraction))).toEqual({ kind: 'settled' });
  const found = await new DynamoExtractions(dynamo.client, TABLES.extractions, testClock()).find('ws_1', 'ext_300');
  expect(found).toEqual(extraction);
});

it('is absent for another workspace, and after thirty days, whenever DynamoDB deletes it', async () => {
  const extraction = extractionOf('ext_1', 1);
  await settlements().settle(unpaid(extraction));
  const clock = testClock();
  const extractions = new DynamoExtractions(dynamo.client, TABLES.extractions, clock);
  expect(await extractions.find('ws_2', 'ext_1')).toBeNull();
  clock.advance(30 * 24 * 60 * 60 - 1);
  expect(await extractions.find('ws_1', 'ext_1')).toEqual(extraction);
  clock.advance(1);
  expect(await extractions.find('ws_1', 'ext_1')).toBeNull();
});

it('is never stored over: a second one of the same id is an error, and changes nothing', async () => {
  const extraction = extractionOf('ext_2', 1);
  await settlements().settle(unpaid(extraction));
  const second = { ...extraction, page: { ...extraction.page, foundTable: false } };
  await expect(settlements().settle(unpaid(second))).rejects.toThrow();
  const extractions = new DynamoExtractions(dynamo.client, TABLES.extractions, testClock());
  expect(await extractions.find('ws_1', 'ext_2')).toEqual(extraction);
});
