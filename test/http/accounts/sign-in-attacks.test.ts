import { createHash, createHmac } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace as newWorkspace } from '../../../functions/accounts/domain/register.ts';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { signInFlowKey } from '../../../functions/adapters/dynamodb/keys.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { registerPorts } from '../../../functions/wiring/accounts/auth.ts';
import { AUTH, bare, bearer, login, me, messageOf, tokensOf } from '../../helpers/auth.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { accept, mailTo, tokenOf } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import {
  CLIENT,
  newKey,
  type Played,
  type PlayedProvider,
  playTextRecords,
  startPlayedProvider,
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

/** Sign-ins and domains as attackers would have them, with a provider that says anything. */

const service = useService();
const dns = playTextRecords();
let provider: PlayedProvider;
let owner: Owner;
let domain: string;
beforeAll(async () => {
  provider = await startPlayedProvider();
});
afterAll(async () => {
  dns.spy.mockRestore();
  await provider?.stop();
});
beforeEach(async () => {
  await refillLimits();
  [provider.status, provider.keys] = [200, [await newKey('first')]];
  delete provider.metadata.authorization_response_iss_parameter_supported;
  owner = await newOwner(service);
  domain = newDomain();
});

const configure = (of = owner, change: object = {}) =>
  configured(of, { issuer: provider.issuer, domain, records: dns.records }, change);

let codes = 0;
/** A whole sign-in, which the provider answers so. */
async function signIn(email: string, played: Played = {}, sent: object = {}) {
  const begun = await begin(service, email);
  const code = `code-${++codes}`;
  provider.codes.set(code, { nonce: begun.nonce, ...played, claims: { email, ...played.claims } });
  return complete(service, { state: begun.state, code, ...sent }, { cookie: begun.cookie });
}

const userOf = async (access_token: string) =>
  ((await me(service, access_token)).json as { data: { user: { id: string; role: string } } }).data.user;

const PASSWORD = 'another long password';
async function member(of: Owner, email: string, role = 'admin') {
  expect(await of.as('POST', '/api/v1/members', { email, role })).toMatchObject({ status: 201 });
  return userOf(tokensOf(await accept(service, tokenOf(await mailTo(service, email)))).access_token);
}

const half = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token', () => {
  it.each<[string, string, Played]>([
    ['of another issuer', 'iss', { claims: { iss: 'https://accounts.example.com' } }],
    ['for another client', 'aud', { claims: { aud: 'another' } }],
    ['for several clients, without azp', 'aud', { claims: { aud: [CLIENT.client_id, 'another'] } }],
    ['of another authorized party', 'azp', { claims: { aud: [CLIENT.client_id, 'another'], azp: 'another' } }],
    ['with another nonce', 'nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', 'INVALID_RESPONSE', { claims: { nonce: undefined } }],
    ['without a subject', 'INVALID_RESPONSE', { claims: { sub: undefined } }],
    ['that has expired', 'exp', { claims: { exp: Math.floor(Date.now() / 1000) - 120 } }],
    ['that is not good yet', 'nbf', { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
    ['of another access token', 'the token is invalid', { claims: { at_hash: half('another access token') } }],
    ['with an unknown key', 'KEY_SELECTION_FAILED', { header: { kid: 'unknown' } }],
    ['without a signature', 'INVALID_RESPONSE', { token: (usual) => `${part({ alg: 'none' })}.${part(usual)}.` }],
    ['signed with the client’s own secret', 'INVALID_RESPONSE', { token: (usual) => signedBySecret(usual) }],
    ['with another content than was signed', 'INVALID_RESPONSE', { token: (usual) => tampered(usual) }],
  ])('%s is refused', async (_, reason, played) => {
    await configure();
    const answer = await signIn(`eve@${domain}`, played);
    expect(refusalOf(answer)).toEqual([401, 'sso_token_refused']);
    expect(messageOf(answer)).toContain(`${reason}. Sign in again`);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is taken with a clock that is off by half a minute, with its own access token, and with azp', async () => {
    await configure();
    const nowSeconds = Math.floor(Date.now() / 1000);
    const claims = { exp: nowSeconds - 30, nbf: nowSeconds + 30, at_hash: half('an access token') };
    tokensOf(
      await signIn(`ann@${domain}`, { claims: { ...claims, aud: [CLIENT.client_id, 'x'], azp: CLIENT.client_id } }),
    );
  });

  it('is taken with a key that the provider has published since', async () => {
    await configure();
    tokensOf(await signIn(`ann@${domain}`));
    provider.keys = [await newKey('second')];
    tokensOf(await signIn(`ann@${domain}`));
  });

  const signedBySecret = (usual: object) => {
    const text = `${part({ alg: 'HS256' })}.${part(usual)}`;
    return `${text}.${createHmac('sha256', CLIENT.client_secret).update(text).digest('base64url')}`;
  };
  const tampered = async (usual: Record<string, unknown>) => {
    const { kid, privateKey } = provider.keys[0]!;
    const token = await new SignJWT(usual).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
    return token
      .split('.')
      .with(1, part({ ...usual, sub: 'root' }))
      .join('.');
  };
});

