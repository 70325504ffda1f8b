import { describe, expect, it } from 'vitest';
import { type BatchImage, progressOf } from '../../../../functions/extraction/domain/batch/job.ts';
import type { Item, JudgedPage } from '../../../../functions/extraction/domain/extraction.ts';
import { completedOutcome, type ImageOutcome } from '../../../../functions/extraction/domain/image-outcome.ts';
import type { StoredExtraction } from '../../../../functions/extraction/domain/stored-extraction.ts';
import { toJobResponse } from '../../../../functions/extraction/job-response.ts';
import { job as jobSchema } from '../../../../functions/extraction/job-schemas.ts';

const head = {
  jobId: 'job_1',
  workspaceId: 'ws_1',
  templateId: 'default',
  serviceDate: null,
  total: 3,
  createdAt: '2026-11-21T03:00:00.000Z',
  expiresAt: '2026-12-21T03:00:00.000Z',
};

const size = { width: 100, height: 200 };
const page = (foundTable: boolean): JudgedPage => ({
  documentType: foundTable ? 'drug_table' : 'receipt',
  foundTable,
  items: [],
  summary: { items: 2, needsReview: 1, byStatus: { green: 1, yellow: 1, red: 0 }, completeExtraction: true },
  geometry: { rotation: 0, source: size, oriented: size, crop: null },
  meta: {
    documentKind: 'edi_claim',
    imageReadable: true,
    imageIssues: [],
    rotationApplied: 0,
    cropped: false,
    template: 'default',
  },
});
const at = (minute: number) => `2026-11-21T03:0${minute}:00.000Z`;
const paid = (minute: number) => completedOutcome('ext_1', page(true), { krw: 200, free: false }, at(minute));
const free = (minute: number) => completedOutcome('ext_2', page(true), { krw: 0, free: true }, at(minute));
const tableless = (minute: number) => completedOutcome('ext_3', page(false), { krw: 0, free: true }, at(minute));
const failed = (minute: number): ImageOutcome => ({
  kind: 'failed',
  finishedAt: at(minute),
  error: { code: 'unreadable_image', message: 'It cannot be decoded.' },
});

function jobOf(...states: readonly (ImageOutcome | 'queued' | 'processing')[]) {
  const images = states.map((state, index): BatchImage => {
    const outcome = typeof state === 'string' ? null : state;
    return {
      workspaceId: 'ws_1',
      jobId: 'job_1',
      index,
      place: index === 0 ? { kind: 'url', url: 'https://example.com/a.png' } : { kind: 'upload', key: 'ws_1/a' },
      status: typeof state === 'string' ? state : state.kind === 'failed' ? 'failed' : 'completed',
      attempts: 0,
      leaseUntilMs: 0,
      queuedAtMs: 0,
      requeues: 0,
      outcome,
    };
  });
  return { head: { ...head, total: states.length }, images };
}

describe('a job', () => {
  it.each([
    ['queued', ['queued', 'queued']],
    ['processing', ['queued', 'processing']],
    ['processing', [failed(1), 'queued']],
    ['completed', [failed(1), paid(2)]],
    ['failed', [failed(1), failed(2)]],
  ] as const)('is %s when its images are that', (status, states) => {
    expect(progressOf(jobOf(...states)).status).toBe(status);
  });

  it('ends with its last image, in any order', () => {
    expect(progressOf(jobOf(paid(3), failed(5), free(4))).completedAt).toBe(at(5));
    expect(progressOf(jobOf(paid(3), 'processing')).completedAt).toBeNull();
  });

  it('costs what its images cost; one without a table is not a free call', () => {
    const { cost, completed } = progressOf(jobOf(paid(1), free(1), tableless(1), failed(1), paid(2)));
    expect({ cost, completed }).toEqual({ cost: { krw: 400, freeCalls: 1 }, completed: 4 });
  });
});

describe('a poll', () => {
  it('names inline images by their place in the request, with the members that each has', () => {
    const shown = jobSchema.strict().parse(toJobResponse(jobOf('queued', paid(1), failed(2)), null, 'en'));
    const nothing = { extractionId: null, itemCount: null, foundTable: null, byStatus: null, geometry: null };
    const unnamed = { fileName: null, reference: null };
    expect(shown.images).toEqual([
      { index: 0, source: 'https://example.com/a.png', ...unnamed, status: 'queued', ...nothing, error: null },
      {
        index: 1,
        source: 'images.0',
        ...unnamed,
        status: 'completed',
        extractionId: 'ext_1',
        itemCount: 2,
        foundTable: true,
        byStatus: { green: 1, yellow: 1, red: 0 },
        geometry: page(true).geometry,
        error: null,
      },
      {
        index: 2,
        source: 'images.1',
        ...unnamed,
        status: 'failed',
        ...nothing,
        error: { code: 'unreadable_image', message: 'It cannot be decoded.' },
      },
    ]);
  });
});

describe('a poll with items=1', () => {
  const LAMBDA_MOST_BYTES = 6 * 1024 * 1024;
  const line: Item = {
    drugCode: '642100010',
    drugName: '가나다라마바사아정10밀리그램(가나다라마바사칼슘삼수화물)_(10.85mg/1정)',
    quantity: 1.5,
    days: 30,
    prescribedQty: 45,
    unitPrice: 1112,
    totalAmount: 50_040,
    codeInMaster: true,
    suggestedDrugCode: null,
    priceCheck: 'mismatch',
    status: 'RED',
    needsReview: true,
    review: ['price_mismatch: unit price 1112 is not 1120 (in force since 2026-01-01)'],
  };

  /** A finished job whose images have the given numbers of lines, as a poll shows it. */
  function polled(...lines: readonly number[]) {
    const outcomes = lines.map((_, i) => completedOutcome(`ext_${i}`, page(true), { krw: 200, free: false }, at(1)));
    const extractions = lines.map((count, i): [string, StoredExtraction] => [
      `ext_${i}`,
      {
        extractionId: `ext_${i}`,
        workspaceId: 'ws_1',
        createdAt: at(1),
        expiresAt: head.expiresAt,
        page: { ...page(true), items: Array<Item>(count).fill(line) },
      },
    ]);
    const shown = toJobResponse(jobOf(...outcomes), new Map(extractions), 'en');
    const images = jobSchema.strict().parse(shown).images;
    // What a function gives to Lambda: the body is a string within JSON.
    return { images, bytes: Buffer.byteLength(JSON.stringify({ body: JSON.stringify(shown) })) };
  }

  it('has the lines of a hundred pages of forty', () => {
    const { images, bytes } = polled(...Array<number>(100).fill(40));
    expect(images.every(({ items }) => items?.length === 40)).toBe(true);
    expect(images.every((image) => !('itemsOmitted' in image))).toBe(true);
    expect(bytes).toBeLessThan(LAMBDA_MOST_BYTES);
  });

  it('leaves out what Lambda could not answer with, says so at the image, and shows all that fits', () => {
    const { images, bytes } = polled(...Array<number>(99).fill(300), 0);
    const shown = images.filter(({ items }) => items !== undefined);
    expect(shown.length).toBeGreaterThan(30);
    expect(images.slice(0, shown.length - 1).every(({ items }) => items?.length === 300)).toBe(true);
    expect(images.at(-1)).toMatchObject({ items: [] });
    for (const { items, itemsOmitted, extractionId } of images) {
      expect(items === undefined).toBe(itemsOmitted === true);
      expect(extractionId).not.toBeNull();
    }
    expect(bytes).toBeLessThan(LAMBDA_MOST_BYTES);
  });
});
