import * as z from 'zod';
import type { RouteResponse } from './route.ts';

/** Body of every error of the endpoints of specification 1, as `extractionBody` makes it. */
export const extractionProblem = z.object({
  data: z.null(),
  status: z.literal('error'),
  code: z.int().describe('The HTTP status'),
  message: z.string(),
  error: z.object({
    code: z.string().describe('Stable, for programs: invalid_key, not_found, ...'),
    message: z.string().describe('For people'),
    requestId: z.string().describe('Quote it when you ask us'),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** An error response of a route table: `problemResponse('invalid_key: ...')`. */
export function problemResponse(description: string, headers?: Readonly<Record<string, string>>): RouteResponse {
  return { description, schema: extractionProblem, ...(headers && { headers }) };
}

export const authProblems = {
  401: problemResponse('invalid_key: the API key is missing or invalid'),
  403: problemResponse('forbidden: the API key lacks the scope'),
} as const;

export const commonProblems = {
  500: problemResponse('internal_error: a fault of ours; the request id names it'),
  504: problemResponse('timeout: the function ran out of time'),
} as const;

/** The header of an answer that an earlier call has had already. */
export const replayedHeader = {
  'idempotent-replayed': '"true" when this is the answer of an earlier call with the same Idempotency-Key',
} as const;

export const inProgressProblem = problemResponse(
  'idempotency_in_progress: the first call with this Idempotency-Key is still running',
  { 'retry-after': 'Seconds after which to ask again' },
);
