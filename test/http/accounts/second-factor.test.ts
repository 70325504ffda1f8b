import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import { secondFactorResult } from '../../../functions/accounts/second-factor-schemas.ts';
import { type ApiAnswer, call } from '../../helpers/api.ts';
import {
  AUTH,
  bare,
  bearer,
  browser,
  login,
  me,
  messageOf,
  pageHeaders,
  refresh,
  tokensOf,
} from '../../helpers/auth.ts';
import { refusalOf } from '../../helpers/chat.ts';
import { placesNaming } from '../../helpers/everything-stored.ts';
import { refillCalls, refillLimits } from '../../helpers/limits.ts';
import { joinedMember, mailsTo } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';
import { requestDeletion } from '../../helpers/workspace-data.ts';

const service = useService();
const PATH = `${AUTH}/second-factor`;

let owner: TestWorkspace;
beforeEach(async () => {
  await refillLimits();
  owner = await createWorkspace();
});

type Account = Pick<TestWorkspace, 'email' | 'password'>;

const as = (access_token: string, method: string, path: string, body?: unknown) =>
  bare(service, method, path, { headers: bearer(access_token), ...(body !== undefined && { body }) });
const dataIn = <T>({ json }: ApiAnswer) => (json as { data: T }).data;

/** Codes as an authenticator app shows them. @param steps later than now */
const codeFrom = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

const loginWith = ({ email, password }: Account, code?: string, headers: Record<string, string> = {}) =>
  bare(service, 'POST', `${AUTH}/login`, { body: { email, password, ...(code !== undefined && { code }) }, headers });

async function secretOf(token: string, { password }: Account): Promise<string> {
  const begun = await as(token, 'POST', PATH, { current_password: password });
  expect(begun.status).toBe(200);
  return dataIn<{ secret: string }>(begun).secret;
}

/** An account with a second factor. The first code is of the step before: the one of now is still good. */
async function enrolled(account: Account) {
  const before = tokensOf(await login(service, account));
  const secret = await secretOf(before.access_token, account);
  const confirmed = await as(before.access_token, 'POST', `${PATH}/confirm`, { code: codeFrom(secret, -1) });
  expect(confirmed.status).toBe(200);
  const { recovery_codes: recoveryCodes, ...tokens } = dataIn<{ recovery_codes: string[]; access_token: string }>(
    confirmed,
  );
  return { secret, recoveryCodes, token: tokens.access_token, before };
}

const shown = async (token: string) => secondFactorResult.strict().parse((await as(token, 'GET', PATH)).json).data;

