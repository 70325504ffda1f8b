import { table } from '../shared/access.ts';
import { ANY_CREDENTIAL, type Route, type RouteRateLimit } from '../shared/http/route.ts';
import type { RateLimit } from '../shared/limits/rate-limit.ts';
import {
  acceptBody,
  browserHeaders,
  confirmBody,
  doneResult,
  jwks,
  loginBody,
  loginResult,
  meResult,
  passwordBody,
  refreshBody,
  refreshResult,
  registerBody,
  registerResult,
  resetBody,
  resetRequestBody,
} from './auth-schemas.ts';

const SECOND = 1_000;
/** A password hash takes a second of a processor, which Lambda gives whole at this size. */
const HASHING = { timeoutSeconds: 29, memoryMb: 1769 } as const;
const QUICK = { timeoutSeconds: 10, memoryMb: 256 } as const;

/** Guesses at one password from one address: ten at once, then one every 30 s. */
export const loginsPerPair: RateLimit = { name: 'logins-pair', burst: 10, refillMs: 30 * SECOND };
/** The same for all addresses together that have never logged in to the account: known addresses are not locked out. */
export const loginsPerEmail: RateLimit = { name: 'logins-email', burst: 50, refillMs: 30 * SECOND };
/** Guesses at many: thirty at once, then one every 2 s. */
export const loginsPerAddress: RateLimit = { name: 'logins-address', burst: 30, refillMs: 2 * SECOND };
/** Registrations of one address from one other: strangers use up no one else's. */
export const registrationsPerPair: RateLimit = { name: 'registrations-pair', burst: 10, refillMs: 3_600 * SECOND };
export const registrationsPerAddress: RateLimit = { name: 'registrations', burst: 20, refillMs: 180 * SECOND };
export const refreshesPerAddress: RateLimit = { name: 'refreshes', burst: 300, refillMs: SECOND / 5 };

export const mailsPerAddress: RateLimit = { name: 'mails-address', burst: 20, refillMs: 60 * SECOND };
export const confirmationsPerPrincipal: RateLimit = { name: 'confirmations', burst: 3, refillMs: 3_600 * SECOND };
/** Mails to one address at the request of one other: three at once; and at that of all strangers together. */
export const resetsPerPair: RateLimit = { name: 'resets-pair', burst: 3, refillMs: 600 * SECOND };
export const resetsPerEmail: RateLimit = { name: 'resets-email', burst: 10, refillMs: 1_800 * SECOND };
export const linksPerAddress: RateLimit = { name: 'links-address', burst: 30, refillMs: 2 * SECOND };

const ofEmail = (body: unknown): string => (body as { readonly email: string }).email;
const ofPair = (body: unknown, address: string): string => `${ofEmail(body)} ${address}`;
const loginLimits = [
  { limit: loginsPerAddress, per: 'address' },
  { limit: loginsPerPair, per: 'body', subject: ofPair },
  { limit: loginsPerEmail, per: 'body', subject: ofEmail, sparesKnown: ofEmail },
] as const satisfies readonly RouteRateLimit[];

export const registerRoute = {
  id: 'accounts.register',
  method: 'POST',
  path: '/api/v1/auth/register',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Make a workspace, with its owner and its first API key',
    description:
      'The key has every scope and is shown this once. The owner is logged in; a browser gets the session cookie as well. ' +
      'Hosted deployments send a mail to confirm the address: until then the workspace can be looked at, and every call ' +
      'that changes or runs something answers 403 email_unconfirmed. An unconfirmed workspace expires after seven days, and ' +
      'does not occupy its address. Deployments can switch registration off.',
  },
  headers: browserHeaders,
  body: registerBody,
  rateLimits: [
    { limit: registrationsPerAddress, per: 'address' },
    { limit: registrationsPerPair, per: 'body', subject: ofPair },
  ],
  responses: {
    201: { description: 'The workspace, its key, and tokens of its owner', schema: registerResult },
    429: { description: 'rate_limited: too many registrations, of this address or in all; Retry-After says when' },
    403: { description: 'registration_closed: workspaces are made by the operator of this deployment' },
    409: { description: 'email_taken: the e-mail address is registered already' },
  },
  limits: HASHING,
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    'signing',
  ],
} as const satisfies Route;

