import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { type InProcessService, startService } from '../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';

const LOGIN = '/api/v1/auth/login';
const ME = '/api/v1/auth/me';
const KEYS = '/api/v1/api-keys';

let service: InProcessService;
let browser: Browser | null;
let context: BrowserContext;
let page: Page;
let owner: TestWorkspace;
/** Pages of other origins: one that the configuration lists, and one that it does not. */
let frontend: Server;
let stranger: Server;

const originOf = (server: Server, host = '127.0.0.1') => `http://${host}:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  browser = await launchChromium();
  [frontend, stranger] = await Promise.all([emptyPages(), emptyPages()]);
  vi.stubEnv('CORS_ORIGINS', originOf(frontend));
  service = await startService();
  owner = await createWorkspace();
});
afterAll(async () => {
  await browser?.close();
  for (const server of [frontend, stranger]) server?.close();
  await service?.stop();
});
beforeEach(async ({ skip }) => {
  if (browser === null) return skip('no Chromium is installed');
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context?.close());

async function emptyPages(): Promise<Server> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>a page</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return server;
}

interface Call {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  readonly credentials?: 'include' | 'same-origin';
}

/** The result of the page's own script: a status, or the error of a fetch that the browser refused. */
function fetchFrom(from: Page, { path, method = 'GET', headers = {}, body, credentials = 'same-origin' }: Call) {
  return from.evaluate(
    async ([url, init]) => {
      try {
        const response = await fetch(url, init);
        return { status: response.status, body: await response.json().catch(() => null) };
      } catch (error) {
        return { refused: String(error) };
      }
    },
    [
      `${service.baseUrl}${path}`,
      {
        method,
        credentials,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      },
    ] as const,
  );
}

const ownPage = () => page.goto(`${service.baseUrl}/api/v1/health`);
const logIn = (from: Page) =>
  fetchFrom(from, { path: LOGIN, method: 'POST', body: { email: owner.email, password: owner.password } });
const cookiesOfScripts = () => page.evaluate<string>('document.cookie');
const csrfToken = async () => /tripod_csrf=([^;]+)/.exec(await cookiesOfScripts())?.[1] ?? '';

describe('a page of the service', () => {
  it('logs in, is known by its cookie, changes things with the token against forgery, and logs out', async () => {
    await ownPage();
    expect(await logIn(page)).toMatchObject({ status: 200 });
    const names = (await context.cookies()).map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }));
    expect(names.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'tripod_csrf', httpOnly: false, sameSite: 'Lax' },
      { name: 'tripod_session', httpOnly: true, sameSite: 'Lax' },
    ]);
    expect(await cookiesOfScripts()).not.toContain('tripod_session');
    expect(await fetchFrom(page, { path: ME })).toMatchObject({
      status: 200,
      body: { data: { user: { email: owner.email } } },
    });

    const newKey = { path: KEYS, method: 'POST', body: { name: 'from a page' } };
    expect(await fetchFrom(page, newKey)).toMatchObject({ status: 403 });
    const headers = { 'x-csrf-token': await csrfToken() };
    expect(await fetchFrom(page, { ...newKey, headers })).toMatchObject({ status: 201 });
    expect(await fetchFrom(page, { path: '/api/v1/auth/logout', method: 'POST', headers })).toHaveProperty('status');
    expect(await fetchFrom(page, { path: ME })).toMatchObject({ status: 401 });
    expect(await context.cookies()).toEqual([]);
  });
});

describe('a page that keeps its refresh token', () => {
  it('gets new access tokens, and the next refresh token each time; a stolen one ends the session', async () => {
    await ownPage();
    const first = tokensOf(await logIn(page));
    const second = tokensOf(await refreshBy(first.refresh_token));
    const headers = { authorization: `Bearer ${second.access_token}` };
    expect(await fetchFrom(page, { path: ME, headers })).toMatchObject({ status: 200 });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    // Two tabs at once get the same successor.
    const [one, other] = await Promise.all([refreshBy(second.refresh_token), refreshBy(second.refresh_token)]);
    expect(tokensOf(one).refresh_token).toBe(tokensOf(other).refresh_token);
    expect(await refreshBy(`${first.refresh_token.slice(0, -4)}AAAA`)).toMatchObject({ status: 401 });
    expect(await fetchFrom(page, { path: ME, headers })).toMatchObject({ status: 401 });
  });

  const refreshBy = (refresh_token: string) =>
    fetchFrom(page, { path: '/api/v1/auth/refresh', method: 'POST', body: { refresh_token } });
  const tokensOf = (answer: Awaited<ReturnType<typeof fetchFrom>>) => {
    expect(answer).toMatchObject({ status: 200 });
    return (answer as { body: { data: { access_token: string; refresh_token: string } } }).body.data;
  };
});

describe('a page of another origin, with the session’s cookie in its browser', () => {
  beforeEach(async () => {
    await ownPage();
    expect(await logIn(page)).toMatchObject({ status: 200 });
  });

  // Another port is the same site, so that the cookie is sent along.
  it.each(['127.0.0.1', 'localhost'])('on %s changes nothing by a form', async (host) => {
    const before = await keyNames();
    await page.goto(originOf(stranger, host));
    const answered = page.waitForResponse((response) => response.url().endsWith(KEYS));
    // The usual trick: a name and a value that make JSON together.
    await page.setContent(`<form method="post" enctype="text/plain" action="${service.baseUrl}${KEYS}">
      <input name='{"name":"forged","x":"' value='"}'></form>`);
    await page.evaluate('document.forms[0].submit()');
    expect([400, 401, 403, 415]).toContain((await answered).status());
    expect(await keyNames()).toEqual(before);
  });

  it.each(['127.0.0.1', 'localhost'])('on %s changes nothing and reads nothing by fetch', async (host) => {
    const before = await keyNames();
    await page.goto(originOf(stranger, host));
    const refused = { refused: expect.stringContaining('Failed to fetch') };
    expect(await fetchFrom(page, { path: ME, credentials: 'include' })).toEqual(refused);
    const forged = { path: KEYS, method: 'POST', body: { name: 'forged' }, credentials: 'include' as const };
    expect(await fetchFrom(page, forged)).toEqual(refused);
    expect(await keyNames()).toEqual(before);
  });

  async function keyNames(): Promise<string[]> {
    const response = await fetch(`${service.baseUrl}${KEYS}`, { headers: { 'x-api-key': owner.apiKey } });
    const { data } = (await response.json()) as { data: { name: string }[] };
    return data.map(({ name }) => name).toSorted();
  }
});

describe('a page of an origin that the configuration lists', () => {
  it('logs in and calls with the token, reads the limits’ headers, and an error too', async () => {
    await page.goto(originOf(frontend));
    const answer = await logIn(page);
    expect(answer).toMatchObject({ status: 200 });
    const { access_token } = (answer as { body: { data: { access_token: string } } }).body.data;
    const headers = { authorization: `Bearer ${access_token}`, 'x-stainless-lang': 'js' };
    expect(await fetchFrom(page, { path: ME, headers })).toMatchObject({ status: 200 });
    expect(await fetchFrom(page, { path: '/api/v1/nowhere' })).toMatchObject({ status: 404 });
    // Its cookies stay with pages of the service's own origin.
    expect(await fetchFrom(page, { path: ME })).toMatchObject({ status: 401 });
    const seen = await page.evaluate(async (url) => {
      const response = await fetch(url);
      return { requestId: response.headers.get('x-request-id'), status: response.status };
    }, `${service.baseUrl}/api/v1/balance`);
    expect(seen).toEqual({ requestId: expect.stringMatching(/./), status: 401 });
  });

  it('is another one under another name or port', async () => {
    for (const origin of [originOf(frontend, 'localhost'), originOf(stranger)]) {
      await page.goto(origin);
      expect(await fetchFrom(page, { path: '/api/v1/health' })).toHaveProperty('refused');
    }
  });
});
