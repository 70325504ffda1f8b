import type { HttpAnswer } from '../../channels/domain/platforms/http-answer.ts';
import type { HttpCall } from '../../channels/domain/platforms/platform.ts';
import { readBody, type SafeFetch } from '../web/safe-fetch.ts';

const FIELD = 'The platform';
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * Makes a call of a platform's adapter, and reads the whole answer.
 * @param connectionOwner whose connection is kept for its next call; absent: the connection is closed.
 * @throws FetchRefused
 */
export async function makeCall(
  web: SafeFetch,
  { method, url, headers, body }: HttpCall,
  timeoutMs: number,
  connectionOwner?: string,
): Promise<HttpAnswer> {
  const response = await web.fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body: Buffer.from(body) }),
    timeoutMs,
    ...(connectionOwner !== undefined && { connectionOwner }),
  });
  const text = Buffer.from(await readBody(response, MAX_ANSWER_BYTES, FIELD)).toString('utf8');
  return { status: response.status, headers: response.headers, text };
}
