import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, topUpPorts } from '../../wiring/accounts/accounts.ts';
import { requireOwnTopUps } from '../../wiring/accounts/payments.ts';
import { originOf } from '../audit-origin.ts';
import { topUp } from '../domain/top-up.ts';
import { toTopUpReply } from '../responses.ts';
import { topUpRoute } from '../routes.ts';

const ports = topUpPorts();

const endpoint = pipeline(topUpRoute, http, async ({ body, ...request }) => {
  requireOwnTopUps();
  const payment = { ...body, workspaceId: request.principal.workspaceId, origin: originOf(request) };
  return toTopUpReply(await topUp(payment, ports));
});

export const handler = bufferedHandler(endpoint);
