import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { accounts, http } from '../../wiring/accounts/accounts.ts';
import { accountOf } from '../domain/account.ts';
import { toBalanceResponse } from '../responses.ts';
import { getBalanceRoute } from '../routes.ts';

const stored = accounts();

const endpoint = pipeline(getBalanceRoute, http, async ({ principal }) => {
  return { status: 200, body: toBalanceResponse(await accountOf(principal.workspaceId, stored)) };
});

export const handler = bufferedHandler(endpoint);
