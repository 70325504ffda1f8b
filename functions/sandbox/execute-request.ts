import type * as z from 'zod';
import type { executionRequest, executionResult } from './schemas.ts';

/** Function that runs programs for tools of agents, as the route does: with sessions, arguments, uploads and limits. */
export const EXECUTE_REQUEST = 'sandbox.execute-request';

/** Its event: a request of the route, parsed. */
export interface RequestToExecute {
  readonly workspaceId: string;
  /** API key that it is counted for; null: none. */
  readonly keyId: string | null;
  readonly request: z.output<typeof executionRequest>;
}

export type RequestResult = z.output<typeof executionResult>;
