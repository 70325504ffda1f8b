import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { budgetPorts, counterPorts } from '../../wiring/accounts/budgets.ts';
import { toBudgetResponse } from '../budget-responses.ts';
import { listBudgetsRoute } from '../budget-routes.ts';
import { listBudgets } from '../domain/manage-budgets.ts';

const ports = { ...budgetPorts(), ...counterPorts() };

const endpoint = pipeline(listBudgetsRoute, http, async ({ principal }) => {
  const found = await listBudgets(principal.workspaceId, ports);
  const nowMs = ports.clock.now();
  return envelopeReply(
    200,
    found.map((view) => toBudgetResponse(view, nowMs)),
    'The budgets.',
  );
});

export const handler = bufferedHandler(endpoint);
