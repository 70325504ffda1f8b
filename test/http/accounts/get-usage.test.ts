import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { dayOf } from '../../../functions/accounts/domain/usage.ts';
import { usageReport } from '../../../functions/accounts/schemas.ts';
import { envelopeOf } from '../../../functions/shared/http/envelope.ts';
import { call, extractWhenFree } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const PATH = '/api/v1/usage';
const service = useService();

async function reportOf(key: string, query = ''): Promise<z.output<typeof usageReport>> {
  const { json } = await call(service, 'GET', PATH + query, { key });
  return envelopeOf(usageReport).strict().parse(json).data;
}

const NOTHING = { calls: 0, krw: 0, pages: 0, tokens_in: 0, tokens_out: 0, sandbox_seconds: 0 };

describe('200', () => {
  it('counts pages, KRW and sandbox seconds, by day, service and key', async () => {
    const workspace = await createWorkspace({ freeCallsUsed: 10 });
    const today = dayOf(Date.now());
    const body = { name: 'second', scopes: ['sandbox'] };
    const made = await call(service, 'POST', '/api/v1/api-keys', { key: workspace.apiKey, body });
    const second = (made.json as { data: { id: string; key: string } }).data;
    const image = (await readFile(new URL('../../../docs/sample-page.png', import.meta.url))).toString('base64');
    expect((await extractWhenFree(service, workspace, { image })).status).toBe(200);
    const ran = await call(service, 'POST', '/api/v1/execute', {
      key: second.key,
      body: { language: 'bash', code: 'sleep 0.2' },
    });
    expect(ran.status).toBe(200);
    const seconds = (ran.json as { execution_time: number }).execution_time;
    await expect.poll(async () => (await reportOf(workspace.apiKey)).total.calls, { timeout: 10_000 }).toBe(2);

    const byKey = await reportOf(workspace.apiKey, '?group_by=key');
    expect(byKey.groups.find(({ group }) => group === workspace.keyId)).toEqual({
      ...{ ...NOTHING, group: workspace.keyId, calls: 1, krw: 200, pages: 1 },
    });
    const ofSecond = byKey.groups.find(({ group }) => group === second.id)!;
    expect(ofSecond).toMatchObject({ calls: 1, krw: 0, pages: 0 });
    expect(ofSecond.sandbox_seconds).toBeCloseTo(seconds, 1);
    expect((await reportOf(workspace.apiKey, '?group_by=service')).groups.map(({ group }) => group)).toEqual([
      'extraction',
      'sandbox',
    ]);
    expect((await reportOf(workspace.apiKey, `?from=${today}&to=${today}`)).groups).toMatchObject([{ calls: 2 }]);
    expect((await reportOf(workspace.apiKey, '?group_by=application')).groups).toMatchObject([{ group: null }]);
    const entries = (await call(service, 'GET', '/api/v1/balance/entries', { key: workspace.apiKey })).json;
    expect(entries).toMatchObject({ entries: [{ type: 'extraction', apiKeyId: workspace.keyId }, { apiKeyId: null }] });
  });

  it('is empty for another workspace, and for another time', async () => {
    const { apiKey } = await createWorkspace();
    expect(await reportOf(apiKey, '?from=2020-01-01&to=2020-12-31')).toEqual({
      from: '2020-01-01',
      to: '2020-12-31',
      group_by: 'day',
      groups: [],
      total: NOTHING,
    });
    const { from, to } = await reportOf(apiKey);
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  });
});

describe('400', () => {
  it.each([
    ['?from=2026-11-22&to=2026-11-21', 'is after to'],
    ['?from=2025-11-21&to=2026-11-22', '367 days'],
    ['?from=yesterday', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?group_by=week', 'group_by'],
    ['?month=11', 'month'],
  ])('for %s', async (query, text) => {
    const { status, json } = await call(service, 'GET', PATH + query);
    expect([status, json]).toMatchObject([400, { status: 'error', message: expect.stringContaining(text) }]);
  });
});
