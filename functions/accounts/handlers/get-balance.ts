import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { accountOf } from '../domain/account.ts';
import { toBalanceResponse } from '../responses.ts';
import { getBalanceRoute } from '../routes.ts';
import { accounts, http } from '../wiring.ts';

const stored = accounts();

const endpoint = pipeline(getBalanceRoute, http, async ({ principal }) => {
  return { status: 200, body: toBalanceResponse(await accountOf(principal.workspaceId, stored)) };
});

export const handler = bufferedHandler(endpoint);
