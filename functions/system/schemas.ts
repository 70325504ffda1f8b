import * as z from 'zod';

const outcome = z.enum(['ok', 'failing']);

export const health = z.object({
  status: outcome.describe('failing when any check fails'),
  version: z.string(),
  checks: z.object({
    accounts: outcome.describe('The database of accounts answers'),
    drugMaster: outcome.describe('A drug master is there and can be read'),
  }),
  error: z
    .object({ code: z.enum(['master_missing']), message: z.string() })
    .optional()
    .describe('What the operator has to do, where that is known'),
});
