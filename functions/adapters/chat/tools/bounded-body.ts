import type { SafeResponse } from '../../web/safe-fetch.ts';

/**
 * The start of a body, and whether there is more. Always closes the response.
 * @throws FetchRefused
 */
export async function bodyBeginning(
  { body, close }: Pick<SafeResponse, 'body' | 'close'>,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      received += chunk.length;
      if (received > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: true };
    }
    return { bytes: Buffer.concat(chunks), isCut: false };
  } finally {
    close();
  }
}
