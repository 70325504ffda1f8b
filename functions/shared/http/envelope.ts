import * as z from 'zod';
import type { WholeReply } from './reply.ts';

/** Schema of a successful response of the endpoints for authentication and management, around the schema of its payload. */
export function envelopeOf<Data extends z.ZodType>(data: Data) {
  return z.object({
    data,
    status: z.literal('success'),
    code: z.int().describe('The HTTP status'),
    message: z.string(),
  });
}

/** A successful reply in the envelope. */
export function envelopeReply(
  status: number,
  data: object | null,
  message: string,
): WholeReply & { readonly body: object } {
  return { status, body: { data, status: 'success', code: status, message } };
}
