import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, http, usage } from '../../wiring/accounts/accounts.ts';
import { usageReport } from '../domain/usage.ts';
import { usagePeriod } from '../domain/usage-period.ts';
import { toUsageResponse } from '../responses.ts';
import { getUsageRoute } from '../routes.ts';

const stored = usage();

const endpoint = pipeline(getUsageRoute, http, async ({ principal, query }) => {
  const { from, to } = usagePeriod(query, clock.now());
  const report = await usageReport(stored.counts(principal.workspaceId, from, to), query.group_by);
  return envelopeReply(
    200,
    toUsageResponse(report, { from, to, group_by: query.group_by }),
    'Usage, both days included.',
  );
});

export const handler = bufferedHandler(endpoint);