describe('a second factor', () => {
  it('is on after its first code, which ends all earlier sessions and gives ten recovery codes', async () => {
    const { access_token } = tokensOf(await login(service, owner));
    const begun = await as(access_token, 'POST', PATH, { current_password: owner.password });
    const { secret, otpauth_uri } = dataIn<{ secret: string; otpauth_uri: string }>(begun);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauth_uri).toMatch(/^otpauth:\/\/totp\/Tripod:.*secret=[A-Z2-7]{32}.*/);
    expect(await shown(access_token)).toMatchObject({ is_on: false, confirmed_at: null });
    // Nothing changes before the first code.
    tokensOf(await login(service, owner));
    const wrong = await as(access_token, 'POST', `${PATH}/confirm`, { code: '000000' });
    expect(refusalOf(wrong)).toEqual([403, expect.stringContaining('The code is wrong')]);

    const confirmed = await as(access_token, 'POST', `${PATH}/confirm`, { code: codeFrom(secret) });
    const { recovery_codes, access_token: next } = dataIn<{ recovery_codes: string[]; access_token: string }>(
      confirmed,
    );
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect((await me(service, access_token)).status).toBe(401);
    expect((await me(service, next)).status).toBe(200);
    expect(await shown(next)).toMatchObject({ is_on: true, recovery_codes_left: 10 });
  });

  it('needs the password to start with, and cannot be enrolled twice', async () => {
    const { access_token } = tokensOf(await login(service, owner));
    const stolen = await as(access_token, 'POST', PATH, { current_password: 'not the password' });
    expect(refusalOf(stolen)).toEqual([403, expect.stringContaining('current_password is not')]);
    const { token } = await enrolled(owner);
    const second = await as(token, 'POST', PATH, { current_password: owner.password });
    expect(refusalOf(second)).toEqual([409, expect.stringContaining('on already')]);
    const again = await as(token, 'POST', `${PATH}/confirm`, { code: '123456' });
    expect(refusalOf(again)).toEqual([409, expect.stringContaining('on already')]);
  });

  it('is asked for at a login after the password alone, by programs and browsers', async () => {
    const { secret } = await enrolled(owner);
    const without = await loginWith(owner);
    expect(refusalOf(without)).toEqual([403, expect.stringContaining('Send the six digits')]);
    expect(without.headers.getSetCookie()).toEqual([]);
    const wrongPassword = await loginWith({ ...owner, password: 'not the password' }, codeFrom(secret));
    expect(refusalOf(wrongPassword)).toEqual([
      401,
      expect.stringContaining('The e-mail address or the password is wrong'),
    ]);
    const page = await loginWith(owner, codeFrom(secret), browser(service));
    expect(page.status).toBe(200);
    expect((await bare(service, 'GET', PATH, { headers: pageHeaders(page) })).status).toBe(200);
    const { refresh_token } = tokensOf(page);
    expect((await refresh(service, refresh_token)).status).toBe(200);
  });

  it('takes a code once, also by two logins at the same moment, and no older one after it', async () => {
    const { secret } = await enrolled(owner);
    const code = codeFrom(secret);
    const logins = await Promise.all([loginWith(owner, code), loginWith(owner, code)]);
    expect(logins.map(({ status }) => status).sort()).toEqual([200, 403]);
    for (const used of [code, codeFrom(secret, -1)]) {
      const replay = await loginWith(owner, used);
      expect(refusalOf(replay)).toEqual([403, expect.stringContaining('The code is wrong')]);
    }
    expect((await loginWith(owner, codeFrom(secret, 1))).status).toBe(200);
    expect((await loginWith(owner, codeFrom(secret, 5))).status).toBe(403);
  });

  it('takes a recovery code for one of several logins at the same moment', async () => {
    const { recoveryCodes, token } = await enrolled(owner);
    const logins = await Promise.all(Array.from({ length: 6 }, () => loginWith(owner, recoveryCodes[0]!)));
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await shown(token)).toMatchObject({ recovery_codes_left: 9 });
  });

  it('takes a recovery code once, in any spelling', async () => {
    const { recoveryCodes, token } = await enrolled(owner);
    const [first, second] = recoveryCodes as [string, string];
    expect((await loginWith(owner, first.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await loginWith(owner, first)).status).toBe(403);
    expect((await loginWith(owner, second)).status).toBe(200);
    expect(await shown(token)).toMatchObject({ recovery_codes_left: 8 });
  });

  it('takes a recovery code once among twenty sign-ins at the same moment', async () => {
    const { recoveryCodes, token } = await enrolled(owner);
    const answers = await Promise.all(Array.from({ length: 20 }, () => loginWith(owner, recoveryCodes[0])));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 403, 429].includes(status))).toEqual([]);
    await refillLimits();
    expect((await loginWith(owner, recoveryCodes[0])).status).toBe(403);
    expect(await shown(token)).toMatchObject({ recovery_codes_left: 9 });
  });

  it('gets new recovery codes for a code, and the former ones are refused', async () => {
    const { recoveryCodes, secret, token } = await enrolled(owner);
    expect((await as(token, 'POST', `${PATH}/recovery-codes`, { code: '000000' })).status).toBe(403);
    const replaced = await as(token, 'POST', `${PATH}/recovery-codes`, { code: codeFrom(secret) });
    const { recovery_codes } = dataIn<{ recovery_codes: string[] }>(replaced);
    expect((await loginWith(owner, recoveryCodes[0])).status).toBe(403);
    expect((await loginWith(owner, recovery_codes[0])).status).toBe(200);
  });

  it('is removed by password and code together, and by neither alone', async () => {
    const { secret, recoveryCodes, token } = await enrolled(owner);
    const disable = (current_password: string, code: string) =>
      as(token, 'POST', `${PATH}/disable`, { current_password, code });
    expect(messageOf(await disable('not the password', codeFrom(secret)))).toContain('current_password is not');
    expect(messageOf(await disable(owner.password, '000000'))).toContain('The code is wrong');
    expect((await disable(owner.password, recoveryCodes[0]!)).status).toBe(200);
    expect((await loginWith(owner)).status).toBe(200);
    expect(messageOf(await disable(owner.password, codeFrom(secret)))).toContain('You have no second factor');
  });

  it('survives a change of the password', async () => {
    const { token, secret } = await enrolled(owner);
    const password = 'another long password';
    await as(token, 'POST', `${AUTH}/password`, { current_password: owner.password, new_password: password });
    expect((await loginWith({ ...owner, password })).status).toBe(403);
    expect((await loginWith({ ...owner, password }, codeFrom(secret))).status).toBe(200);
  });

  it('limits guesses as those at a password', async () => {
    await enrolled(owner);
    const guesses = [];
    for (let guess = 0; guess < 12; guess++) guesses.push((await loginWith(owner, String(100_000 + guess))).status);
    expect(guesses.slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
    expect(guesses.at(-1)).toBe(429);
  });

  it('leaves audit entries, and neither its secret nor a recovery code in any store', async () => {
    const { secret, recoveryCodes, token } = await enrolled(owner);
    await loginWith(owner, '000000');
    await loginWith(owner, recoveryCodes[0]);
    await expect
      .poll(async () => {
        const { entries } = dataIn<{ entries: { action: string }[] }>(await as(token, 'GET', '/api/v1/audit'));
        return entries.map(({ action }) => action);
      })
      .toEqual(expect.arrayContaining(['second_factor.enabled', 'login.failed', 'second_factor.recovery_used']));
    expect(await placesNaming(service, secret)).toEqual([]);
    expect(await placesNaming(service, recoveryCodes[1]!)).toEqual([]);
  });
});