export const loginRoute = {
  id: 'accounts.login',
  method: 'POST',
  path: '/api/v1/auth/login',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Log in with e-mail address and password',
    description:
      'A browser, known by its header Origin or Sec-Fetch-Site, gets the cookies tripod_session and tripod_csrf as well. ' +
      'Calls by cookie that change something need the value of tripod_csrf in the header x-csrf-token. People with a second factor ' +
      'send its code, too.',
  },
  headers: browserHeaders,
  body: loginBody,
  rateLimits: loginLimits,
  responses: {
    200: { description: 'Tokens of a new session', schema: loginResult },
    401: { description: 'wrong_credentials: the e-mail address or the password is wrong' },
    403: {
      description:
        'second_factor_required: send code as well; wrong_code: wrong, or used before; sso_required: sign in at your identity provider',
    },
  },
  limits: HASHING,
  access: [
    table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    'secrets:open',
    'signing',
  ],
} as const satisfies Route;

export const requestConfirmationRoute = {
  id: 'accounts.request-confirmation',
  method: 'POST',
  path: '/api/v1/auth/confirmation',
  auth: ['jwt', 'cookie'],
  allowsUnconfirmed: true,
  errors: 'envelope',
  doc: { summary: 'Ask again for the mail that confirms your address' },
  rateLimits: [{ limit: confirmationsPerPrincipal, per: 'principal' }],
  responses: {
    202: { description: 'The mail is on its way', schema: doneResult },
    409: { description: 'already_confirmed: there is nothing to confirm' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const confirmEmailRoute = {
  id: 'accounts.confirm-email',
  method: 'POST',
  path: '/api/v1/auth/confirm-email',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Confirm the e-mail address of a registration',
    description:
      'Takes the token of the mail and the password of the registration, so that no one can make another person confirm an ' +
      'account that is not theirs. Of several registrations of an address the first that is confirmed gets it.',
  },
  headers: browserHeaders,
  body: confirmBody,
  rateLimits: [{ limit: linksPerAddress, per: 'address' }],
  responses: {
    200: { description: 'Tokens of a new session', schema: loginResult },
    400: { description: 'invalid_request, or invalid_link: unknown, used already, or expired' },
    401: { description: 'wrong_credentials: not the password of the registration' },
    409: { description: 'email_taken: the address has got an account meanwhile' },
  },
  limits: HASHING,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'), 'signing'],
} as const satisfies Route;

export const refreshRoute = {
  id: 'accounts.refresh',
  method: 'POST',
  path: '/api/v1/auth/refresh',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Get a new access token, and the next refresh token',
    description:
      'A refresh token is replaced each time: use the new one from then on. For ten seconds the former one gives the same ' +
      'successor, so that a lost response can be asked for again. Later it counts as stolen, and the session ends.',
  },
  body: refreshBody,
  rateLimits: [{ limit: refreshesPerAddress, per: 'address' }],
  responses: {
    200: { description: 'New tokens of the session', schema: refreshResult },
    401: { description: 'invalid_refresh_token: unknown, expired or revoked; log in again' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'), 'signing'],
} as const satisfies Route;

export const logoutRoute = {
  id: 'accounts.logout',
  method: 'POST',
  path: '/api/v1/auth/logout',
  auth: ['jwt', 'cookie'],
  allowsUnconfirmed: true,
  allowsEnrolment: true,
  errors: 'envelope',
  doc: {
    summary: 'End the session',
    description:
      'Its access tokens, its refresh token and its cookie are refused from then on, and a browser forgets the cookie.',
  },
  responses: { 200: { description: 'The session has ended', schema: doneResult } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem')],
} as const satisfies Route;

export const getMeRoute = {
  id: 'accounts.get-me',
  method: 'GET',
  path: '/api/v1/auth/me',
  auth: ANY_CREDENTIAL,
  allowsEnrolment: true,
  errors: 'envelope',
  doc: { summary: 'Who the credential belongs to, and what it may do' },
  responses: { 200: { description: 'User, workspace, role and scopes', schema: meResult } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const getJwksRoute = {
  id: 'accounts.get-jwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Public keys of the access tokens',
    description:
      'The key that signs, and the one before it. Keep it for five minutes, and ask again for an unknown kid.',
  },
  responses: { 200: { description: 'JSON Web Key Set (RFC 7517)', schema: jwks } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const acceptInvitationRoute = {
  id: 'accounts.accept-invitation',
  method: 'POST',
  path: '/api/v1/auth/accept-invitation',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Join a workspace by the link of an invitation',
    description: 'The link is good once, for seven days.',
  },
  headers: browserHeaders,
  body: acceptBody,
  rateLimits: [{ limit: linksPerAddress, per: 'address' }],
  responses: {
    200: { description: 'Tokens of the new member', schema: loginResult },
    403: { description: 'sso_required: sign in at the identity provider of the workspace instead' },
    400: { description: 'invalid_request, or invalid_link: unknown, used already, or expired' },
    409: { description: 'email_taken: the address has got an account meanwhile' },
  },
  limits: HASHING,
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
    'signing',
  ],
} as const satisfies Route;

export const changePasswordRoute = {
  id: 'accounts.change-password',
  method: 'POST',
  path: '/api/v1/auth/password',
  auth: ['jwt', 'cookie'],
  errors: 'envelope',
  doc: {
    summary: 'Change the password',
    description: 'All sessions of the user end; the response has the tokens of a new one.',
  },
  headers: browserHeaders,
  body: passwordBody,
  rateLimits: [{ limit: loginsPerPair, per: 'principal' }],
  responses: {
    200: { description: 'Tokens of a new session', schema: loginResult },
    403: { description: 'wrong_password, or a call by cookie without its x-csrf-token' },
    409: { description: 'member_changed: the password was changed at the same moment' },
  },
  limits: HASHING,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'), 'signing'],
} as const satisfies Route;

export const requestPasswordResetRoute = {
  id: 'accounts.request-password-reset',
  method: 'POST',
  path: '/api/v1/auth/password-reset',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Ask for a mail to set a new password with',
    description: 'The response is the same whether the address is registered or not.',
  },
  body: resetRequestBody,
  rateLimits: [
    { limit: mailsPerAddress, per: 'address' },
    { limit: resetsPerPair, per: 'body', subject: ofPair },
    { limit: resetsPerEmail, per: 'body', subject: ofEmail, sparesKnown: ofEmail },
  ],
  responses: { 202: { description: 'A mail is sent where the address is registered', schema: doneResult } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const resetPasswordRoute = {
  id: 'accounts.reset-password',
  method: 'POST',
  path: '/api/v1/auth/password-reset/confirm',
  auth: [],
  errors: 'envelope',
  doc: {
    summary: 'Set a new password by the link of a mail',
    description:
      'The link is good once, for an hour, also when others were asked for after it. All sessions of the user end. Where the ' +
      'address was never confirmed, this proves it for the first time: all API keys, other members, invitations, public access ' +
      'tokens and channels of the workspace are removed.',
  },
  body: resetBody,
  rateLimits: [{ limit: linksPerAddress, per: 'address' }],
  responses: {
    200: { description: 'The password is set: log in with it', schema: doneResult },
    400: { description: 'invalid_request, or invalid_link: unknown, used already, or expired' },
  },
  limits: HASHING,
  access: [
    table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('applications', 'BatchWriteItem', 'PutItem', 'Query'),
    table('channels', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query'),
  ],
} as const satisfies Route;

export const authRoutes: readonly Route[] = [
  registerRoute,
  requestConfirmationRoute,
  confirmEmailRoute,
  loginRoute,
  refreshRoute,
  logoutRoute,
  getMeRoute,
  changePasswordRoute,
  requestPasswordResetRoute,
  resetPasswordRoute,
  acceptInvitationRoute,
  getJwksRoute,
];
