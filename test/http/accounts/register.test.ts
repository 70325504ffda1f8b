import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerResult } from '../../../functions/accounts/auth-schemas.ts';
import { type ApiAnswer, call } from '../../helpers/api.ts';
import { AUTH, bare, browser, cookiesOf, login, me, messageOf, refresh, tokensOf } from '../../helpers/auth.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();

const account = { email: 'new@example.com', password: 'correct horse battery', workspace_name: '가나 약국' };
const register = (body: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  bare(service, 'POST', `${AUTH}/register`, { body, headers });

describe('201', () => {
  it('makes a workspace whose key and whose tokens work at once, exactly as the OpenAPI document describes it', async () => {
    const answer = await register(account);
    expect(answer.status).toBe(201);
    const { data } = registerResult.strict().parse(answer.json);
    expect(data).toMatchObject({
      user: { email: 'new@example.com', role: 'owner' },
      workspace: { name: '가나 약국' },
      token_type: 'bearer',
      expires_in: 1800,
      api_key: { scopes: ['extraction', 'chat', 'sandbox'], key: expect.stringMatching(/^tpk_/) },
    });
    expect(data.api_key.key.startsWith(data.api_key.prefix)).toBe(true);
    expect(answer.headers.getSetCookie()).toEqual([]);

    const balance = await call(service, 'GET', '/api/v1/balance', { key: data.api_key.key });
    expect(balance).toMatchObject({ status: 200, json: { balanceKrw: 0 } });
    expect(await me(service, data.access_token)).toMatchObject({
      status: 200,
      json: { data: { user: data.user, workspace: data.workspace, role: 'owner' } },
    });
    tokensOf(await refresh(service, data.refresh_token));
    tokensOf(await login(service, account));
  });

  it('gives a browser the cookie as well', async () => {
    const answer = await register({ ...account, email: 'browser@example.com' }, browser(service));
    expect(answer.status).toBe(201);
    expect([...cookiesOf(answer).keys()]).toEqual(['tripod_session', 'tripod_csrf']);
  });

  it('keeps the key of access tokens in a file that only its owner can read', () => {
    expect(statSync(join(service.dataDir, 'signing-key')).mode & 0o777).toBe(0o600);
  });
});

describe('409', () => {
  it.each([
    ['the same address', 'same@example.com'],
    ['capital letters', 'SAME@Example.COM'],
    ['blanks around', '  same@example.com '],
  ])('%s is taken', async (_, email) => {
    await register({ ...account, email: 'same@example.com' });
    const answer = await register({ ...account, email });
    expect(answer.status).toBe(409);
    expect(messageOf(answer)).toContain('registered already');
  });

  it('one that differs in the composition of its letters only is the same', async () => {
    expect((await register({ ...account, email: 'josé@example.com'.normalize('NFC') })).status).toBe(201);
    expect((await register({ ...account, email: 'josé@example.com'.normalize('NFD') })).status).toBe(409);
  });

  it('one with a plus is another', async () => {
    expect((await register({ ...account, email: 'plus+one@example.com' })).status).toBe(201);
    expect((await register({ ...account, email: 'plus+two@example.com' })).status).toBe(201);
  });

  it('of many at the same moment one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => register({ ...account, email: 'race@example.com' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});