describe('a workspace that requires a second factor', () => {
  const require = (token: string, require_second_factor: boolean) =>
    as(token, 'PATCH', '/api/v1/workspace', { require_second_factor });

  it('is only made so by an owner who has one', async () => {
    const { access_token } = tokensOf(await login(service, owner));
    expect(messageOf(await require(access_token, true))).toContain('enrol your own');
    const byKey = await call(service, 'PATCH', '/api/v1/workspace', {
      key: owner.apiKey,
      body: { require_second_factor: true },
    });
    expect(refusalOf(byKey)).toEqual([409, expect.stringContaining('enrol your own')]);
  });

  it('ends sessions without one, lets its members do nothing but enrol, and then everything', async () => {
    const { token } = await enrolled(owner);
    const member = await joinedMember(service, owner, 'admin');
    const earlier = tokensOf(await login(service, member)).access_token;
    const on = await require(token, true);
    expect(dataIn<{ require_second_factor: boolean }>(on).require_second_factor).toBe(true);
    expect((await me(service, earlier)).status).toBe(401);
    expect((await me(service, token)).status).toBe(200);

    const restricted = tokensOf(await login(service, member)).access_token;
    for (const [method, path] of [
      ['GET', '/api/v1/applications'],
      ['POST', '/api/v1/api-keys'],
      ['GET', '/api/v1/balance'],
    ] as const) {
      const refused = await as(restricted, method, path, method === 'POST' ? { name: 'x' } : undefined);
      expect(refused.status).toBe(403);
      expect(JSON.stringify(refused.json)).toContain('requires a second factor');
    }
    expect((await me(service, restricted)).status).toBe(200);
    expect(await shown(restricted)).toMatchObject({ is_on: false, is_required: true });
    const { token: free, secret } = await enrolled(member);
    expect((await as(free, 'GET', '/api/v1/applications')).status).toBe(200);
    const off = await as(free, 'POST', `${PATH}/disable`, {
      current_password: member.password,
      code: codeFrom(secret),
    });
    expect(refusalOf(off)).toEqual([409, expect.stringContaining('requires a second factor of every member')]);
    const { members } = dataIn<{ members: { email: string; second_factor: boolean }[] }>(
      await as(free, 'GET', '/api/v1/members'),
    );
    expect(members.map(({ second_factor }) => second_factor)).toEqual([true, true]);
    expect((await call(service, 'GET', '/api/v1/applications', { key: owner.apiKey })).status).toBe(200);
  });

  it('lets a newly invited member enrol, and a removed one leave nothing behind', async () => {
    const { token } = await enrolled(owner);
    await require(token, true);
    const member = await joinedMember(service, owner, 'viewer');
    expect((await as(member.tokens.access_token, 'GET', '/api/v1/balance')).status).toBe(403);
    await enrolled(member);
    const { members } = dataIn<{ members: { id: string; email: string }[] }>(await as(token, 'GET', '/api/v1/members'));
    const { id } = members.find(({ email }) => email === member.email)!;
    expect(await placesNaming(service, `SECOND_FACTOR#${id}`)).not.toEqual([]);
    expect((await as(token, 'DELETE', `/api/v1/members/${id}`)).status).toBe(204);
    expect(await placesNaming(service, `SECOND_FACTOR#${id}`)).toEqual([]);
  });

  it('shows why a call is refused', async () => {
    const { token } = await enrolled(owner);
    await require(token, true);
    await require(token, false);
    const { access_token } = tokensOf(await login(service, await joinedMember(service, owner, 'viewer')));
    expect((await as(access_token, 'GET', '/api/v1/members')).status).toBe(200);
    await require(token, true);
    expect(messageOf(await as(access_token, 'GET', '/api/v1/members'))).toContain('credential');
  });
});

describe('wrong codes', () => {
  const mailsAbout = (email: string) =>
    mailsTo(service, owner.email).filter((text) => text.includes(`were sent for ${email}`));

  it('of a day, once they are ten, are reported to the owners in one e-mail', async () => {
    const { email, password } = await joinedMember(service, owner, 'viewer');
    await enrolled({ email, password });
    const guess = async () => {
      await refillCalls();
      expect((await loginWith({ email, password }, '000000')).status).toBe(403);
    };
    for (let i = 1; i <= 9; i++) await guess();
    await refillCalls();
    // A stranger who does not know the password learns nothing about the code.
    expect((await loginWith({ email, password: 'not the password' }, '000000')).status).toBe(401);
    expect(mailsAbout(email)).toEqual([]);
    for (let i = 1; i <= 12; i++) await guess();
    await expect.poll(() => mailsAbout(email).length, { timeout: 60_000 }).toBe(1);
    // The outbox delivers in order: a second e-mail would come before that of the deletion.
    expect((await requestDeletion(service, owner)).status).toBe(202);
    const isAsked = () => mailsTo(service, owner.email).some((text) => text.includes('was requested'));
    await expect.poll(isAsked, { timeout: 60_000 }).toBe(true);
    expect(mailsAbout(email)).toHaveLength(1);
  });
});
