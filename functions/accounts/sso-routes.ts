import { table } from '../shared/access.ts';
import type { Route } from '../shared/http/route.ts';
import type { RateLimit } from '../shared/limits/rate-limit.ts';
import { linksPerAddress } from './auth-routes.ts';
import { browserHeaders, loginResult } from './auth-schemas.ts';
import { signInBody, signInCallbackBody, signInResult, ssoBody, ssoResult } from './sso-schemas.ts';

const settingsPath = '/api/v1/workspace/sso';
const signInPath = '/api/v1/auth/sso';
const QUICK = { timeoutSeconds: 10, memoryMb: 256 } as const;
/** Up to four requests to the provider, of five seconds at most. */
const ASKS_PROVIDER = { timeoutSeconds: 29, memoryMb: 512 } as const;
const byOwners = { auth: ['jwt', 'cookie'], role: 'owner', errors: 'envelope' } as const;

/** Each call makes requests to other hosts: ten at once, then one every 30 s. */
export const ssoChecksPerPrincipal: RateLimit = { name: 'sso-checks', burst: 10, refillMs: 30_000 };

export const getSsoRoute = {
  ...byOwners,
  id: 'accounts.get-sso',
  method: 'GET',
  path: settingsPath,
  doc: { summary: 'The identity provider of the workspace', description: 'For people only, no keys.' },
  responses: {
    200: { description: 'The settings, without the secret', schema: ssoResult },
    404: { description: 'sso_not_configured: there is none' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const configureSsoRoute = {
  ...byOwners,
  id: 'accounts.configure-sso',
  method: 'PUT',
  path: settingsPath,
  doc: {
    summary: 'Configure single sign-on by OpenID Connect',
    description:
      'The issuer must answer. Each domain counts once the workspace has proved it by its TXT record; a domain that is no longer listed is ' +
      'free again. For people only, no keys.',
  },
  headers: browserHeaders,
  body: ssoBody,
  rateLimits: [{ limit: ssoChecksPerPrincipal, per: 'principal' }],
  responses: {
    200: { description: 'The settings, with the records to publish', schema: ssoResult },
    409: { description: 'sso_changed: another change came first' },
    422: {
      description:
        'sso_provider_unusable: the issuer publishes nothing usable; sso_secret_missing: a new issuer or client_id needs its secret',
    },
  },
  limits: ASKS_PROVIDER,
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    'secrets:seal',
  ],
} as const satisfies Route;

export const removeSsoRoute = {
  ...byOwners,
  id: 'accounts.remove-sso',
  method: 'DELETE',
  path: settingsPath,
  doc: {
    summary: 'Remove single sign-on',
    description: 'Its domains are free again. Members without a password ask for a reset. For people only, no keys.',
  },
  headers: browserHeaders,
  responses: {
    204: { description: 'Removed' },
    404: { description: 'sso_not_configured: there is none' },
    409: { description: 'sso_changed: another change came first' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const proveSsoDomainsRoute = {
  ...byOwners,
  id: 'accounts.prove-sso-domains',
  method: 'POST',
  path: `${settingsPath}/domains/proof`,
  doc: {
    summary: 'Look for the DNS records that prove the domains',
    description:
      'A domain belongs to one workspace. Another workspace gets it when the record of its holder is gone and its own is there.',
  },
  headers: browserHeaders,
  rateLimits: [{ limit: ssoChecksPerPrincipal, per: 'principal' }],
  responses: {
    200: { description: 'The settings: all domains are proved', schema: ssoResult },
    404: { description: 'sso_not_configured: there is no provider' },
    409: {
      description:
        'sso_domain_unproved: a record is missing; sso_domain_taken: the record of another workspace is there; sso_changed: another change came first',
    },
    503: { description: 'sso_provider_unavailable: the name servers do not answer' },
  },
  limits: ASKS_PROVIDER,
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  ],
} as const satisfies Route;

export const beginSignInRoute = {
  id: 'accounts.begin-sign-in',
  method: 'POST',
  path: signInPath,
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Start to sign in at the identity provider of an e-mail domain',
    description:
      'For pages of the service or of an allowed origin. The provider sends the browser back to `/sso` of that origin within ten minutes; the ' +
      'page there sends the parameters to `POST /api/v1/auth/sso/callback`.',
  },
  headers: browserHeaders,
  body: signInBody,
  rateLimits: [{ limit: linksPerAddress, per: 'address' }],
  responses: {
    200: { description: 'The page of the provider; a cookie binds the sign-in to the browser', schema: signInResult },
    401: { description: 'sso_token_refused: what the provider publishes was refused' },
    404: { description: 'sso_not_configured: no workspace has proved this domain' },
    503: { description: 'sso_provider_unavailable: the provider cannot be reached' },
  },
  limits: ASKS_PROVIDER,
  access: [table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const completeSignInRoute = {
  id: 'accounts.complete-sign-in',
  method: 'POST',
  path: `${signInPath}/callback`,
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Complete a sign-in by the parameters that the identity provider has sent back',
    description:
      'Good once, within ten minutes, in the browser that started. The provider has checked the person: no second factor of this service is asked for.',
  },
  headers: browserHeaders,
  body: signInCallbackBody,
  rateLimits: [{ limit: linksPerAddress, per: 'address' }],
  responses: {
    200: { description: 'Tokens of a new session', schema: loginResult },
    400: { description: 'sso_flow_expired: completed already, too late, or of another browser' },
    401: { description: 'sso_token_refused: the code or the tokens were refused' },
    403: {
      description:
        'sso_denied: the provider refused; sso_email_refused: the address is not verified, or not of a proved domain; sso_not_invited: not a member',
    },
    409: {
      description:
        'email_taken: the address has an account in another workspace; sso_unconfirmed: its account is not confirmed; sso_identity_changed: the address now belongs to another person of the provider; sso_changed: the settings have changed meanwhile',
    },
    503: { description: 'sso_provider_unavailable: the provider cannot be reached' },
  },
  limits: ASKS_PROVIDER,
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    'secrets:open',
    'signing',
  ],
} as const satisfies Route;

export const ssoRoutes: readonly Route[] = [
  getSsoRoute,
  configureSsoRoute,
  removeSsoRoute,
  proveSsoDomainsRoute,
  beginSignInRoute,
  completeSignInRoute,
];
