import type { IncomingMessage } from 'node:http';
import type { BodyLimit } from '../functions/shared/http/route.ts';
import { problems } from './gateway-problems.ts';

/** The whole body, or a 413 as soon as it turns out to be too long; never more than the limit is held in memory. */
export async function readBody(request: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', reject);
      settle();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limit.maxBytes) chunks.push(chunk);
      else stop(() => reject(problems.bodyTooLarge(limit)));
    };
    const onEnd = () => stop(() => resolve(Buffer.concat(chunks, bytes)));
    const onClose = () => stop(() => reject(new Error('The client went away before its request was complete')));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', reject);
  });
}

export function declaredLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

/** Its length is known only when it has come to its end. */
export function isChunked(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined;
}
