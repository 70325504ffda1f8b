import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiAnswer, call } from '../../helpers/api.ts';
import {
  AUTH,
  bare,
  bearer,
  browser,
  cookiesOf,
  login,
  me,
  messageOf,
  pageHeaders,
  refresh,
  tokensOf,
} from '../../helpers/auth.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { sentCommands } from '../../helpers/sent-commands.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let owner: TestWorkspace;
// Each with its own: ten logins of an address at once are as many as there may be.
beforeEach(async () => {
  owner = await createWorkspace();
});

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
const logout = (headers: Record<string, string>): Promise<ApiAnswer> =>
  bare(service, 'POST', `${AUTH}/logout`, { headers });

describe('a login', () => {
  it('gives tokens, and a program no cookie', async () => {
    const answer = await login(service, owner);
    const tokens = tokensOf(answer);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 1800 });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { exp, iat, ...claims } = claimsOf(tokens.access_token);
    expect(exp - iat).toBe(1800);
    expect(claims).toEqual({
      iss: 'tripod-local',
      aud: 'tripod-api',
      sub: expect.stringMatching(/^usr_/),
      sid: expect.any(String),
      wid: owner.workspaceId,
    });
  });

  it('leaves an entry in the audit trail, and so does each that fails', async () => {
    await login(service, { ...owner, password: 'not the password' });
    const { access_token } = tokensOf(await login(service, owner));
    await logout(bearer(access_token));
    const { json } = await call(service, 'GET', '/api/v1/audit', { key: owner.apiKey });
    const { entries } = (json as { data: { entries: { action: string; target: string }[] } }).data;
    expect(entries.map(({ action }) => action)).toEqual(['login.ended', 'login.succeeded', 'login.failed']);
    expect(new Set(entries.map(({ target }) => target))).toEqual(new Set([owner.userId]));
  });

  it('knows the owner of the demo workspace', async () => {
    const { email, password } = await import('../../../local/credentials.ts').then(
      async ({ readCredentials }) => (await readCredentials(service.dataDir))!,
    );
    expect((await login(service, { email, password })).status).toBe(200);
  });

  it.each([
    ['in capitals', (email: string) => email.toUpperCase()],
    ['with blanks around', (email: string) => ` ${email}\n`],
  ])('takes the address %s', async (_, form) => {
    expect((await login(service, { ...owner, email: form(owner.email) })).status).toBe(200);
  });

  it('signs with a key of the key set, which is nothing but public', async () => {
    const { access_token } = tokensOf(await login(service, owner));
    const { json, headers } = await bare(service, 'GET', '/.well-known/jwks.json');
    const { keys } = json as { keys: Record<string, string>[] };
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headerOf(access_token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: keys[0]?.kid });
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: expect.any(String), x: expect.any(String) },
    ]);
  });

  it('refuses a wrong password and an unknown address in the same words', async () => {
    const wrong = await login(service, { ...owner, password: 'not the password' });
    const unknown = await login(service, { ...owner, email: 'unknown@example.com' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.json).toEqual(unknown.json);
    expect(messageOf(wrong)).toBe('The e-mail address or the password is wrong.');
    const names = ({ headers }: ApiAnswer) => [...headers.keys()].sort();
    expect(names(wrong)).toEqual(names(unknown));
  });

  it('makes the same calls to the store for both', async () => {
    const of = (account: { email: string; password: string }) => sentCommands(() => login(service, account));
    await of({ email: 'first@example.com', password: 'x'.repeat(10) });
    const wrong = await of({ ...owner, password: 'not the password' });
    expect(wrong).toEqual(await of({ email: 'second@example.com', password: 'not the password' }));
    expect(wrong.filter((name) => name === 'Get')).toHaveLength(3);
  });
});

