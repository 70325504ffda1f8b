import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { auditPage } from '../../../functions/accounts/schemas.ts';
import { call } from '../../helpers/api.ts';
import { AUTH, bare, bearer, cookiesOf, login, me, refresh, tokensOf } from '../../helpers/auth.ts';
import { placesNaming } from '../../helpers/everything-stored.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { accept, mailTo, tokenOf } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import {
  CLIENT,
  passThrough,
  playTextRecords,
  type RunningProvider,
  startOidcProvider,
} from '../../support/identity-providers.ts';
import {
  begin,
  complete,
  configured,
  newDomain,
  newOwner,
  type Owner,
  refusalOf,
  SSO,
  settings,
  ssoOf,
} from '../../support/single-sign-on.ts';

/** With oidc-provider, over HTTP. */

const service = useService();
const dns = playTextRecords();
let provider: RunningProvider;
let owner: Owner;
let domain: string;
beforeAll(async () => {
  provider = await startOidcProvider([`${service.baseUrl}/sso`]);
});
afterAll(async () => {
  dns.spy.mockRestore();
  await provider?.stop();
});
beforeEach(async () => {
  await refillLimits();
  owner = await newOwner(service);
  domain = newDomain();
});

const configure = (change: object = {}, of = owner) =>
  configured(of, { issuer: provider.issuer, domain, records: dns.records }, change);

/** Someone whom the provider knows, by this subject and address. */
function person(sub: string, email = `${sub}@${domain}`, email_verified = true): string {
  provider.people.set(sub, { sub, email, email_verified });
  return email;
}

/** A whole sign-in. @param sub also the name to log in with at the provider */
async function signIn(sub: string, email: string) {
  const begun = await begin(service, email);
  const back = await passThrough(begun.url.href, sub, service.baseUrl);
  const response = Object.fromEntries(back.searchParams);
  return { begun, response, answer: await complete(service, response, { cookie: begun.cookie }) };
}

const userOf = async (access_token: string) =>
  ((await me(service, access_token)).json as { data: { user: { id: string; email: string; role: string } } }).data;

async function auditOf({ as }: Owner, action: string) {
  const { data } = auditPageOf((await as('GET', '/api/v1/audit?limit=100')).json);
  return data.entries.filter((entry) => entry.action === action);
}
const auditPageOf = (json: unknown) => json as { data: ReturnType<typeof auditPage.parse> };

async function invite(email: string, role: string): Promise<string> {
  expect(await owner.as('POST', '/api/v1/members', { email, role })).toMatchObject({ status: 201 });
  return tokenOf(await mailTo(service, email));
}

/** Someone with a password. */
async function memberWithPassword(email: string, role = 'admin') {
  return tokensOf(await accept(service, await invite(email, role)));
}
const MEMBER_PASSWORD = 'another long password';

