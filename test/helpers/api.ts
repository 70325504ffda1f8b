import type * as z from 'zod';
import { errorFormats } from '../../functions/shared/http/error-formats.ts';
import type { TestService } from './service.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null where there is no body. */
  readonly json: unknown;
}

/** A call to the running service; `key: null` sends none. */
export async function call(
  service: Pick<TestService, 'baseUrl' | 'apiKey'>,
  method: string,
  path: string,
  options: { key?: string | null; headers?: Record<string, string>; body?: unknown; raw?: string | Buffer } = {},
): Promise<ApiAnswer> {
  const key = options.key === undefined ? service.apiKey : options.key;
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const isScript = response.headers.get('content-type')?.startsWith('text/javascript') ?? false;
  const json = text === '' || isScript ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, json };
}

const extractionError = errorFormats.extraction.schema;

/** The error of an answer, after a check that its body is exactly what the OpenAPI document promises. */
export function problemOf(answer: ApiAnswer): z.output<typeof extractionError>['error'] {
  const body = extractionError.strict().parse(answer.json);
  if (body.code !== answer.status) throw new Error(`The body says ${body.code}, the status line ${answer.status}.`);
  if (body.error.requestId !== answer.headers.get('x-request-id')) throw new Error('The request ids differ.');
  return body.error;
}

export const EXTRACT_PATH = '/api/v1/edi-extract-lite/extract';

/** An extract call of a workspace. */
export function extractCall(
  service: Pick<TestService, 'baseUrl'>,
  workspace: { readonly apiKey: string },
  body: unknown,
  idempotencyKey?: string,
): Promise<ApiAnswer> {
  return call({ ...service, ...workspace }, 'POST', EXTRACT_PATH, {
    body,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
}

/** As `extractCall`, again while the answer is that readers are busy: on a crowded machine that is not a failure. */
export async function extractWhenFree(...call: Parameters<typeof extractCall>): Promise<ApiAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await extractCall(...call);
    if (answer.status !== 503 || attempt === 10) return answer;
  }
}

export const UPLOADS_PATH = '/api/v1/uploads';

/** A workspace asks for a place to send an image to. */
export function uploadCall(
  service: Pick<TestService, 'baseUrl'>,
  workspace: { readonly apiKey: string },
  body: unknown,
): Promise<ApiAnswer> {
  return call({ ...service, ...workspace }, 'POST', UPLOADS_PATH, { body });
}
