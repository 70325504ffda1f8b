import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { originOf } from '../audit-origin.ts';
import { topUp } from '../domain/top-up.ts';
import { toBalanceResponse, toEntryResponse } from '../responses.ts';
import { topUpRoute } from '../routes.ts';
import { http, topUpPorts } from '../wiring.ts';

const ports = topUpPorts();

const endpoint = pipeline(topUpRoute, http, async ({ body, ...request }) => {
  const payment = { ...body, workspaceId: request.principal.workspaceId, origin: originOf(request) };
  const { entry, account, replayed } = await topUp(payment, ports);
  return {
    status: 201,
    body: { entry: toEntryResponse(entry), balance: toBalanceResponse(account) },
    headers: replayed ? { 'idempotent-replayed': 'true' } : {},
  };
});

export const handler = bufferedHandler(endpoint);