describe('an access token', () => {
  it('takes one round trip to check, and none for its signature', async () => {
    const { access_token } = tokensOf(await login(service, owner));
    await me(service, access_token);
    const sent = await sentCommands(() => bare(service, 'POST', `${AUTH}/logout`, { headers: bearer(access_token) }));
    // The last one is the entry of the audit trail.
    expect(sent).toEqual(['BatchGet', 'Delete', 'Put']);
  });

  it('ends with its session', async () => {
    const { access_token, refresh_token } = tokensOf(await login(service, owner));
    const answer = await logout(bearer(access_token));
    expect(answer.status).toBe(200);
    expect([...cookiesOf(answer)].map(([name, { value }]) => [name, value])).toEqual([
      ['tripod_session', ''],
      ['tripod_csrf', ''],
    ]);
    expect((await me(service, access_token)).status).toBe(401);
    expect((await refresh(service, refresh_token)).status).toBe(401);
    expect((await logout(bearer(access_token))).status).toBe(401);
  });

  it('says who it is', async () => {
    const { access_token } = tokensOf(await login(service, owner));
    expect((await me(service, access_token)).json).toMatchObject({
      data: {
        user: { email: owner.email, role: 'owner' },
        workspace: { id: owner.workspaceId, name: 'Another' },
        role: 'owner',
        scopes: ['extraction', 'chat', 'sandbox'],
      },
      status: 'success',
      code: 200,
    });
  });

  it('a bearer token among others counts first, and a bad one is not passed over', async () => {
    const { access_token } = tokensOf(await login(service, owner));
    const page = pageHeaders(await login(service, owner, browser(service)));
    const other = await createWorkspace();
    const idOf = async (headers: Record<string, string>) => {
      const { status, json } = await bare(service, 'GET', `${AUTH}/me`, { headers });
      return status === 200 ? (json as { data: { workspace: { id: string } } }).data.workspace.id : status;
    };
    expect(await idOf({ ...bearer(access_token), 'x-api-key': other.apiKey })).toBe(owner.workspaceId);
    expect(await idOf({ 'x-api-key': other.apiKey, cookie: page.cookie })).toBe(other.workspaceId);
    expect(await idOf({ ...bearer(other.apiKey), cookie: page.cookie })).toBe(other.workspaceId);
    for (const bad of ['Bearer', 'Bearer ', 'Bearer x', `Bearer ${access_token}x`, `Bearer x ${access_token}`])
      expect(await idOf({ authorization: bad, 'x-api-key': other.apiKey, cookie: page.cookie }), bad).toBe(401);
    expect(await idOf({ 'x-api-key': 'tpk_wrong', cookie: page.cookie })).toBe(401);
    expect(await idOf({ cookie: page.cookie })).toBe(owner.workspaceId);
  });

  it('of a key says so', async () => {
    const { json } = await call(service, 'GET', `${AUTH}/me`, { key: owner.apiKey });
    expect(json).toMatchObject({ data: { user: null, role: 'owner', workspace: { id: owner.workspaceId } } });
  });
});

