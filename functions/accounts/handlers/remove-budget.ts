import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { budgetPorts } from '../../wiring/accounts/budgets.ts';
import { originOf } from '../audit-origin.ts';
import { removeBudgetRoute } from '../budget-routes.ts';
import { removeBudget } from '../domain/manage-budgets.ts';

const ports = budgetPorts();

const endpoint = pipeline(removeBudgetRoute, http, async ({ params, ...request }) => {
  await removeBudget(request.principal.workspaceId, params, originOf(request), ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
