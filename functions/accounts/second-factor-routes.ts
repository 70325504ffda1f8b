import { table } from '../shared/access.ts';
import type { Route } from '../shared/http/route.ts';
import { loginsPerPair } from './auth-routes.ts';
import { browserHeaders, doneResult } from './auth-schemas.ts';
import {
  confirmFactorBody,
  confirmFactorResult,
  disableFactorBody,
  enrolBody,
  enrolResult,
  recoveryCodesResult,
  secondFactorResult,
} from './second-factor-schemas.ts';

const path = '/api/v1/auth/second-factor';
const QUICK = { timeoutSeconds: 20, memoryMb: 256 } as const;
/** A password hash takes a second of a processor. */
const HASHING = { timeoutSeconds: 29, memoryMb: 1769 } as const;
/** Guesses at a code are limited as guesses at a password are. */
const guarded = {
  auth: ['jwt', 'cookie'],
  errors: 'envelope',
  rateLimits: [{ limit: loginsPerPair, per: 'principal' }],
} as const;

export const getSecondFactorRoute = {
  id: 'accounts.get-second-factor',
  method: 'GET',
  path,
  auth: ['jwt', 'cookie'],
  allowsEnrolment: true,
  errors: 'envelope',
  doc: { summary: 'Your second factor', description: 'For people only, no keys.' },
  responses: { 200: { description: 'Whether it is on', schema: secondFactorResult } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem')],
} as const satisfies Route;

export const enrolSecondFactorRoute = {
  ...guarded,
  id: 'accounts.enrol-second-factor',
  method: 'POST',
  path,
  allowsEnrolment: true,
  doc: {
    summary: 'Start to enrol a second factor',
    description:
      'Time-based one-time passwords (RFC 6238). It is on once a first code has confirmed it; another call before that replaces the secret.',
  },
  body: enrolBody,
  responses: {
    200: { description: 'The secret, for an authenticator app', schema: enrolResult },
    403: { description: 'wrong_password, or a call by cookie without its x-csrf-token' },
    409: { description: 'second_factor_on: one is on already' },
  },
  limits: HASHING,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'), 'secrets:seal'],
} as const satisfies Route;

export const confirmSecondFactorRoute = {
  ...guarded,
  id: 'accounts.confirm-second-factor',
  method: 'POST',
  path: `${path}/confirm`,
  allowsEnrolment: true,
  doc: {
    summary: 'Switch the second factor on by its first code',
    description: 'All sessions of the user end; the response has the tokens of a new one, and the recovery codes.',
  },
  headers: browserHeaders,
  body: confirmFactorBody,
  responses: {
    200: { description: 'Recovery codes, and tokens of a new session', schema: confirmFactorResult },
    403: { description: 'wrong_code, or a call by cookie without its x-csrf-token' },
    409: { description: 'second_factor_off: no enrolment has started; second_factor_on: it is on already' },
  },
  limits: QUICK,
  access: [
    table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
    'secrets:open',
    'signing',
  ],
} as const satisfies Route;

export const replaceRecoveryCodesRoute = {
  ...guarded,
  id: 'accounts.replace-recovery-codes',
  method: 'POST',
  path: `${path}/recovery-codes`,
  doc: { summary: 'Replace your recovery codes', description: 'The former ones are refused from then on.' },
  body: confirmFactorBody,
  responses: {
    200: { description: 'The new codes, shown this once', schema: recoveryCodesResult },
    403: { description: 'wrong_code, or a call by cookie without its x-csrf-token' },
    409: { description: 'second_factor_off: you have none; member_changed: another change came first' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'), 'secrets:open'],
} as const satisfies Route;

export const disableSecondFactorRoute = {
  ...guarded,
  id: 'accounts.disable-second-factor',
  method: 'POST',
  path: `${path}/disable`,
  doc: { summary: 'Disable your second factor', description: 'Needs the password and a code.' },
  body: disableFactorBody,
  responses: {
    200: { description: 'It is off', schema: doneResult },
    403: { description: 'wrong_password, wrong_code, or a call by cookie without its x-csrf-token' },
    409: {
      description:
        'second_factor_off: you have none; second_factor_enforced: the workspace requires one; member_changed: another change came first',
    },
  },
  limits: HASHING,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'), 'secrets:open'],
} as const satisfies Route;

export const secondFactorRoutes: readonly Route[] = [
  getSecondFactorRoute,
  enrolSecondFactorRoute,
  confirmSecondFactorRoute,
  replaceRecoveryCodesRoute,
  disableSecondFactorRoute,
];