describe('a way back', () => {
  it('from another issuer than the one that was left for is refused', async () => {
    await configure();
    const email = `ann@${domain}`;
    expect(refusalOf(await signIn(email, {}, { iss: 'https://accounts.example.com' }))).toEqual([
      401,
      'sso_token_refused',
    ]);
    provider.metadata.authorization_response_iss_parameter_supported = true;
    expect(refusalOf(await signIn(email))).toEqual([401, 'sso_token_refused']);
    tokensOf(await signIn(email, {}, { iss: provider.issuer }));
  });

  it('with an error of the provider is a refusal, which shows no text of the provider', async () => {
    await configure();
    const { state, cookie } = await begin(service, `ann@${domain}`);
    const answer = await complete(service, { state, error: '<b>call 555</b>' }, { cookie });
    expect(refusalOf(answer)).toEqual([403, 'sso_denied']);
    expect(JSON.stringify(answer.json)).not.toContain('555');
  });

  it('without a subject is refused', async () => {
    await configure();
    const answer = await signIn(`sub@${domain}`, { claims: { sub: '' } });
    expect(refusalOf(answer)).toEqual([401, 'sso_token_refused']);
  });

  it('after ten minutes is refused', async () => {
    await configure();
    const { state, nonce, cookie } = await begin(service, `ann@${domain}`);
    const stateHash = createHash('sha256').update(state).digest('base64url');
    await dynamoClient().send(
      new UpdateCommand({
        TableName: environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE,
        Key: signInFlowKey(stateHash),
        UpdateExpression: 'SET expiresAtMs = expiresAtMs - :passed',
        ExpressionAttributeValues: { ':passed': 10 * 60_000 },
      }),
    );
    provider.codes.set('late', { nonce, claims: { email: `ann@${domain}` } });
    expect(refusalOf(await complete(service, { state, code: 'late' }, { cookie }))).toEqual([400, 'sso_flow_expired']);
  });

  it('while the provider is down says so', async () => {
    await configure();
    const begun = await begin(service, `ann@${domain}`);
    provider.status = 500;
    const back = await complete(service, { state: begun.state, code: 'any' }, { cookie: begun.cookie });
    expect(refusalOf(back)).toEqual([503, 'sso_provider_unavailable']);
    expect(back.headers.get('retry-after')).toBe('30');
    const next = await bare(service, 'POST', `${AUTH}/sso`, { body: { email: `ann@${domain}` } });
    expect(refusalOf(next)).toEqual([503, 'sso_provider_unavailable']);
  });
});

