import createClient from 'openapi-fetch';
import { language } from '../texts/i18n.ts';
import type { paths } from './openapi.d.ts';
import { Problem, problemOf } from './problem.ts';
import { csrfToken, loggedInAgain } from './session-cookie.ts';

const NEEDS_NO_SESSION = /\/api\/v1\/auth\/(login|register|me|sso|sso\/callback)$/;

/** The public API, as its own description types it. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: apiFetch });

/**
 * One call with the session's cookie. Where the session has ended, it waits until the person has logged in again and is then made once
 * more: nothing that was typed is lost. @throws Problem without a network
 */
export async function apiFetch(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await send(request);
  if (response.status !== 401 || NEEDS_NO_SESSION.test(new URL(request.url).pathname)) return response;
  await loggedInAgain();
  return send(again);
}

async function send(request: Request): Promise<Response> {
  request.headers.set('accept-language', language());
  if (request.method !== 'GET') request.headers.set('x-csrf-token', csrfToken());
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Problem(0, 'offline', 'The service cannot be reached.');
  }
}

/** The payload of a successful call. @throws Problem */
export async function dataOf<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response, error);
  return data as T;
}

/**
 * The same with the version of the record, for a change that must not overwrite another one.
 * @throws Problem
 */
export async function versionedDataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<{ data: T; etag: string }> {
  const data = await dataOf(call);
  return { data, etag: (await call).response.headers.get('etag') ?? '*' };
}
