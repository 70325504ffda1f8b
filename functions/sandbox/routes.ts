import { type Access, bucket, queue, table } from '../shared/access.ts';
import { retryable } from '../shared/http/implied-errors.ts';
import { ANY_CREDENTIAL, type Route, type RouteRateLimit } from '../shared/http/route.ts';
import { perMinute } from '../shared/limits/base-limits.ts';
import type { RateLimit } from '../shared/limits/rate-limit.ts';
import { MAX_BATCH_SIZE } from './domain/execute.ts';
import {
  execution,
  executionBatch,
  executionEvent,
  executionHeaders,
  executionParams,
  executionRequest,
  executionResult,
  executionResults,
  languageList,
  sessionPage,
  sessionParams,
  sessionQuery,
  upload,
  uploadBody,
} from './schemas.ts';

/** Code of 1 MiB and input of 4 MiB, escaped in JSON. */
const bodyLimit = {
  maxBytes: 32 * 1024 * 1024,
  advice: 'Code may have up to 1 MiB, and stdin up to 4 MiB.',
} as const;
/** The longest run plus the overhead around it. */
const EXECUTE_TIMEOUT_SECONDS = 300 + 15;
const BATCH_TIMEOUT_SECONDS = 15 * 60;

/** 100 a minute for each key; a batch counts as its programs, and one that is refused for its length counts nothing. */
export const executionsLimit: RateLimit = { name: 'executions', burst: 100, refillMs: 600 };
const ownLimit = {
  limit: executionsLimit,
  per: 'principal',
  cost: (body: unknown) => (Array.isArray(body) ? (body.length > MAX_BATCH_SIZE ? 0 : body.length) : 1),
} as const satisfies RouteRateLimit;

/** Of a deployment where programs have a price. */
const unpaid = {
  402: {
    description: 'insufficient_balance: the balance does not cover the program until its timeout; nothing has run',
  },
} as const;
const runErrors = {
  500: { description: 'Execution failed, for the reason given' },
  503: retryable('No program can be run here or now, for the reason given'),
} as const;
const limitedErrors = {
  ...unpaid,
  ...runErrors,
  429: { description: 'Rate limit exceeded: 100 executions a minute for each key, and a batch of N counts N' },
} as const;

