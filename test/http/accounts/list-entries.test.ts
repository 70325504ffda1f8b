import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { ledgerPage } from '../../../functions/accounts/schemas.ts';
import { call, extractWhenFree, problemOf } from '../../helpers/api.ts';
import { oneLinePage } from '../../helpers/page-images.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const PATH = '/api/v1/balance/entries';
const service = useService();

type Page = z.output<typeof ledgerPage>;

async function pageOf(apiKey: string, query = ''): Promise<Page> {
  const answer = await call(service, 'GET', PATH + query, { key: apiKey });
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  return ledgerPage.strict().parse(answer.json);
}

async function workspaceWithTopUps(count: number) {
  const workspace = await createWorkspace({ balanceKrw: 0 });
  for (let n = 1; n <= count; n++) await topUp(workspace.apiKey, n);
  return workspace;
}

const topUp = (key: string, n: number) =>
  call(service, 'POST', '/api/v1/balance/top-ups', { key, body: { amountKrw: n, reference: `payment ${n}` } });

describe('GET /api/v1/balance/entries', () => {
  it('200: the opening balance first of all', async () => {
    const { entries, nextCursor, freePagesLeft } = await pageOf(service.apiKey);
    expect(nextCursor).toBeNull();
    expect(freePagesLeft).toBe(10);
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^led_/),
        apiKeyId: null,
        type: 'opening',
        amountKrw: 10_000,
        balanceAfterKrw: 10_000,
        reference: null,
        createdAt: expect.any(String),
      },
    ]);
  });

  it('200: a charge names the extraction that it paid for, a top-up its payment; newest first', async () => {
    const workspace = await createWorkspace({ balanceKrw: 400, freeCallsUsed: 9 });
    const image = (await oneLinePage()).toString('base64');
    const free = await extractWhenFree(service, workspace, { image });
    const paid = await extractWhenFree(service, workspace, { image });
    await topUp(workspace.apiKey, 55);
    const { entries, freePagesLeft } = await pageOf(workspace.apiKey);
    expect(freePagesLeft).toBe(0);
    const requestId = ({ json }: { json: unknown }) => (json as { requestId: string }).requestId;
    expect(entries).toMatchObject([
      { type: 'top_up', amountKrw: 55, balanceAfterKrw: 255, reference: 'payment 55' },
      { type: 'extraction', amountKrw: -200, balanceAfterKrw: 200, reference: requestId(paid) },
      { type: 'extraction', amountKrw: 0, balanceAfterKrw: 400, reference: requestId(free) },
      { type: 'opening', amountKrw: 400, balanceAfterKrw: 400, reference: null },
    ]);
    const extraction = await call(service, 'GET', `/api/v1/extractions/${entries[1]?.reference}`, {
      key: workspace.apiKey,
    });
    expect(extraction.status).toBe(200);
  });

  it('200: pages of any size give every entry once, also when more is booked meanwhile', async () => {
    const { apiKey } = await workspaceWithTopUps(7);
    const whole = (await pageOf(apiKey)).entries;
    expect(whole.map(({ amountKrw }) => amountKrw)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
    let booked = 100;
    for (const limit of [1, 3, 4, 8, 100]) {
      const seen: Page['entries'] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await pageOf(apiKey, `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
        expect(page.entries.length).toBeGreaterThan(0);
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        seen.push(...page.entries);
        cursor = page.nextCursor;
        await topUp(apiKey, booked++);
      } while (cursor !== null);
      expect(seen.slice(-8)).toEqual(whole);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    }
  });

  it('200: ends with the last entry, without a page of nothing after it', async () => {
    const { apiKey } = await workspaceWithTopUps(3);
    const first = await pageOf(apiKey, '?limit=2');
    const second = await pageOf(apiKey, `?limit=2&cursor=${first.nextCursor}`);
    expect(second.entries).toHaveLength(2);
    expect(second.nextCursor).toBeNull();
  });

  it('200: a cursor of another workspace opens nothing of that workspace', async () => {
    const other = await workspaceWithTopUps(3);
    const { nextCursor } = await pageOf(other.apiKey, '?limit=1');
    const { entries } = await pageOf(service.apiKey, `?cursor=${nextCursor}`);
    expect(entries.map(({ type }) => type)).toEqual(['opening']);
  });

  it("200: needs no scope of any service; takes one query and the account in addition to the key's look-up", async () => {
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: [] });
    await pageOf(apiKey);
    expect(await sentCommands(() => pageOf(apiKey))).toEqual(['Get', 'Query', 'Get']);
  });

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=ten'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit='],
    ['cursor', 'cursor='],
    ['cursor', 'cursor=nonsense'],
    ['cursor', 'cursor=LTE'],
    ['cursor', 'cursor=MDE'],
    ['cursor', `cursor=${'9'.repeat(400)}`],
  ])('400 invalid_request names %s for ?%s', async (field, query) => {
    const answer = await call(service, 'GET', `${PATH}?${query}`);
    expect(answer.status).toBe(400);
    expect(problemOf(answer)).toMatchObject({
      code: 'invalid_request',
      details: { fields: { [field]: expect.any(String) } },
    });
  });

  it('401 invalid_key without a key', async () => {
    const answer = await call(service, 'GET', PATH, { key: null });
    expect(answer.status).toBe(401);
    expect(problemOf(answer).code).toBe('invalid_key');
  });
});
