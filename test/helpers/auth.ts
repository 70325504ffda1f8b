import type * as z from 'zod';
import { loginResult } from '../../functions/accounts/auth-schemas.ts';
import { errorFormats } from '../../functions/shared/http/error-formats.ts';
import { type ApiAnswer, call } from './api.ts';
import type { TestService } from './service.ts';

export type Tokens = z.output<typeof loginResult>['data'];

export const AUTH = '/api/v1/auth';
/** Headers that a browser adds to calls of the service's own pages. */
export const browser = ({ baseUrl }: Pick<TestService, 'baseUrl'>) => ({ origin: baseUrl });

/** A call without a credential but for those among the headers. */
export function bare(
  service: Pick<TestService, 'baseUrl'>,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; raw?: string | Buffer } = {},
): Promise<ApiAnswer> {
  return call({ ...service, apiKey: '' }, method, path, { key: null, ...options });
}

export function login(
  service: Pick<TestService, 'baseUrl'>,
  { email, password }: { readonly email: unknown; readonly password: unknown },
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  return bare(service, 'POST', `${AUTH}/login`, { body: { email, password }, headers });
}

export function refresh(service: Pick<TestService, 'baseUrl'>, refresh_token: unknown): Promise<ApiAnswer> {
  return bare(service, 'POST', `${AUTH}/refresh`, { body: { refresh_token } });
}

export function me(service: Pick<TestService, 'baseUrl'>, accessToken: string): Promise<ApiAnswer> {
  return bare(service, 'GET', `${AUTH}/me`, { headers: bearer(accessToken) });
}

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

/** The tokens of a login or refresh, after a check that its body is what the OpenAPI document promises. */
export function tokensOf(answer: ApiAnswer): Tokens {
  if (answer.status !== 200) throw new Error(`No tokens: ${answer.status} ${JSON.stringify(answer.json)}`);
  return loginResult.strict().parse(answer.json).data;
}

/** The message of an error in the envelope, after a check of its form. */
export function messageOf(answer: ApiAnswer): string {
  const body = errorFormats.envelope.schema.strict().parse(answer.json);
  if (body.code !== answer.status) throw new Error(`The body says ${body.code}, the status line ${answer.status}.`);
  return body.message;
}

/** Cookies that an answer sets, by name, each with its attributes. */
export function cookiesOf({
  headers,
}: Pick<ApiAnswer, 'headers'>): ReadonlyMap<string, { value: string; attributes: string[] }> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals), { value: pair.slice(equals + 1), attributes }] as const;
    }),
  );
}

/** Headers of a browser's page that has these cookies, and knows to send the token against forgery. */
export function pageHeaders(answer: Pick<ApiAnswer, 'headers'>): { cookie: string; 'x-csrf-token': string } {
  const cookies = cookiesOf(answer);
  const cookie = [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  return { cookie, 'x-csrf-token': cookies.get('tripod_csrf')?.value ?? '' };
}
