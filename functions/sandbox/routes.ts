import type { Route, RouteResponse } from '../shared/http/route.ts';
import {
  detail,
  executionBatch,
  executionRequest,
  executionResult,
  executionResults,
  languageList,
} from './schemas.ts';

/** Code of 1 MiB and input of 4 MiB, escaped in JSON. */
const MAX_EXECUTION_BODY_BYTES = 32 * 1024 * 1024;
/** The longest run, and what goes on around it. */
const EXECUTE_TIMEOUT_SECONDS = 300 + 15;
const BATCH_TIMEOUT_SECONDS = 15 * 60;

const limitHeaders = {
  'ratelimit-limit': 'Executions that may be asked for at once, and within a minute',
  'ratelimit-remaining': 'Executions that may be asked for now',
  'ratelimit-reset': 'Seconds until all of them may be',
};

function problem(description: string, headers?: Readonly<Record<string, string>>): RouteResponse {
  return { description, schema: detail, ...(headers && { headers }) };
}

const problems = {
  401: problem('Invalid or missing API key'),
  403: problem('The API key lacks the scope sandbox'),
  413: problem('The body is too large'),
  429: problem('Rate limit exceeded: 100 executions a minute for each key, and a batch of N counts N', {
    ...limitHeaders,
    'retry-after': 'Seconds after which to ask again',
  }),
  500: problem('Execution failed, for the reason given'),
  503: problem('No program can be run here or now, for the reason given', { 'retry-after': 'Seconds' }),
  504: problem('The function ran out of time'),
};

export const executeRoute = {
  id: 'sandbox.execute',
  method: 'POST',
  path: '/api/v1/execute',
  auth: 'api-key',
  scope: 'sandbox',
  handler: 'sandbox/handlers/execute',
  doc: {
    summary: 'Run a program, and wait for its end',
    description:
      'Without network, in a directory of its own that is removed afterwards. A program that ends by itself is a 200, ' +
      'whatever its exit code; one that uses too much memory or disk ends with 137; a timeout is a 500.',
  },
  body: executionRequest,
  responses: {
    200: { description: 'The program has ended', schema: executionResult, headers: limitHeaders },
    400: problem('Unsupported language, invalid code syntax, or invalid parameters'),
    ...problems,
  },
  limits: { timeoutSeconds: EXECUTE_TIMEOUT_SECONDS, memoryMb: 256, maxBodyBytes: MAX_EXECUTION_BODY_BYTES },
  access: { tables: { limits: 'read-write' } },
} as const satisfies Route;

export const executeBatchRoute = {
  id: 'sandbox.execute-batch',
  method: 'POST',
  path: '/api/v1/execute/batch',
  auth: 'api-key',
  scope: 'sandbox',
  handler: 'sandbox/handlers/execute-batch',
  doc: {
    summary: 'Run up to 10 programs, one after another',
    description: 'One that fails has exit_code -1 and the reason in stderr; the others run all the same.',
  },
  body: executionBatch,
  responses: {
    200: { description: 'All have ended', schema: executionResults, headers: limitHeaders },
    400: problem('More than 10 executions, or an unsupported language or invalid parameters in any: nothing has run'),
    ...problems,
  },
  limits: { timeoutSeconds: BATCH_TIMEOUT_SECONDS, memoryMb: 256, maxBodyBytes: MAX_EXECUTION_BODY_BYTES },
  access: { tables: { limits: 'read-write' } },
} as const satisfies Route;

export const listLanguagesRoute = {
  id: 'sandbox.list-languages',
  method: 'GET',
  path: '/api/v1/languages',
  auth: 'api-key',
  scope: 'sandbox',
  handler: 'sandbox/handlers/list-languages',
  doc: { summary: 'The languages that can be run, with their versions' },
  responses: { 200: { description: 'By name', schema: languageList }, ...problems },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: {},
} as const satisfies Route;

export const sandboxRoutes: readonly Route[] = [executeRoute, executeBatchRoute, listLanguagesRoute];