describe('a person of the provider', () => {
  it('joins with the default role, is the same member ever after, and gets a browser’s session', async () => {
    await configure();
    const email = person('ann');
    const { begun, answer } = await signIn('ann', email);
    expect(begun.url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(begun.url.searchParams.get('login_hint')).toBe(email);
    const tokens = tokensOf(answer);
    expect([...cookiesOf(answer).keys()]).toEqual(['tripod_session', 'tripod_csrf', begun.cookie.split('=')[0]]);
    const { user, workspace, role } = (await userOf(tokens.access_token)) as never as Record<string, { id: string }>;
    expect({ user, workspace, role }).toMatchObject({
      user: { email, role: 'viewer' },
      workspace: { id: owner.workspaceId },
      role: 'viewer',
    });
    tokensOf(await refresh(service, tokens.refresh_token));

    // Another address at the provider does not make another member.
    person('ann', `ann.married@${domain}`);
    const again = tokensOf((await signIn('ann', email)).answer);
    expect((await userOf(again.access_token)).user).toEqual(user);
    const logins = await auditOf(owner, 'login.succeeded');
    expect(logins.filter(({ target }) => target === user!.id)).toMatchObject([
      { details: { by: 'single sign-on' } },
      { details: { by: 'single sign-on' } },
    ]);
    expect(await auditOf(owner, 'member.joined')).toMatchObject([{ target: user!.id, details: { role: 'viewer' } }]);
  });

  it('has no password, and can get one by a reset', async () => {
    await configure();
    const email = person('bert');
    tokensOf((await signIn('bert', email)).answer);
    for (const password of ['unusable', 'any'])
      expect(await login(service, { email, password })).toMatchObject({ status: 401 });
    await bare(service, 'POST', `${AUTH}/password-reset`, { body: { email } });
    const token = tokenOf(await mailTo(service, email));
    const body = { token, new_password: MEMBER_PASSWORD };
    expect(await bare(service, 'POST', `${AUTH}/password-reset/confirm`, { body })).toMatchObject({ status: 200 });
    tokensOf(await login(service, { email, password: MEMBER_PASSWORD }));
  });

  it('who is a member already keeps id and role', async () => {
    await configure();
    const email = person('cora');
    const before = await userOf((await memberWithPassword(email)).access_token);
    const after = await userOf(tokensOf((await signIn('cora', email)).answer).access_token);
    expect(after.user).toEqual(before.user);
    expect(await auditOf(owner, 'sso.linked')).toMatchObject([{ target: before.user.id }]);
  });

  it('who was invited gets the invitation’s role, where others may not join', async () => {
    await configure({ default_role: null });
    expect(refusalOf((await signIn('dora', person('dora'))).answer)).toEqual([403, 'sso_not_invited']);
    await invite(person('dora'), 'admin');
    const { user } = await userOf(tokensOf((await signIn('dora', person('dora'))).answer).access_token);
    expect(user.role).toBe('admin');
    expect((await owner.as('GET', '/api/v1/members')).json).toMatchObject({ data: { invitations: [] } });
  });

  it('who was removed comes back by an invitation only', async () => {
    await configure();
    const email = person('egon');
    const { user } = await userOf(tokensOf((await signIn('egon', email)).answer).access_token);
    expect(await owner.as('DELETE', `/api/v1/members/${user.id}`)).toMatchObject({ status: 204 });
    expect(refusalOf((await signIn('egon', email)).answer)).toEqual([403, 'sso_not_invited']);
    await invite(email, 'viewer');
    const back = await userOf(tokensOf((await signIn('egon', email)).answer).access_token);
    expect(back.user.id).not.toBe(user.id);
  });

  it.each(['by password', 'by the provider'])(
    'who logged in %s and was removed does not come back as another person of the same address',
    async (way) => {
      await configure();
      const email = person('first-one');
      const before = await (way === 'by password'
        ? memberWithPassword(email)
        : signIn('first-one', email).then(({ answer }) => tokensOf(answer)));
      const { user } = await userOf(before.access_token);
      expect(await owner.as('DELETE', `/api/v1/members/${user.id}`)).toMatchObject({ status: 204 });
      person('second-one', email);
      for (const sub of ['first-one', 'second-one'])
        expect(refusalOf((await signIn(sub, email)).answer)).toEqual([403, 'sso_not_invited']);
      // Mails of two invitations could be confused.
      if (way === 'by the provider') await memberWithPassword(email, 'viewer');
      else await owner.as('POST', '/api/v1/members', { email, role: 'viewer' });
      expect((await userOf(tokensOf((await signIn('second-one', email)).answer).access_token)).user.role).toBe(
        'viewer',
      );
    },
  );

  it('whose invitation was withdrawn stays removed', async () => {
    await configure();
    const email = person('gustav');
    const { user } = await userOf((await memberWithPassword(email)).access_token);
    expect(await owner.as('DELETE', `/api/v1/members/${user.id}`)).toMatchObject({ status: 204 });
    await invite(email, 'viewer');
    const { data } = (await owner.as('GET', '/api/v1/members')).json as { data: { invitations: { id: string }[] } };
    expect(await owner.as('DELETE', `/api/v1/members/${data.invitations[0]!.id}`)).toMatchObject({ status: 204 });
    expect(refusalOf((await signIn('gustav', email)).answer)).toEqual([403, 'sso_not_invited']);
  });

  it('needs no second factor of ours, also where the workspace requires one', async () => {
    await configure();
    const email = person('fred');
    const { user } = await userOf(tokensOf((await signIn('fred', email)).answer).access_token);
    await owner.as('PATCH', '/api/v1/workspace', { require_second_factor: true });
    const { access_token } = tokensOf((await signIn('fred', email)).answer);
    const headers = bearer(access_token);
    expect(await bare(service, 'GET', '/api/v1/balance', { headers })).toMatchObject({ status: 200 });
    expect((await userOf(access_token)).user).toEqual(user);
  });
});

describe('a sign-in', () => {
  it('is good once: state and code are refused the second time', async () => {
    await configure();
    const { begun, response, answer } = await signIn('gina', person('gina'));
    tokensOf(answer);
    const replayed = await complete(service, response, { cookie: begun.cookie });
    expect(refusalOf(replayed)).toEqual([400, 'sso_flow_expired']);
    // The code with the state of another flow of the same browser: its verifier does not fit.
    const other = await begin(service, `gina@${domain}`);
    const mixed = await complete(service, { ...response, state: other.state }, { cookie: other.cookie });
    expect(refusalOf(mixed)).toEqual([401, 'sso_token_refused']);
  });

  it('cannot be completed by another browser, so that no one is logged in to a stranger’s account', async () => {
    await configure();
    const email = person('hans');
    for (const cookieOf of [() => '', (name: string) => `${name}=guessed`]) {
      const begun = await begin(service, email);
      const back = await passThrough(begun.url.href, 'hans', service.baseUrl);
      const cookie = cookieOf(begun.cookie.split('=')[0]!);
      const answer = await complete(service, Object.fromEntries(back.searchParams), { cookie });
      expect(refusalOf(answer)).toEqual([400, 'sso_flow_expired']);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('ends with a refusal where the settings have changed meanwhile', async () => {
    await configure();
    const begun = await begin(service, person('ida'));
    const back = await passThrough(begun.url.href, 'ida', service.baseUrl);
    await configure({ default_role: 'admin' });
    const answer = await complete(service, Object.fromEntries(back.searchParams), { cookie: begun.cookie });
    expect(refusalOf(answer)).toEqual([409, 'sso_changed']);
  });

  it('of an unverified address is refused, and recorded', async () => {
    await configure();
    expect(refusalOf((await signIn('jan', person('jan', `jan@${domain}`, false))).answer)).toEqual([
      403,
      'sso_email_refused',
    ]);
    expect(await auditOf(owner, 'login.failed')).toMatchObject([
      { actor: { id: null }, details: { by: 'single sign-on', refusal: 'sso_email_refused' } },
    ]);
  });

  it('sends the wrong secret in vain', async () => {
    await configure({ client_secret: 'another' });
    expect(refusalOf((await signIn('jule', person('jule'))).answer)).toEqual([401, 'sso_token_refused']);
  });
});

describe('the settings', () => {
  it('never show the secret, and keep it for the same issuer and client alone', async () => {
    await configure({ client_secret: 'never-to-be-seen-again' });
    const { client_secret, ...rest } = settings(provider.issuer, domain);
    ssoOf(await owner.as('PUT', SSO, { ...rest, required: true }));
    const shown = await owner.as('GET', SSO);
    expect(ssoOf(shown)).toMatchObject({ required: true, client_id: CLIENT.client_id });
    expect(JSON.stringify(shown.json)).not.toContain('never-to-be-seen-again');
    expect(await placesNaming(service, 'never-to-be-seen-again')).toEqual([]);
    const other = await owner.as('PUT', SSO, { ...rest, client_id: 'another' });
    expect(refusalOf(other)).toEqual([422, 'sso_secret_missing']);
  });

  it('are for owners that are people', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await call({ ...service, apiKey: owner.apiKey }, method, SSO)).toMatchObject({ status: 401 });
    const { access_token } = await memberWithPassword(`kim@${domain}`);
    expect(await bare(service, 'GET', SSO, { headers: bearer(access_token) })).toMatchObject({ status: 403 });
    expect(refusalOf(await owner.as('GET', SSO))).toEqual([404, 'sso_not_configured']);
  });

  it('are refused where the issuer names itself otherwise, or does not answer', async () => {
    const byName = provider.issuer.replace('127.0.0.1', 'localhost');
    for (const issuer of [byName, `${provider.issuer}/realm`, 'http://127.0.0.1:9'])
      expect(refusalOf(await owner.as('PUT', SSO, settings(issuer, domain)))).toEqual([422, 'sso_provider_unusable']);
  });

  it('can be removed: members log in by password again, and the domain is free', async () => {
    await configure({ required: true });
    const email = person('lea');
    tokensOf((await signIn('lea', email)).answer);
    expect(await owner.as('DELETE', SSO)).toMatchObject({ status: 204 });
    expect(refusalOf(await bare(service, 'POST', `${AUTH}/sso`, { body: { email } }))).toEqual([
      404,
      'sso_not_configured',
    ]);
    const next = await newOwner(service);
    expect((await configure({}, next)).domains).toMatchObject([{ domain, proved_at: expect.any(String) }]);
  });
});

describe('a provider that is required', () => {
  it('ends the sessions of members by password, refuses their passwords, and leaves owners theirs', async () => {
    const email = person('mia');
    const outside = `contractor-of-${domain}@elsewhere.example`;
    const sessions = [await memberWithPassword(email), await memberWithPassword(outside)];
    await configure({ required: true });
    expect(await me(service, sessions[0]!.access_token)).toMatchObject({ status: 401 });
    expect(await me(service, sessions[1]!.access_token)).toMatchObject({ status: 200 });
    expect(refusalOf(await login(service, { email, password: MEMBER_PASSWORD }))).toEqual([403, 'sso_required']);
    // Without the password, no one learns that.
    expect(await login(service, { email, password: 'a wrong password' })).toMatchObject({ status: 401 });
    tokensOf(await login(service, { email: outside, password: MEMBER_PASSWORD }));
    tokensOf((await signIn('mia', email)).answer);

    // An owner with such an address can always come in.
    const second = `second-owner@${domain}`;
    await memberWithPassword(second, 'owner');
    tokensOf(await login(service, { email: second, password: MEMBER_PASSWORD }));
  });

  it('refuses the password of an invitation', async () => {
    await configure({ required: true });
    const token = await invite(person('nora'), 'admin');
    expect(refusalOf(await accept(service, token))).toEqual([403, 'sso_required']);
    expect((await userOf(tokensOf((await signIn('nora', person('nora'))).answer).access_token)).user.role).toBe(
      'admin',
    );
  });

  it('counts from the proof of the domain on', async () => {
    const email = person('olga');
    const { access_token } = await memberWithPassword(email);
    ssoOf(await owner.as('PUT', SSO, settings(provider.issuer, domain, { required: true })));
    expect(await me(service, access_token)).toMatchObject({ status: 200 });
    tokensOf(await login(service, { email, password: MEMBER_PASSWORD }));
    await configure({ required: true });
    expect(await me(service, access_token)).toMatchObject({ status: 401 });
  });
});