describe('a domain', () => {
  it('counts for no workspace before it is proved', async () => {
    const { domains } = ssoOf(await owner.as('PUT', SSO, settings(provider.issuer, domain)));
    expect(domains).toMatchObject([{ proved_at: null, record_name: `_tripod-sso.${domain}` }]);
    expect(refusalOf(await owner.as('POST', `${SSO}/domains/proof`))).toEqual([409, 'sso_domain_unproved']);
    const begun = await bare(service, 'POST', `${AUTH}/sso`, { body: { email: `ann@${domain}` } });
    expect(refusalOf(begun)).toEqual([404, 'sso_not_configured']);
  });

  it('is not proved by the record of another workspace, by one that only starts so, or by one of a parent', async () => {
    const thief = await newOwner(service);
    await configure();
    const { domains } = ssoOf(await thief.as('PUT', SSO, settings(provider.issuer, domain)));
    const { record_name, record_value } = domains[0]!;
    expect(refusalOf(await thief.as('POST', `${SSO}/domains/proof`))).toEqual([409, 'sso_domain_unproved']);
    dns.records.get(record_name)!.push(`${record_value}x`);
    expect(refusalOf(await thief.as('POST', `${SSO}/domains/proof`))).toEqual([409, 'sso_domain_unproved']);
    const below = settings(provider.issuer, `mail.${domain}`);
    expect(await thief.as('PUT', SSO, below)).toMatchObject({ status: 200 });
    expect(refusalOf(await thief.as('POST', `${SSO}/domains/proof`))).toEqual([409, 'sso_domain_unproved']);
  });

  it('stays with its workspace while its record is there, and goes to its next owner after that', async () => {
    const next = await newOwner(service);
    await configure();
    const kept = dns.records.get(`_tripod-sso.${domain}`)![0]!;
    const { domains } = ssoOf(await next.as('PUT', SSO, settings(provider.issuer, domain)));
    const { record_name, record_value } = domains[0]!;
    dns.records.set(record_name, [kept, record_value]);
    expect(refusalOf(await next.as('POST', `${SSO}/domains/proof`))).toEqual([409, 'sso_domain_taken']);
    const staff = tokensOf(await signIn(`ann@${domain}`)).access_token;

    dns.records.set(record_name, [record_value]);
    expect(ssoOf(await next.as('POST', `${SSO}/domains/proof`)).domains).toMatchObject([
      { proved_at: expect.any(String) },
    ]);
    expect(ssoOf(await owner.as('GET', SSO)).domains).toMatchObject([{ proved_at: null }]);
    // The staff of before stay where they are: the next owner cannot sign in as them.
    expect(refusalOf(await signIn(`ann@${domain}`))).toEqual([409, 'email_taken']);
    expect(await me(service, staff)).toMatchObject({ status: 200 });
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'is refused with a provider whose %s is a script',
    async (endpoint) => {
      const { [endpoint]: before } = provider.metadata;
      provider.metadata[endpoint] = 'javascript:alert(1)//';
      const answer = await owner.as('PUT', SSO, settings(provider.issuer, domain));
      if (before === undefined) delete provider.metadata[endpoint];
      else provider.metadata[endpoint] = before;
      expect(refusalOf(answer)).toEqual([422, 'sso_provider_unusable']);
      const script = await owner.as('PUT', SSO, settings('javascript:alert(1)', domain));
      expect([script.status, messageOf(script)]).toEqual([400, expect.stringContaining('issuer')]);
    },
  );

  it('is refused where the text is not a domain', async () => {
    for (const bad of [
      '',
      'localhost',
      'com',
      'a b.example',
      '*.example.com',
      '127.0.0.1',
      `${'x'.repeat(64)}.example`,
    ])
      expect(await owner.as('PUT', SSO, settings(provider.issuer, bad))).toMatchObject({ status: 422 });
  });
});

describe('an account', () => {
  it('of another workspace cannot be captured by proving its domain, and keeps its password', async () => {
    const other = await newOwner(service);
    const email = `boss@${domain}`;
    const { id } = await member(other, email);
    await configure(owner, { required: true });
    expect(refusalOf(await signIn(email))).toEqual([409, 'email_taken']);
    const { access_token } = tokensOf(await login(service, { email, password: PASSWORD }));
    expect((await userOf(access_token)).id).toBe(id);
    expect(await bare(service, 'GET', SSO, { headers: bearer(access_token) })).toMatchObject({ status: 403 });
  });

  it('of a domain that another workspace has proved is no way into that workspace', async () => {
    await configure();
    const thief = await newOwner(service);
    const theirs = newDomain();
    await configured(thief, { issuer: provider.issuer, domain: theirs, records: dns.records });
    // The thief's own provider says that its person has the address of a foreign domain.
    const claims = { email: `boss@${domain}`, email_verified: true };
    expect(refusalOf(await signIn(`thief@${theirs}`, { claims }))).toEqual([403, 'sso_email_refused']);
  });

  it('with an unconfirmed address is not linked: its password may be a stranger’s', async () => {
    const email = `founder@${domain}`;
    const password = 'the password of a stranger';
    const address = 'unproved' as const;
    const { workspace } = await newWorkspace(
      { email, password, workspaceName: 'Made beforehand', address },
      registerPorts(),
    );
    const { access_token } = tokensOf(await login(service, { email, password }));
    const as: Owner['as'] = (method, path, body) =>
      bare(service, method, path, { headers: bearer(access_token), ...(body !== undefined && { body }) });
    await configure({ ...owner, workspaceId: workspace.workspaceId, as });
    expect(refusalOf(await signIn(email))).toEqual([409, 'sso_unconfirmed']);
    await bare(service, 'POST', `${AUTH}/password-reset`, { body: { email } });
    const body = { token: tokenOf(await mailTo(service, email)), new_password: PASSWORD };
    expect(await bare(service, 'POST', `${AUTH}/password-reset/confirm`, { body })).toMatchObject({ status: 200 });
    expect((await userOf(tokensOf(await signIn(email)).access_token)).role).toBe('owner');
  });

  it('is not given to another person of the provider who has got its address', async () => {
    await configure();
    const email = `ann@${domain}`;
    const { id } = await userOf(tokensOf(await signIn(email, { claims: { sub: 'ann' } })).access_token);
    expect(refusalOf(await signIn(email, { claims: { sub: 'eve' } }))).toEqual([409, 'sso_identity_changed']);
    expect((await userOf(tokensOf(await signIn(email, { claims: { sub: 'ann' } })).access_token)).id).toBe(id);
  });

  it('is found again behind the next provider of the workspace', async () => {
    await configure();
    const email = `ann@${domain}`;
    const { id } = await userOf(tokensOf(await signIn(email)).access_token);
    const former = provider;
    provider = await startPlayedProvider();
    try {
      await configure();
      expect((await userOf(tokensOf(await signIn(email)).access_token)).id).toBe(id);
    } finally {
      await provider.stop();
      provider = former;
    }
  });

  it.each([
    ['none', {}],
    ['one that is not verified', { email_verified: false }],
    ['one that is verified by a text', { email_verified: 'true' }],
    ['one of another domain', { email: 'ann@elsewhere.example' }],
    ['one of a domain below', { email: 'ann@sub.company-1.example' }],
    ['one with a line break', { email: 'ann@x.example\r\nBcc: eve@elsewhere.example' }],
    ['two at once', { email: ['ann@x.example', 'eve@x.example'] }],
  ])('is not made for an address that is %s', async (what, change) => {
    await configure();
    const claims = what === 'none' ? { email: undefined, email_verified: undefined } : change;
    expect(refusalOf(await signIn(`ann@${domain}`, { claims }))).toEqual([403, 'sso_email_refused']);
    expect((await owner.as('GET', '/api/v1/members')).json).toMatchObject({ data: { members: [{ role: 'owner' }] } });
  });

  it('is made once when two browsers sign in at the same time', async () => {
    await configure();
    const answers = await Promise.all([1, 2, 3].map(() => signIn(`ann@${domain}`)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    const ids = await Promise.all(good.map(async (each) => (await userOf(tokensOf(each).access_token)).id));
    expect(new Set(ids).size).toBe(1);
    for (const each of answers) if (each.status !== 200) expect(refusalOf(each)).toEqual([409, 'sso_changed']);
  });
});
