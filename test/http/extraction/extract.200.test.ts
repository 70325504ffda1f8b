import { beforeAll, describe, expect, it } from 'vitest';
import { balance } from '../../../functions/accounts/schemas.ts';
import { extraction, extractionResult } from '../../../functions/extraction/schemas.ts';
import { type ApiAnswer, call, EXTRACT_PATH, extractCall, problemOf } from '../../helpers/api.ts';
import { blankPage, fixturePage, pdfOf, shortPage } from '../../helpers/page-images.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();
let image: string;

beforeAll(async () => {
  image = (await shortPage()).toString('base64');
});

/** The answer, checked against what the OpenAPI document promises: nothing missing, nothing beyond it. */
function resultOf(answer: ApiAnswer) {
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  const result = extractionResult.strict().parse(answer.json);
  expect(result).toEqual(answer.json);
  return result;
}

describe('a page with a drug table', () => {
  it('is read, judged, charged, stored, and found again by its owner alone', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
    const result = resultOf(await extractCall(service, workspace, { image: `data:image/png;base64,${image}` }));

    expect(result).toMatchObject({
      documentType: 'drug_table',
      foundTable: true,
      meta: { documentKind: 'edi_claim', imageReadable: true, rotationApplied: 0, template: 'default' },
      cost: { krw: 200, free: false },
      balanceKrw: 800,
    });
    const lines = result.items.map(({ drugCode, quantity, days, prescribedQty, unitPrice, totalAmount }) => [
      drugCode,
      quantity,
      days,
      prescribedQty,
      unitPrice,
      totalAmount,
    ]);
    expect(lines).toEqual([
      ['640007270', 1, 3, 6, 1299, 7794],
      ['641908100', 1, 60, 180, 629, 113_220],
      ['643308820', 1, 60, 240, 240, 57_600],
    ]);
    expect(result.items.every(({ codeInMaster, priceCheck }) => codeInMaster && priceCheck === 'current')).toBe(true);
    expect(result.summary.items).toBe(3);

    expect(await tracesOf(workspace.workspaceId)).toEqual({
      balanceKrw: 800,
      freeCallsUsed: 10,
      charges: [{ amountKrw: -200, balanceKrw: 800, reference: result.requestId }],
      extractions: [result.requestId],
      idempotencyKeys: [],
    });
    const { apiKey: key } = workspace;
    const after = balance.parse((await call(service, 'GET', '/api/v1/balance', { key })).json);
    expect(after.balanceKrw).toBe(800);

    const path = `/api/v1/extractions/${result.requestId}`;
    const found = await call(service, 'GET', path, { key });
    expect(found.status).toBe(200);
    const { documentType, foundTable, items, summary, geometry } = result;
    const stored = { extractionId: result.requestId, documentType, foundTable, geometry, items, summary };
    expect(extraction.strict().parse(found.json)).toMatchObject(stored);
    expect(found.json).toMatchObject(stored);

    // Another workspace's is as absent as one that never was.
    const foreign = await call(service, 'GET', path);
    const long = await call(service, 'GET', `/api/v1/extractions/${'e'.repeat(1100)}`);
    expect(long.status).toBe(404);
    const unknown = await call(service, 'GET', '/api/v1/extractions/ext_01UNKNOWN');
    for (const answer of [foreign, unknown]) {
      expect(answer.status).toBe(404);
      expect(problemOf(answer).code).toBe('not_found');
    }

    await changeKey(workspace.keyId, { scopes: ['sandbox'] });
    const forbidden = await call(service, 'GET', path, { key });
    expect(forbidden.status).toBe(403);
  });

  it('comes with its trace when debug=1, and is stored without it', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 0 });
    const key = { 'idempotency-key': 'traced' };
    const debugged = { ...service, ...workspace };
    const answer = await call(debugged, 'POST', `${EXTRACT_PATH}?debug=1`, { body: { image }, headers: key });
    const { debug, ...result } = resultOf(answer);
    expect(debug).toMatchObject({
      answeredBy: 'rules',
      tables: [{ verdict: 'drug_table', columnCount: expect.any(Number) }],
      network: { lineCount: 3 },
      lostCodes: [],
    });
    const ofLine = debug!.network!.labels.filter(({ line }) => line === 0);
    expect(ofLine).toContainEqual(expect.objectContaining({ text: result.items[0]!.drugCode, role: 'drugCode' }));
    expect(debug!.tables[0]!.rows.filter((kind) => kind === 'line')).toHaveLength(3);
    const replay = await call(debugged, 'POST', `${EXTRACT_PATH}?debug=1`, { body: { image }, headers: key });
    expect(replay.json).toEqual(result);
  });

  it('is free for the first ten calls, then costs 200 KRW', async () => {
    const workspace = await createWorkspace({ balanceKrw: 300, freeCallsUsed: 9 });
    const tenth = resultOf(await extractCall(service, workspace, { image }));
    expect(tenth).toMatchObject({ cost: { krw: 0, free: true }, balanceKrw: 300 });
    const eleventh = resultOf(await extractCall(service, workspace, { image }));
    expect(eleventh).toMatchObject({ cost: { krw: 200, free: false }, balanceKrw: 100 });
    const { charges, freeCallsUsed } = await tracesOf(workspace.workspaceId);
    expect(freeCallsUsed).toBe(10);
    expect(charges.map(({ amountKrw }) => amountKrw)).toEqual([0, -200]);
  });
});