/** Executions of sessions are recorded. */
export const runAccess: Access = [
  table('executions', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  table('usage', 'UpdateItem'),
  bucket('executions', 'DeleteObject', 'GetObject', 'PutObject'),
  'runners:run',
  'charges:sandbox',
];

export const executeRoute = {
  id: 'sandbox.execute',
  method: 'POST',
  path: '/api/v1/execute',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  role: 'admin',
  errors: 'detail',
  doc: {
    summary: 'Run a program, and wait for its end',
    description:
      'Without network, in its own directory that is removed afterwards. A program that ends by itself is a 200, ' +
      'regardless of its exit code; one that uses too much memory or disk ends with 137; a timeout is a 500. Once a program has run ' +
      'for about four minutes, the answer has started as a 200, and a timeout is exit_code -1 with the reason in stderr. Spaces ' +
      'come before the JSON then, so that no connection is idle for long. With Accept: text/event-stream the answer is a stream: ' +
      'events stdout and stderr with what the program prints, up to 1 MiB each, then one result, whose exit_code is -1 where a ' +
      'failure would be a 400 or 500 otherwise; or one error.',
  },
  stream: true,
  headers: executionHeaders,
  body: executionRequest,
  bodyLimit,
  rateLimits: [ownLimit],
  responses: {
    200: {
      description: 'The program has ended; with Accept: text/event-stream, it has started',
      schema: executionResult,
      events: executionEvent,
    },
    400: { description: 'Unsupported language, invalid code syntax, or invalid parameters' },
    ...limitedErrors,
  },
  limits: { timeoutSeconds: EXECUTE_TIMEOUT_SECONDS, memoryMb: 256 },
  access: runAccess,
} as const satisfies Route;

const uploadsLimit = perMinute('execution-uploads', 120);

export const createInputUploadRoute = {
  id: 'sandbox.create-upload',
  method: 'POST',
  path: '/api/v1/execute/uploads',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  role: 'admin',
  errors: 'detail',
  doc: {
    summary: 'A place to send a file for programs to',
    description:
      'PUT the file to upload_url with a Content-Length of exactly size bytes. Programs of the same workspace then find it by ' +
      'files: [{"path": …, "upload_url": …}], in any number of requests, for 24 hours. The files of a request are at most 24 MiB in all. 120 a minute.',
  },
  body: uploadBody,
  rateLimits: [{ limit: uploadsLimit, per: 'principal' }],
  responses: {
    200: { description: 'The address', schema: upload },
    400: { description: 'size is missing, no whole number, or more than 24 MiB' },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  // An address can do no more than who signs it.
  access: [bucket('executions', 'PutObject')],
} as const satisfies Route;

export const executeBatchRoute = {
  id: 'sandbox.execute-batch',
  method: 'POST',
  path: '/api/v1/execute/batch',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  role: 'admin',
  errors: 'detail',
  doc: {
    summary: 'Run up to 10 programs, one after another',
    description: 'One that fails has exit_code -1 and the reason in stderr; the others run all the same.',
  },
  stream: true,
  body: executionBatch,
  bodyLimit,
  rateLimits: [ownLimit],
  responses: {
    200: { description: 'All have ended', schema: executionResults },
    400: {
      description: 'More than 10 executions, or an unsupported language or invalid parameters in any: nothing has run',
    },
    ...limitedErrors,
  },
  limits: { timeoutSeconds: BATCH_TIMEOUT_SECONDS, memoryMb: 256 },
  access: runAccess,
} as const satisfies Route;

export const executeAsyncRoute = {
  id: 'sandbox.execute-async',
  method: 'POST',
  path: '/api/v1/execute/async',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  role: 'admin',
  errors: 'detail',
  doc: {
    summary: 'Run a program in the background',
    description:
      'Answers at once; poll GET /api/v1/execute/status/{execution_id} until status is completed or failed. It is run once, ' +
      'or not at all: an interrupted one ends as failed. One that finds no free runner is pending again, and failed when ' +
      'there has been none for three quarters of an hour. The result is kept for 24 hours after the end.',
  },
  body: executionRequest,
  bodyLimit,
  rateLimits: [ownLimit],
  responses: {
    200: { description: 'The execution, pending', schema: execution },
    400: {
      description: 'Unsupported language, or invalid parameters; invalid code syntax ends the execution as failed',
    },
    ...limitedErrors,
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [
    table('executions', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('executions', 'DeleteObject', 'GetObject', 'PutObject'),
    queue('executions', 'send'),
    'charges:sandbox',
    'runners:languages',
  ],
} as const satisfies Route;

export const getExecutionRoute = {
  id: 'sandbox.get-execution',
  method: 'GET',
  path: '/api/v1/execute/status/{execution_id}',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  errors: 'detail',
  doc: {
    summary: 'How an execution stands',
    description:
      'Of one that was asked for asynchronously, or with a session_id. A timeout is failed, with exit_code -1.',
  },
  stream: true,
  params: executionParams,
  responses: {
    200: { description: 'The execution, with its result when it has ended', schema: execution },
    404: { description: 'Execution <execution_id> not found: unknown, removed, or ended more than 24 hours ago' },
  },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('executions', 'BatchGetItem', 'GetItem'), bucket('executions', 'GetObject')],
} as const satisfies Route;

export const cancelExecutionRoute = {
  id: 'sandbox.cancel-execution',
  method: 'DELETE',
  path: '/api/v1/execute/{execution_id}',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  role: 'admin',
  errors: 'detail',
  doc: {
    summary: 'Cancel an execution, or remove one that has ended',
    description:
      'A pending one never starts; a running one is ended with all its processes within about a second. Both are failed then, ' +
      'with exit_code -1 and "Execution cancelled". One that has ended is removed with its result.',
  },
  params: executionParams,
  responses: {
    204: { description: 'Cancelled or removed' },
    404: { description: 'Execution <execution_id> not found: unknown, removed, or ended more than 24 hours ago' },
  },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [
    table('executions', 'BatchGetItem', 'DeleteItem', 'GetItem', 'UpdateItem'),
    bucket('executions', 'DeleteObject', 'GetObject', 'PutObject'),
  ],
} as const satisfies Route;

export const listSessionRoute = {
  id: 'sandbox.list-session',
  method: 'GET',
  path: '/api/v1/sessions/{session_id}',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  errors: 'detail',
  doc: {
    summary: 'The executions of a session',
    description:
      'All that carried its session_id and ran: single ones, those of batches, asynchronous ones. Newest first, in pages; ' +
      'GET /api/v1/execute/status/{execution_id} has the result of each.',
  },
  params: sessionParams,
  query: sessionQuery,
  responses: {
    200: { description: 'A page of the session', schema: sessionPage },
    400: { description: 'limit, cursor or session_id is not valid' },
    404: {
      description: 'Session <session_id> not found: it has no executions, or had its last more than 24 hours ago',
    },
  },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('executions', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const removeSessionRoute = {
  id: 'sandbox.remove-session',
  method: 'DELETE',
  path: '/api/v1/sessions/{session_id}',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  role: 'admin',
  errors: 'detail',
  doc: {
    summary: 'Remove the executions of a session, with their results',
    description:
      'A pending execution never starts; a running one ends within about a second. An interpreter that is kept for it ends at once.',
  },
  params: sessionParams,
  responses: {
    204: { description: 'Removed' },
    400: { description: 'session_id is not valid' },
    404: { description: 'Session <session_id> not found: it has no executions' },
    503: retryable('There are more executions than one call can remove: send it again'),
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [
    table('executions', 'BatchGetItem', 'DeleteItem', 'GetItem', 'Query', 'UpdateItem'),
    bucket('executions', 'DeleteObject', 'GetObject'),
    'runners:run',
  ],
} as const satisfies Route;

export const listLanguagesRoute = {
  id: 'sandbox.list-languages',
  method: 'GET',
  path: '/api/v1/languages',
  auth: ANY_CREDENTIAL,
  scope: 'sandbox',
  errors: 'detail',
  doc: { summary: 'The languages that can be run, with their versions and packages' },
  responses: { 200: { description: 'By name', schema: languageList }, ...runErrors },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: ['runners:languages'],
} as const satisfies Route;

export const sandboxRoutes: readonly Route[] = [
  executeRoute,
  createInputUploadRoute,
  executeBatchRoute,
  executeAsyncRoute,
  getExecutionRoute,
  cancelExecutionRoute,
  listSessionRoute,
  removeSessionRoute,
  listLanguagesRoute,
];
