import * as z from 'zod';

const outcome = z.enum(['ok', 'failing']);

export const health = z.object({
  status: outcome.describe('failing when accounts or drugMaster fails'),
  version: z.string(),
  checks: z.object({
    accounts: outcome.describe('The database of accounts answers'),
    drugMaster: outcome.describe('A drug master is there and can be read'),
    sandbox: z
      .enum(['ok', 'failing', 'off'])
      .describe(
        'Programs can be run; off: not set up in this deployment. The rest works without it: `status` does not depend on it',
      ),
  }),
  reasons: z.object({ sandbox: z.string() }).optional().describe('Why programs cannot be run here'),
  error: z
    .object({ code: z.enum(['master_missing']), message: z.string() })
    .optional()
    .describe('What the operator has to do, where that is known'),
});
