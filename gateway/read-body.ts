import type { IncomingMessage } from 'node:http';
import { bodyTooLarge } from '../functions/shared/http/parse-input.ts';
import { bodyLimitOf, type Route } from '../functions/shared/http/route.ts';

/** The whole body, or a 413 as soon as it turns out to be too long; never more than the limit is held in memory. */
export async function readBody(request: IncomingMessage, route: Pick<Route, 'bodyLimit'>): Promise<Buffer> {
  const { maxBytes } = bodyLimitOf(route);
  const body = isChunked(request) ? pieces() : whole(declaredLength(request));
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', reject);
      settle();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) body.add(chunk);
      else stop(() => reject(bodyTooLarge(route)));
    };
    const onEnd = () => stop(() => resolve(body.all()));
    const onClose = () => stop(() => reject(new Error('The client went away before its request was complete')));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', reject);
  });
}

interface Body {
  add(chunk: Buffer): void;
  all(): Buffer;
}

/** Copied as it arrives: one copy of megabytes at the end would stop other requests. */
function whole(length: number): Body {
  const buffer = Buffer.allocUnsafe(length);
  let end = 0;
  return {
    add(chunk) {
      end += chunk.copy(buffer, end);
    },
    all: () => buffer.subarray(0, end),
  };
}

function pieces(): Body {
  const chunks: Buffer[] = [];
  return { add: (chunk) => void chunks.push(chunk), all: () => Buffer.concat(chunks) };
}

export function declaredLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

/** Its length is known only when it has come to its end. */
export function isChunked(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined;
}
