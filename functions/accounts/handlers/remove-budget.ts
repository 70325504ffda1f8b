import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { originOf } from '../audit-origin.ts';
import { removeBudgetRoute } from '../budget-routes.ts';
import { budgetPorts } from '../budget-wiring.ts';
import { removeBudget } from '../domain/manage-budgets.ts';
import { http } from '../wiring.ts';

const ports = budgetPorts();

const endpoint = pipeline(removeBudgetRoute, http, async ({ params, ...request }) => {
  await removeBudget(request.principal.workspaceId, params, originOf(request), ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