describe('a PDF', () => {
  it('of several pages is read on its first, and says that it is incomplete', async () => {
    const workspace = await createWorkspace();
    const pdf = await pdfOf(await shortPage(), 2);
    const result = resultOf(await extractCall(service, workspace, { image: pdf.toString('base64') }));
    expect(result.foundTable).toBe(true);
    expect(result.items.map(({ drugCode }) => drugCode)).toEqual(['640007270', '641908100', '643308820']);
    expect(result.meta.imageIssues).toContain('multiple_pages');
    expect(result.summary.completeExtraction).toBe(false);
    const last = result.items.at(-1)!;
    expect(last.status).not.toBe('GREEN');
    expect(last.review.at(-1)).toMatch(/^table_incomplete: the file has more pages/);
    const { json } = await call({ ...service, ...workspace }, 'GET', `/api/v1/extractions/${result.requestId}`);
    expect(extraction.strict().parse(json).meta).toEqual(result.meta);
  });

  it('is read page by page where each is asked for, each for one charge, and no further', async () => {
    const workspace = await createWorkspace({ balanceKrw: 1000, freeCallsUsed: 10 });
    const body = { image: (await pdfOf(await shortPage(), 2)).toString('base64') };
    for (const page of [1, 2]) {
      const result = resultOf(await extractCall(service, workspace, { ...body, page }));
      expect(result.items.map(({ drugCode }) => drugCode)).toEqual(['640007270', '641908100', '643308820']);
      expect(result.meta.imageIssues).not.toContain('multiple_pages');
      expect(result.balanceKrw).toBe(1000 - page * 200);
    }
    const beyond = problemOf(await extractCall(service, workspace, { ...body, page: 3 }));
    expect(beyond).toMatchObject({ code: 'page_missing', message: expect.stringContaining('2 pages') });
    expect((await tracesOf(workspace.workspaceId)).balanceKrw).toBe(600);
  });
});

describe('an Idempotency-Key', () => {
  it('gives the first answer again: without reading, without a charge, and with an empty balance too', async () => {
    const workspace = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
    let first!: ApiAnswer;
    const sent = await sentCommands(async () => {
      first = await extractCall(service, workspace, { image, templateId: 'default' }, 'order-7');
    });
    expect(resultOf(first).balanceKrw).toBe(0);
    // Key; account, free pages and claim in parallel; settlement. The update notes the first use of the key, also in parallel; the
    // query looks up triggers of workflows, and the response does not wait for it.
    const awaited = sent.filter((name) => name !== 'Update' && name !== 'Query');
    expect(awaited).toEqual(['Get', 'Get', 'Get', 'Put', 'TransactWrite']);
    expect(first.headers.get('idempotent-replayed')).toBeNull();

    // The same body, written differently.
    const again = await extractCall(service, workspace, { templateId: 'default', image }, 'order-7');
    expect(again.status).toBe(200);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 0, charges: [{}], extractions: [{}] });

    // Another workspace's key of the same name is another key.
    const other = await createWorkspace({ balanceKrw: 200, freeCallsUsed: 10 });
    const theirs = await extractCall(service, other, { image, templateId: 'default' }, 'order-7');
    expect(resultOf(theirs).requestId).not.toBe(resultOf(first).requestId);
  });
});

describe('a page without a table', () => {
  it('costs nothing, uses up no free call, and is stored all the same', async () => {
    const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
    const blank = (await blankPage(800, 600)).toString('base64');
    const result = resultOf(await extractCall(service, workspace, { image: blank }));
    expect(result).toMatchObject({
      foundTable: false,
      items: [],
      meta: { imageReadable: false },
      cost: { krw: 0, free: true },
      balanceKrw: 500,
    });
    expect(result.meta.imageIssues.length).toBeGreaterThan(0);
    expect(await tracesOf(workspace.workspaceId)).toMatchObject({
      balanceKrw: 500,
      freeCallsUsed: 10,
      charges: [],
      extractions: [result.requestId],
    });
  });

  it.each(['other-002.jpg', 'other-004.jpg'])('such as %s is told apart, and costs nothing', async (name) => {
    const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
    const photo = (await fixturePage(name)).toString('base64');
    const result = resultOf(await extractCall(service, workspace, { image: photo }));
    expect(result).toMatchObject({ foundTable: false, items: [], cost: { krw: 0, free: true }, balanceKrw: 500 });
    expect(result.documentType).not.toBe('drug_table');
    expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 500, charges: [] });
  });

  it('of a single pixel is not an error, and costs nothing', async () => {
    const workspace = await createWorkspace({ balanceKrw: 500, freeCallsUsed: 10 });
    const pixel = (await blankPage(1, 1)).toString('base64');
    const result = resultOf(await extractCall(service, workspace, { image: pixel }));
    expect(result.meta).toMatchObject({ imageReadable: false, imageIssues: expect.arrayContaining(['too_small']) });
    expect(await tracesOf(workspace.workspaceId)).toMatchObject({ balanceKrw: 500, charges: [] });
  });
});
