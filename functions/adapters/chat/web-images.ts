import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import { readBody, SafeFetch } from '../web/safe-fetch.ts';

const FIELD = 'image_url';
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const TYPES = /^image\/(png|jpeg|gif|webp)\b/;

/** Fetches an image for a message, as a data: URL: the model's host may be in a network from which it could reach more than it should. */
export function imageFetcher(allowLoopback: boolean): (url: string, signal: AbortSignal) => Promise<string> {
  const web = new SafeFetch({ field: FIELD, allowLoopback });
  return async (url, signal) => {
    try {
      const response = await web.fetch(url, { headers: { accept: 'image/*' }, timeoutMs: TIMEOUT_MS, signal });
      const type = TYPES.exec(response.headers['content-type'] ?? '')?.[0];
      if (response.status !== 200 || type === undefined) {
        response.close();
        throw refused(
          response.status === 200
            ? `${FIELD} is not a PNG, JPEG, GIF or WebP image.`
            : `${FIELD} answered with status ${response.status} instead of 200.`,
        );
      }
      const bytes = await readBody(response, MAX_IMAGE_BYTES, FIELD);
      return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
    } catch (error) {
      if (error instanceof FetchRefused) throw refused(error.message, error);
      throw error;
    }
  };
}

function refused(message: string, cause?: unknown): ModelFailed {
  return new ModelFailed('invalid_request', message, { cause });
}
