import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach } from 'vitest';
import * as z from 'zod';
import { execution, executionResult, sessionPage } from '../../functions/sandbox/schemas.ts';
import { errorFormats } from '../../functions/shared/http/error-formats.ts';
import { type ApiAnswer, call } from './api.ts';
import { type TestService, type UsedService, useService } from './service.ts';

type Service = Pick<TestService, 'baseUrl' | 'apiKey'>;

export const EXECUTE_PATH = '/api/v1/execute';
export const BATCH_PATH = '/api/v1/execute/batch';

export const execute = (service: Service, body: unknown) => call(service, 'POST', EXECUTE_PATH, { body });
export const executeBatch = (service: Service, body: unknown) => call(service, 'POST', BATCH_PATH, { body });

export const ASYNC_PATH = '/api/v1/execute/async';
export const statusPath = (executionId: string) => `/api/v1/execute/status/${executionId}`;
export const executionPath = (executionId: string) => `/api/v1/execute/${executionId}`;
export const sessionPath = (sessionId: string) => `/api/v1/sessions/${encodeURIComponent(sessionId)}`;

export type Execution = z.output<typeof execution>;

/** Asks for an execution in the background. */
export async function submit(service: Service, body: unknown): Promise<Execution> {
  return executionOf(await call(service, 'POST', ASYNC_PATH, { body }));
}

export async function statusOf(service: Service, executionId: string): Promise<Execution> {
  return executionOf(await call(service, 'GET', statusPath(executionId)));
}

/** Polls until the execution is as wanted. */
export async function until(
  service: Service,
  executionId: string,
  isSo: (execution: Execution) => boolean = ({ completed_at }) => completed_at !== null,
): Promise<Execution> {
  for (;;) {
    const found = await statusOf(service, executionId);
    if (isSo(found)) return found;
    await sleep(50);
  }
}

export const isRunning = ({ status }: Execution) => status === 'running';

export const cancel = (service: Service, executionId: string) => call(service, 'DELETE', executionPath(executionId));

export async function listSession(
  service: Service,
  sessionId: string,
  query = '',
): Promise<z.output<typeof sessionPage>> {
  const answer = await call(service, 'GET', sessionPath(sessionId) + query);
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return sessionPage.strict().parse(answer.json);
}

function executionOf(answer: ApiAnswer): Execution {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return execution.strict().parse(answer.json);
}

/** The error text, after a check that the body is exactly of the documented form. */
export function detailOf(answer: ApiAnswer): string {
  return errorFormats.detail.schema.strict().parse(answer.json).detail;
}

export function resultOf(answer: ApiAnswer): z.output<typeof executionResult> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return executionResult.strict().parse(answer.json);
}

export function resultsOf(answer: ApiAnswer): z.output<typeof executionResult>[] {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return z.array(executionResult.strict()).parse(answer.json);
}

export const javascript = (code: string, rest: object = {}) => ({ language: 'javascript', code, ...rest });
/** A program that says that it has started, and never ends. */
export const FOREVER = 'console.log("begun"); setInterval(() => {}, 1e6)';

/** A started service for the tests of a file; they are skipped where no program can be run. */
export function sandboxService(): UsedService {
  let cannot = '';
  const service = useService(async (started) => {
    cannot = await whyNoSandbox(started);
  });
  beforeEach(({ skip }) => {
    if (cannot !== '') skip(cannot);
  });
  return service;
}

/** Why no program can be run on this machine; an empty text where it can. */
export async function whyNoSandbox(service: Service): Promise<string> {
  const answer = await call(service, 'GET', '/api/v1/languages');
  return answer.status === 503 ? detailOf(answer) : '';
}
