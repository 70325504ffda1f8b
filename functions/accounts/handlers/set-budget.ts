import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { budgetPorts, counterPorts, subjectPorts } from '../../wiring/accounts/budgets.ts';
import { originOf } from '../audit-origin.ts';
import { toBudgetResponse } from '../budget-responses.ts';
import { setBudgetRoute } from '../budget-routes.ts';
import { setBudget } from '../domain/manage-budgets.ts';

const ports = { ...budgetPorts(), ...counterPorts(), ...subjectPorts() };

const endpoint = pipeline(setBudgetRoute, http, async ({ params, body, ...request }) => {
  const limits = {
    krwPerDay: body.krw_per_day,
    krwPerMonth: body.krw_per_month,
    tokensPerDay: body.tokens_per_day,
    tokensPerMonth: body.tokens_per_month,
  };
  const view = await setBudget(request.principal.workspaceId, params, limits, originOf(request), ports);
  return envelopeReply(200, toBudgetResponse(view, ports.clock.now()), 'The budget is set.');
});

export const handler = bufferedHandler(endpoint);
