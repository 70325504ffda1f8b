import { bucket, table } from '../shared/access.ts';
import { retryable } from '../shared/http/implied-errors.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import { perMinute } from '../shared/limits/base-limits.ts';
import { drugMasterInfo, drugMasterQuery, ownList, ownListBody } from './drug-master-schemas.ts';

/** A list of 20 MB as base64 in JSON. */
const listLimit = {
  maxBytes: 28 * 1024 * 1024,
  advice: 'Compress the file with gzip, or send only the rows that differ from the official list.',
} as const;

export const getDrugMasterRoute = {
  id: 'extraction.get-drug-master',
  method: 'GET',
  path: '/api/v1/drug-master',
  auth: ANY_CREDENTIAL,
  errors: 'extraction',
  doc: {
    summary: 'The drug list that lines are judged by',
    description:
      'Its dates, its size and its source; with search, drugs of it by code or name, and their prices on a day. Where you show drugs or prices of it, show attribution as well: its licence asks for that. Free of charge.',
  },
  query: drugMasterQuery,
  responses: {
    200: { description: 'The list in use', schema: drugMasterInfo },
    400: { description: 'invalid_request: a wrong or unknown parameter' },
    503: retryable('master_missing: the operator has imported no drug price list yet'),
  },
  limits: { timeoutSeconds: 10, memoryMb: 512 },
  access: [table('accounts', 'BatchGetItem', 'GetItem'), bucket('formularies', 'GetObject'), 'drug-master'],
} as const satisfies Route;

const ownListPath = '/api/v1/drug-master/own';

export const putOwnListRoute = {
  id: 'extraction.put-own-list',
  method: 'PUT',
  path: ownListPath,
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'Replace the workspace’s own drug list',
    description:
      'House codes, nick names, drugs that are not reimbursed, negotiated prices: on top of the official list, for this ' +
      'workspace only, from the next page on. Where the two differ, yours holds, and the review of the line says so (own_list). ' +
      'A CSV (UTF-8 or CP949) or XLSX file of up to 20 MB and 100,000 rows, which gzip may have compressed; its first row names the ' +
      'columns: code, name, and price, from, maker, unit where you have them (or 제품코드, 제품명, 상한금액, 적용일자, 업체명, 단위). ' +
      'A wrong row is named, and the former list stays. Free of charge.',
  },
  body: ownListBody,
  bodyLimit: listLimit,
  rateLimits: [{ limit: perMinute('own-lists', 10), per: 'principal' }],
  responses: {
    200: { description: 'The list holds from now on', schema: ownList },
    400: { description: 'invalid_request: not JSON; file is not base64, no CSV or XLSX, or has wrong rows' },
    413: { description: 'request_too_large: the body, or what it unpacks to, is too large' },
  },
  limits: { timeoutSeconds: 29, memoryMb: 1769 },
  access: [
    table('accounts', 'BatchGetItem', 'GetItem'),
    bucket('formularies', 'DeleteObject', 'GetObject', 'PutObject'),
  ],
} as const satisfies Route;

export const getOwnListRoute = {
  id: 'extraction.get-own-list',
  method: 'GET',
  path: ownListPath,
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  errors: 'extraction',
  doc: { summary: 'The workspace’s own drug list: its size, and when it was sent' },
  responses: {
    200: { description: 'The list', schema: ownList },
    404: { description: 'not_found: the workspace has no custom list' },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem'), bucket('formularies', 'GetObject')],
} as const satisfies Route;

export const removeOwnListRoute = {
  id: 'extraction.remove-own-list',
  method: 'DELETE',
  path: ownListPath,
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'owner',
  errors: 'extraction',
  doc: {
    summary: 'Remove the workspace’s own drug list',
    description: 'The official list alone holds from the next page on. 204 as well when there was none.',
  },
  responses: { 204: { description: 'Removed' } },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [
    table('accounts', 'BatchGetItem', 'GetItem'),
    bucket('formularies', 'DeleteObject', 'GetObject', 'PutObject'),
  ],
} as const satisfies Route;

export const drugMasterRoutes: readonly Route[] = [
  getDrugMasterRoute,
  putOwnListRoute,
  getOwnListRoute,
  removeOwnListRoute,
];
