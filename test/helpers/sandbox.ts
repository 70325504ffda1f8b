import * as z from 'zod';
import { detail, executionResult } from '../../functions/sandbox/schemas.ts';
import { type ApiAnswer, call } from './api.ts';
import type { TestService } from './service.ts';

type Service = Pick<TestService, 'baseUrl' | 'apiKey'>;

export const EXECUTE_PATH = '/api/v1/execute';
export const BATCH_PATH = '/api/v1/execute/batch';

export const execute = (service: Service, body: unknown) => call(service, 'POST', EXECUTE_PATH, { body });
export const executeBatch = (service: Service, body: unknown) => call(service, 'POST', BATCH_PATH, { body });

/** The error text, after a check that the body is exactly what specification 3 §7 promises. */
export function detailOf(answer: ApiAnswer): string {
  return detail.strict().parse(answer.json).detail;
}

export function resultOf(answer: ApiAnswer): z.output<typeof executionResult> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return executionResult.strict().parse(answer.json);
}

export function resultsOf(answer: ApiAnswer): z.output<typeof executionResult>[] {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return z.array(executionResult.strict()).parse(answer.json);
}

/** Why no program can be run on this machine; an empty text where it can. */
export async function whyNoSandbox(service: Service): Promise<string> {
  const answer = await call(service, 'GET', '/api/v1/languages');
  return answer.status === 503 ? detailOf(answer) : '';
}
