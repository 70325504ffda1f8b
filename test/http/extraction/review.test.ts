import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { jobList } from '../../../functions/extraction/job-schemas.ts';
import type { review as reviewSchema } from '../../../functions/extraction/review-schemas.ts';
import {
  extractionList,
  type extraction as extractionSchema,
  upload as uploadSchema,
} from '../../../functions/extraction/schemas.ts';
import { call, extractWhenFree, problemOf, uploadCall } from '../../helpers/api.ts';
import { batchCall, finishedJob } from '../../helpers/batch.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

type Extraction = z.output<typeof extractionSchema>;
type Review = z.output<typeof reviewSchema>;

const service = useService();
let page: Buffer;
let workspace: TestWorkspace;

beforeAll(async () => {
  page = await oneLinePage();
  workspace = await createWorkspace();
});

const at = (method: string, path: string, body?: unknown, by: TestWorkspace = workspace) =>
  call(service, method, `/api/v1/${path}`, { key: by.apiKey, ...(body !== undefined && { body }) });

async function extracted(body: object, by: TestWorkspace = workspace): Promise<Extraction> {
  const { status, json } = await extractWhenFree(service, by, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return read((json as { requestId: string }).requestId, by);
}

/** A page that is not GREEN: on that day the drug had no price. */
const toReview = () => ({ image: page.toString('base64'), serviceDate: '1999-01-01' });

async function read(id: string, by: TestWorkspace = workspace): Promise<Extraction> {
  return (await at('GET', `extractions/${id}`, undefined, by)).json as Extraction;
}

async function uploaded(bytes: Buffer, contentType = 'image/png'): Promise<string> {
  const { uploadUrl, imageUrl } = uploadSchema.parse((await uploadCall(service, workspace, { contentType })).json);
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': contentType }, body: new Uint8Array(bytes) });
  return imageUrl;
}

describe('PUT /api/v1/extractions/{id}/review', () => {
  it('corrections are kept separately from the reading, with their author and the earlier values', async () => {
    const { extractionId: id, items, review } = await extracted({ image: page.toString('base64') });
    expect(review).toBeNull();
    const [item] = items;
    const corrected = { index: 0, decision: 'corrected', values: { quantity: 7.5, drugName: item!.drugName } };
    const first = await at('PUT', `extractions/${id}/review`, { version: 0, lines: [corrected] });
    expect(first.status, JSON.stringify(first.json)).toBe(200);
    const by = { kind: 'key', id: workspace.keyId };
    const line = { decision: 'corrected', before: { quantity: item!.quantity }, after: { quantity: 7.5 }, by };
    expect(first.json).toMatchObject({ version: 1, openLines: 0, lines: [{ index: 0, ...line }] });
    expect(await read(id)).toMatchObject({ items, review: first.json });

    const second = await at('PUT', `extractions/${id}/review`, { version: 1, lines: [] });
    expect(second.json).toMatchObject({ version: 2, openLines: item!.needsReview ? 1 : 0, lines: [] });
    const { changes } = second.json as Review;
    expect(changes.map(({ version, decision }) => ({ version, decision }))).toEqual([
      { version: 1, decision: 'corrected' },
      { version: 2, decision: null },
    ]);
  });

  it('answers 409 to a version that is not the present one, and changes nothing', async () => {
    const { extractionId: id } = await extracted({ image: page.toString('base64') });
    const accept = (version: number) =>
      at('PUT', `extractions/${id}/review`, { version, lines: [{ index: 0, decision: 'accepted' }] });
    const both = await Promise.all([accept(0), accept(0)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = await accept(0);
    expect([late.status, problemOf(late)]).toMatchObject([409, { code: 'review_changed', details: { version: 1 } }]);
    expect((await read(id)).review).toMatchObject({ version: 1 });
  });

  it('answers 400 to lines that are not there and to unknown fields, and 404 to another workspace', async () => {
    const { extractionId: id } = await extracted({ image: page.toString('base64') });
    const put = (line: object, by = workspace) =>
      at('PUT', `extractions/${id}/review`, { version: 0, lines: [line] }, by);
    const absent = await put({ index: 99, decision: 'accepted' });
    expect([absent.status, problemOf(absent).details]).toMatchObject([
      400,
      { fields: { 'lines.0.index': expect.anything() } },
    ]);
    expect((await put({ index: 0, decision: 'perhaps' })).status).toBe(400);
    expect((await put({ index: 0, decision: 'corrected', values: { status: 'GREEN' } })).status).toBe(400);
    expect((await put({ index: 0, decision: 'corrected', values: { quantity: 'abc' } })).status).toBe(400);
    expect((await put({ index: 0, decision: 'corrected', values: { drugCode: 640007270 } })).status).toBe(400);
    expect((await put({ index: 0, decision: 'accepted' }, await createWorkspace())).status).toBe(404);
  });
});

describe('GET /api/v1/extractions', () => {
  const list = async (query: string, by: TestWorkspace) =>
    extractionList.parse((await at('GET', `extractions?${query}`, undefined, by)).json);

  it.each([
    ['that were settled one by one', {}],
    ['of a busy workspace, which are settled together', { crowd: { atMs: Date.now() + 600_000, waitedMs: 0 } }],
  ])('lists extractions %s page by page, newest first, by open lines', async (_case, options) => {
    const by = await createWorkspace(options);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await extracted(toReview(), by)).extractionId);
    const first = await list('limit=2', by);
    expect(first.extractions[0]).toMatchObject({ pictureStored: false });
    expect(first.extractions.map(({ extractionId }) => extractionId)).toEqual(ids.slice(0, 2));
    const second = await list(`limit=2&cursor=${first.nextCursor}`, by);
    expect(second).toMatchObject({ extractions: [{ extractionId: ids[2] }], nextCursor: null });

    expect(first.extractions[0]!.openLines).toBe(1);
    await at('PUT', `extractions/${ids[1]}/review`, { version: 0, lines: [{ index: 0, decision: 'accepted' }] }, by);
    const open = await list('needsReview=true', by);
    expect(open.extractions.map(({ extractionId }) => extractionId)).toEqual([ids[0], ids[2]]);
    const done = await list('needsReview=false', by);
    expect(done.extractions).toMatchObject([{ extractionId: ids[1], openLines: 0, itemCount: 1, foundTable: true }]);
  });

  it('finds names and references by a part of them, however the file system wrote their Hangul', async () => {
    const by = await createWorkspace();
    const named = async (labels: object) =>
      (await extracted({ image: page.toString('base64'), ...labels }, by)).extractionId;
    const mac = await named({ fileName: '처방전_03.JPG'.normalize('NFD') });
    const referred = await named({ reference: 'Order 처방 17' });
    await named({ fileName: 'invoice.png' });
    await named({});
    const found = async (text: string) =>
      (await list(`search=${encodeURIComponent(text)}`, by)).extractions.map(({ extractionId }) => extractionId);
    expect(await found('처방')).toEqual([referred, mac]);
    expect(await found('전_03.jpg')).toEqual([mac]);
    expect(await found('order')).toEqual([referred]);
    expect(await found('%')).toEqual([]);
  });

  it('lists those of one batch, and the batch itself', async () => {
    const by = await createWorkspace();
    await extracted({ image: page.toString('base64') }, by);
    const { jobId } = (await batchCall(service, by, { images: [page.toString('base64')] })).json as { jobId: string };
    const { images } = await finishedJob(service, by, jobId);
    const { extractions } = await list(`jobId=${jobId}`, by);
    expect(extractions).toMatchObject([{ extractionId: images[0]!.extractionId, jobId, pictureStored: true }]);
    const jobs = jobList.parse((await at('GET', 'jobs', undefined, by)).json);
    expect(jobs).toMatchObject({ jobs: [{ jobId, total: 1 }], nextCursor: null });
    expect(jobList.parse((await at('GET', 'jobs')).json).jobs).toEqual([]);
  });

  it('answers 400 to a wrong filter or cursor', async () => {
    for (const query of [
      'needsReview=perhaps',
      'cursor=abc',
      'limit=0',
      'limit=101',
      'colour=red',
      'search=',
      `search=${'x'.repeat(101)}`,
    ])
      expect((await at('GET', `extractions?${query}`)).status, query).toBe(400);
  });
});

describe('the places of lines', () => {
  /** Middle of the place of a line, as parts of the upload’s width and height. */
  function middles({ places, geometry }: Extraction) {
    const { width, height } = geometry.source;
    return places!.map((cells) => {
      const all = cells!.flat();
      const mean = (odd: number) => all.filter((_, i) => i % 2 === odd).reduce((a, b) => a + b, 0) / (all.length / 2);
      return [mean(0) / width, mean(1) / height] as const;
    });
  }

  it('lines are found in the upload in any orientation', async () => {
    const sample = await readFile('docs/sample-page.png');
    const straight = middles(await extracted({ image: sample.toString('base64') }));
    const { width = 0, height = 0 } = await sharp(sample).metadata();
    expect(straight.length).toBeGreaterThan(3);
    for (const [index, [, y]] of straight.slice(1).entries()) expect(y).toBeGreaterThan(straight[index]![1]);

    const quarter = await sharp(sample).rotate(90).png().toBuffer();
    const turned = middles(await extracted({ image: quarter.toString('base64') }));
    expect(turned.length).toBe(straight.length);
    for (const [index, [x, y]] of straight.entries()) {
      expect(turned[index]![0]).toBeCloseTo(1 - y, 1);
      expect(turned[index]![1]).toBeCloseTo(x, 1);
    }

    const degrees = 1.5;
    const tilted = await sharp(sample).rotate(degrees, { background: 'white' }).png().toBuffer();
    const size = await sharp(tilted).metadata();
    const radians = (degrees * Math.PI) / 180;
    for (const [index, [x, y]] of middles(await extracted({ image: tilted.toString('base64') })).entries()) {
      const [dx, dy] = [(straight[index]![0] - 0.5) * width, (straight[index]![1] - 0.5) * height];
      expect(x * size.width! - size.width! / 2).toBeCloseTo(dx * Math.cos(radians) - dy * Math.sin(radians), -1);
      expect(
        Math.abs(y * size.height! - size.height! / 2 - (dx * Math.sin(radians) + dy * Math.cos(radians))),
      ).toBeLessThan(6);
    }
  });
});

describe('GET /api/v1/extractions/{id}/picture', () => {
  it('gives the address of an upload, by its content, and 404 where there is none', async () => {
    const { extractionId: id } = await extracted({ imageUrl: await uploaded(page) });
    const { status, json } = await at('GET', `extractions/${id}/picture`);
    expect([status, json]).toMatchObject([200, { contentType: 'image/png' }]);
    const seen = await fetch((json as { url: string }).url, { headers: { origin: 'http://127.0.0.1:1' } });
    expect(Buffer.from(await seen.arrayBuffer()).equals(page)).toBe(true);
    expect(seen.headers.get('access-control-allow-origin')).toBe('*');
    const inline = await extracted({ image: page.toString('base64') });
    expect((await at('GET', `extractions/${inline.extractionId}/picture`)).status).toBe(404);
    expect((await at('GET', `extractions/${id}/picture`, undefined, await createWorkspace())).status).toBe(404);
  });
});

describe('DELETE /api/v1/extractions/{id}/picture', () => {
  it('deletes the picture alone: the extraction and its review stay', async () => {
    const { extractionId: id } = await extracted({ imageUrl: await uploaded(page) });
    const { url } = (await at('GET', `extractions/${id}/picture`)).json as { url: string };
    expect((await at('DELETE', `extractions/${id}/picture`, undefined, await createWorkspace())).status).toBe(404);
    expect((await fetch(url)).status).toBe(200);
    expect((await at('DELETE', `extractions/${id}/picture`)).status).toBe(204);
    expect((await fetch(url)).status).toBe(404);
    expect((await at('GET', `extractions/${id}/picture`)).status).toBe(404);
    expect((await at('GET', `extractions/${id}`)).status).toBe(200);
    const { json } = await at('GET', 'audit?limit=1');
    expect(json).toMatchObject({ data: { entries: [{ action: 'picture.deleted', target: id }] } });
  });

  it('answers 404 where there is none of ours', async () => {
    const inline = await extracted({ image: page.toString('base64') });
    for (const id of [inline.extractionId, 'ext_01JDEXAMPLE0000000000000000'])
      expect((await at('DELETE', `extractions/${id}/picture`)).status).toBe(404);
  });
});
