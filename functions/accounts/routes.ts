import { table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { retryable } from '../shared/http/implied-errors.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import { perMinute } from '../shared/limits/base-limits.ts';
import {
  apiKeyBody,
  apiKeyList,
  apiKeyParams,
  auditPage,
  auditQuery,
  balance,
  balanceChange,
  createdApiKey,
  entriesQuery,
  ledgerPage,
  paymentBody,
  topUpBody,
  topUpResult,
  usageQuery,
  usageReport,
} from './schemas.ts';

const ownersOnly = {
  403: { description: 'forbidden: the API key is narrowed to some services, and so cannot act as the owner' },
} as const;
const tryAgain = {
  503: retryable('try_again: too many charges ended at the same moment; nothing was changed'),
} as const;

export const getBalanceRoute = {
  id: 'accounts.get-balance',
  method: 'GET',
  path: '/api/v1/balance',
  auth: ANY_CREDENTIAL,
  errors: 'extraction',
  doc: { summary: 'Prepaid balance of the workspace', description: 'Independent of any product, and never charged.' },
  responses: { 200: { description: 'The balance', schema: balance } },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const changeBalanceRoute = {
  id: 'accounts.change-balance',
  method: 'PATCH',
  path: '/api/v1/balance',
  auth: ANY_CREDENTIAL,
  errors: 'extraction',
  role: 'owner',
  doc: {
    summary: 'Set the threshold of the low-balance e-mail',
    description:
      'The owners get one e-mail when a charge leaves the balance at or below the threshold, and the next one only after ' +
      'the balance has been above it. With a threshold that the balance is already below, the e-mail comes with the next charge.',
  },
  body: balanceChange,
  responses: {
    200: { description: 'The balance', schema: balance },
    ...ownersOnly,
    ...tryAgain,
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const topUpRoute = {
  id: 'accounts.top-up',
  method: 'POST',
  path: '/api/v1/balance/top-ups',
  auth: ANY_CREDENTIAL,
  errors: 'extraction',
  role: 'owner',
  doc: {
    summary: 'Book a payment to the balance',
    description:
      'The reference names the payment, and a payment is booked once: sent again, the first entry is the answer, with the ' +
      'header idempotent-replayed. That holds for ever, not only for the 24 hours of an Idempotency-Key. Hosted, payments ' +
      'are posted by the operator or the payment provider alone, and this call is a 403, unless the deployment has topUps=self.',
  },
  body: topUpBody,
  responses: {
    201: {
      description: 'The entry, and the balance as it is now',
      schema: topUpResult,
      headers: { 'idempotent-replayed': '"true" when the payment was booked by an earlier call' },
    },
    403: {
      description:
        'operators_only: payments are posted by the operator here; or a key that is narrowed to some services',
    },
    422: { description: 'reference_reused: the reference was booked with another amount' },
    ...tryAgain,
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    'payments:self',
  ],
} as const satisfies Route;

export const postPaymentRoute = {
  id: 'accounts.post-payment',
  method: 'POST',
  path: '/api/v1/payments',
  auth: ['signature'],
  errors: 'extraction',
  doc: {
    summary: 'Receive a confirmed payment of the payment provider',
    description:
      'A webhook, signed as Standard Webhooks has it, with the payment secret of the deployment. The reference names the ' +
      'payment, which is posted once, however often it is sent.',
  },
  body: paymentBody,
  responses: {
    201: {
      description: 'The entry, and the balance as it is now',
      schema: topUpResult,
      headers: { 'idempotent-replayed': '"true" when the payment was posted by an earlier call' },
    },
    401: {
      description: 'The signature is missing or wrong, or its timestamp is more than 5 minutes away, past or future',
    },
    404: { description: 'unknown_workspace' },
    422: { description: 'reference_reused: the reference was posted with another amount' },
    503: retryable(
      'try_again: too many charges ended at the same moment; or not_configured: no payment provider is set up',
    ),
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    'payments:webhook',
  ],
} as const satisfies Route;

export const listEntriesRoute = {
  id: 'accounts.list-entries',
  method: 'GET',
  path: '/api/v1/balance/entries',
  auth: ANY_CREDENTIAL,
  errors: 'extraction',
  doc: {
    summary: 'The ledger: every change of the balance, and every free call',
    description:
      'Newest first, in pages. Entries posted between two pages shift nothing. freePagesLeft says how many extractions are still free.',
  },
  query: entriesQuery,
  responses: {
    200: { description: 'A page of the ledger', schema: ledgerPage },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

const keyOwnersOnly = {
  403: { description: 'forbidden: the credential is less than an owner’s; a key needs every scope' },
} as const;

/** Each leaves an audit entry, which is kept for long. */
const keysLimit = perMinute('api-keys', 30);

export const createApiKeyRoute = {
  id: 'accounts.create-api-key',
  method: 'POST',
  path: '/api/v1/api-keys',
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Make an API key',
    description:
      'One key serves extraction, chat and sandbox, unless `scopes` narrows it. The value is in this response and in no ' +
      'other: only a hash of it is stored. A response that was lost leaves a key in the list whose value no one has: revoke it.',
  },
  body: apiKeyBody,
  rateLimits: [{ limit: keysLimit, per: 'principal' }],
  responses: {
    201: { description: 'The key', schema: envelopeOf(createdApiKey) },
    400: { description: 'invalid_request: a wrong or unknown field; expires_at is not in the future' },
    ...keyOwnersOnly,
    409: { description: 'name_taken: another key of the workspace has this name' },
    422: { description: 'too_many_keys: the workspace has 100 keys; invalid_request: no such scope' },
    ...tryAgain,
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem')],
} as const satisfies Route;

export const listApiKeysRoute = {
  id: 'accounts.list-api-keys',
  method: 'GET',
  path: '/api/v1/api-keys',
  auth: ANY_CREDENTIAL,
  scope: 'all',
  errors: 'envelope',
  doc: { summary: 'The API keys of the workspace', description: 'Without their values, which are stored nowhere.' },
  responses: { 200: { description: 'The keys', schema: envelopeOf(apiKeyList) } },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const revokeApiKeyRoute = {
  id: 'accounts.revoke-api-key',
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Revoke an API key for good',
    description: 'Its next use is refused; calls in progress continue. A key may revoke itself.',
  },
  params: apiKeyParams,
  responses: {
    204: { description: 'The key is revoked' },
    ...keyOwnersOnly,
    404: { description: 'not_found: unknown, of another workspace, or revoked already' },
    ...tryAgain,
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const getUsageRoute = {
  id: 'accounts.get-usage',
  method: 'GET',
  path: '/api/v1/usage',
  auth: ANY_CREDENTIAL,
  errors: 'envelope',
  doc: {
    summary: 'Calls, KRW, pages, tokens and sandbox seconds of a period',
    description:
      'Counted with the record of each call: pages that were read (an image of a batch is a call), programs that ran, ' +
      'completions. Refused calls are not counted. Days are those of UTC; kept for 400 days.',
  },
  query: usageQuery,
  responses: {
    200: { description: 'The sums by group, and over all', schema: envelopeOf(usageReport) },
    400: { description: 'invalid_request: not a day, from after to, or more than 366 days' },
  },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('usage', 'Query')],
} as const satisfies Route;

export const listAuditRoute = {
  id: 'accounts.list-audit',
  method: 'GET',
  path: '/api/v1/audit',
  auth: ANY_CREDENTIAL,
  scope: 'all',
  errors: 'envelope',
  doc: {
    summary: 'The audit trail: logins, members, keys, top-ups and thresholds',
    description: 'Who did what, when, and from where. Newest first, in pages; kept for 400 days.',
  },
  query: auditQuery,
  responses: {
    200: { description: 'A page of the entries', schema: envelopeOf(auditPage) },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const accountsRoutes: readonly Route[] = [
  getBalanceRoute,
  changeBalanceRoute,
  topUpRoute,
  postPaymentRoute,
  listEntriesRoute,
  createApiKeyRoute,
  listApiKeysRoute,
  revokeApiKeyRoute,
  getUsageRoute,
  listAuditRoute,
];
