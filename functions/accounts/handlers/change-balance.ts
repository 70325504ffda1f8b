import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, thresholdPorts } from '../../wiring/accounts/accounts.ts';
import { originOf } from '../audit-origin.ts';
import { changeThreshold } from '../domain/change-threshold.ts';
import { toBalanceResponse } from '../responses.ts';
import { changeBalanceRoute } from '../routes.ts';

const ports = thresholdPorts();

const endpoint = pipeline(changeBalanceRoute, http, async ({ body, ...request }) => {
  const { workspaceId } = request.principal;
  const account = await changeThreshold(workspaceId, body.lowBalanceThresholdKrw, originOf(request), ports);
  return { status: 200, body: toBalanceResponse(account) };
});

export const handler = bufferedHandler(endpoint);