describe('a session cookie', () => {
  it('is for the browser alone, and goes to no other site', async () => {
    const cookies = cookiesOf(await login(service, owner, browser(service)));
    // Secure everywhere but on one machine, where there is no TLS.
    const common = ['Path=/', 'Max-Age=604800', 'SameSite=Lax'];
    expect(cookies.get('tripod_session')?.attributes).toEqual([...common, 'HttpOnly']);
    expect(cookies.get('tripod_csrf')?.attributes).toEqual(common);
    for (const { value } of cookies.values()) expect(value).toMatch(/^[\w.-]+$/);
  });

  it('reads without more, and writes with the token against forgery only', async () => {
    const page = pageHeaders(await login(service, owner, browser(service)));
    expect((await bare(service, 'GET', `${AUTH}/me`, { headers: { cookie: page.cookie } })).status).toBe(200);
    const other = pageHeaders(await login(service, owner, browser(service)));
    const forged = { cookie: `${page.cookie.split('; ')[0]}; tripod_csrf=forged`, 'x-csrf-token': 'forged' };
    for (const headers of [
      { cookie: page.cookie },
      { ...page, 'x-csrf-token': '' },
      { ...page, 'x-csrf-token': 'x'.repeat(43) },
      { ...page, 'x-csrf-token': other['x-csrf-token'] },
      // Planted by a page of a sibling domain: both halves agree, but do not belong to the session.
      forged,
      { cookie: page.cookie.split('; ')[0]!, 'x-csrf-token': page['x-csrf-token'] },
    ]) {
      const answer = await logout(headers);
      expect(answer.status).toBe(403);
      expect(messageOf(answer)).toContain('x-csrf-token');
    }
    expect((await logout(page)).status).toBe(200);
    expect((await logout(page)).status).toBe(401);
  });

  it('that is made up is refused', async () => {
    const { cookie } = pageHeaders(await login(service, owner, browser(service)));
    const value = cookie.split('; ')[0]!;
    for (const bad of [
      `${value}x`,
      value.replace(/\.\w/, '.'),
      value.slice(0, -1),
      'tripod_session=a.b.c',
      'tripod_session=%00',
    ])
      expect((await bare(service, 'GET', `${AUTH}/me`, { headers: { cookie: bad } })).status, bad).toBe(401);
  });

  it('is not set for a page of another site, which could log a visitor in to an account of its choice', async () => {
    for (const origin of ['https://evil.example', 'null', `${service.baseUrl}.evil.example`]) {
      const answer = await login(service, owner, { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie(), origin).toEqual([]);
    }
  });

  it('of a foreign page makes no form post work', async () => {
    const { cookie } = pageHeaders(await login(service, owner, browser(service)));
    const headers = { cookie, origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' };
    expect((await bare(service, 'POST', `${AUTH}/logout`, { headers, raw: 'x-csrf-token=a' })).status).toBe(403);
  });
});

describe('what a client sends', () => {
  const INJECTED = '\r\nset-cookie: injected=1\r\nx-injected: 1';
  const encoded = encodeURIComponent(INJECTED);

  it.each<[string, Record<string, string>]>([
    ['a cookie', { cookie: `tripod_session=a${encoded}; tripod_csrf=b${encoded}` }],
    ['an origin', { origin: `https://evil.example${encoded}` }],
    ['an address that a proxy names', { 'x-forwarded-for': `1.2.3.4${encoded}`, forwarded: `for=1.2.3.4${encoded}` }],
    ['a request id', { 'x-request-id': `a${encoded}`, 'x-amzn-trace-id': `Root=${encoded}` }],
    ['a credential', { authorization: `Bearer ${encoded}`, 'x-api-key': `tpk_${encoded}` }],
  ])('as %s writes no header of the answer', async (_, headers) => {
    for (const [method, path] of [
      ['GET', `${AUTH}/me`],
      ['POST', `${AUTH}/login`],
      ['OPTIONS', `${AUTH}/login`],
    ] as const)
      expect(injectedInto(await bare(service, method, path, { headers }))).toEqual([]);
  });

  it('in a path, a query or a body writes none either', async () => {
    const answers = [
      await bare(service, 'GET', `${AUTH}/me${encoded}`),
      await bare(service, 'GET', `/api/v1/audit?cursor=${encoded}`, { headers: { 'x-api-key': owner.apiKey } }),
      await login(service, { email: `a${INJECTED}@example.com`, password: INJECTED }, browser(service)),
      await refresh(service, `trt_${INJECTED}`),
    ];
    for (const answer of answers) expect(injectedInto(answer)).toEqual([]);
  });

  it('with a line break in a header itself reaches no handler, or as two headers', async () => {
    const text = `GET ${AUTH}/me HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\nConnection: close\r\n`;
    const answer = await rawExchange(service.baseUrl, `${text}Cookie: tripod_session=a${INJECTED}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.toLowerCase()).not.toContain('injected');
    const folded = await rawExchange(service.baseUrl, `${text}Cookie: a=b\r\n c=d\r\nX-Api-Key\n: x\r\n\r\n`);
    expect(folded).toMatch(/^HTTP\/1\.1 400 /);
  });

  const injectedInto = ({ headers }: ApiAnswer) =>
    [...headers].filter(([name, value]) => `${name}: ${value}`.toLowerCase().includes('injected'));
});
