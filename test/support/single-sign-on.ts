import { expect } from 'vitest';
import type { z } from 'zod';
import { auditEntry, SYSTEM_ORIGIN } from '../../functions/accounts/domain/audit.ts';
import { signInResult, ssoResult } from '../../functions/accounts/sso-schemas.ts';
import { systemClock, ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import { identityProviders } from '../../functions/wiring/accounts/auth.ts';
import type { ApiAnswer } from '../helpers/api.ts';
import { AUTH, bare, bearer, browser, cookiesOf, login, tokensOf } from '../helpers/auth.ts';
import type { TestService } from '../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';
import { CLIENT } from './identity-providers.ts';

export const SSO = '/api/v1/workspace/sso';

/** An owner, logged in by password. */
export interface Owner extends TestWorkspace {
  as(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

export async function newOwner(service: TestService): Promise<Owner> {
  const workspace = await createWorkspace();
  const { access_token } = tokensOf(await login(service, workspace));
  const as = (method: string, path: string, body?: unknown) =>
    bare(service, method, path, { headers: bearer(access_token), ...(body !== undefined && { body }) });
  return { ...workspace, as };
}

let domains = 0;
export const newDomain = () => `company-${++domains}.example`;

export function settings(issuer: string, domain: string, change: object = {}) {
  return { issuer, ...CLIENT, domains: [domain], default_role: 'viewer', required: false, ...change };
}

export const ssoOf = (answer: ApiAnswer): z.output<typeof ssoResult>['data'] => {
  expect(answer).toMatchObject({ status: 200 });
  return ssoResult.strict().parse(answer.json).data;
};

/** Configures single sign-on and proves its domain. */
export async function configured(
  owner: Owner,
  { issuer, domain, records }: { issuer: string; domain: string; records: Map<string, string[]> },
  change: object = {},
) {
  const { domains: claimed } = ssoOf(await owner.as('PUT', SSO, settings(issuer, domain, change)));
  for (const { record_name, record_value } of claimed) records.set(record_name, [record_value]);
  return ssoOf(await owner.as('POST', `${SSO}/domains/proof`));
}

export interface Begun {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  /** Of the browser. */
  readonly cookie: string;
}

export async function begin(service: TestService, email: string): Promise<Begun> {
  const answer = await bare(service, 'POST', `${AUTH}/sso`, { body: { email }, headers: browser(service) });
  expect(answer).toMatchObject({ status: 200 });
  const url = new URL(signInResult.strict().parse(answer.json).data.authorization_url);
  const [[name, { value, attributes }]] = [...cookiesOf(answer)] as [[string, { value: string; attributes: string[] }]];
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Max-Age=600']));
  const { state, nonce } = Object.fromEntries(url.searchParams) as { state: string; nonce: string };
  return { url, state, nonce, cookie: `${name}=${value}` };
}

export function complete(service: TestService, body: object, headers: Record<string, string> = {}): Promise<ApiAnswer> {
  return bare(service, 'POST', `${AUTH}/sso/callback`, { body, headers: { ...browser(service), ...headers } });
}

/** Status and code of a refusal. */
export const refusalOf = ({ status, headers }: ApiAnswer) =>
  [status, /#([\w]+)>/.exec(headers.get('link') ?? '')?.[1]] as const;

/** Stores everything that single sign-on leaves behind, without a provider: settings, a domain, an identity, a sign-in under way. */
export async function storeSingleSignOn({ workspaceId, userId }: TestWorkspace): Promise<void> {
  const providers = identityProviders();
  const act = { workspaceId, action: 'sso.configured', target: null } as const;
  const audit = () => auditEntry(act, SYSTEM_ORIGIN, { clock: systemClock, ids: ulidIds });
  const claimed = { domain: `${workspaceId}.example`, token: 'published' };
  const provider = {
    ...{ workspaceId, issuer: 'https://login.example.com', clientId: 'tripod', clientSecret: 'sealed' },
    ...{ domains: [claimed], defaultRole: null, isRequired: false, version: 1 },
  };
  const [hash, secret] = [`hash of ${workspaceId}`, 'secret'];
  const flow = { stateHash: hash, browserHash: secret, workspaceId, providerVersion: 1, nonce: secret };
  const rest = {
    codeVerifier: secret,
    redirectUri: 'https://tripod.example.com/sso',
    expiresAtMs: Date.now() + 600_000,
  };
  expect(await providers.save(provider, [], audit())).toBe(true);
  const proved = { ...claimed, workspaceId, provedAt: new Date().toISOString() };
  expect(await providers.prove(proved, null, provider, audit())).toBe(true);
  const link = { workspaceId, userId, issuer: provider.issuer, identityHash: hash };
  expect(await providers.link(link, null, audit())).toBe(true);
  await providers.beginFlow({ ...flow, ...rest });
}
