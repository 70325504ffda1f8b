import { table } from '../shared/access.ts';
import { envelopeOf } from '../shared/http/envelope.ts';
import { retryable } from '../shared/http/implied-errors.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import { budget, budgetBody, budgetList, budgetParams } from './budget-schemas.ts';

const path = '/api/v1/budgets/{kind}/{id}';
const ownersOnly = {
  403: { description: 'forbidden: the credential is less than an owner’s; a key needs every scope' },
} as const;
const tryAgain = {
  503: retryable('try_again: too many charges ended at the same moment; nothing was changed'),
} as const;

export const listBudgetsRoute = {
  id: 'accounts.list-budgets',
  method: 'GET',
  path: '/api/v1/budgets',
  auth: ANY_CREDENTIAL,
  errors: 'envelope',
  doc: {
    summary: 'Budgets of API keys and applications, with their spending',
    description: 'Calls beyond a budget are refused with 429 budget_used_up. The owners get an e-mail at 80 %.',
  },
  responses: { 200: { description: 'The budgets', schema: envelopeOf(budgetList) } },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'GetItem'), table('limits', 'GetItem')],
} as const satisfies Route;

export const setBudgetRoute = {
  id: 'accounts.set-budget',
  method: 'PUT',
  path,
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Limit what an API key or an application may spend',
    description:
      'By day and by month, both of UTC. KRW are exact: a charge that does not fit is not made. Tokens are known after an ' +
      'answer: those under way may exceed the limit. Setting a budget again keeps its spending. At most 50 a workspace.',
  },
  params: budgetParams,
  body: budgetBody,
  responses: {
    200: { description: 'The budget', schema: envelopeOf(budget) },
    ...ownersOnly,
    404: { description: 'subject_not_found: the workspace has no such key or application' },
    422: { description: 'too_many_budgets: the workspace has 50 budgets; invalid_request: no limit is set' },
    ...tryAgain,
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [
    table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
    table('limits', 'GetItem'),
    table('applications', 'GetItem'),
  ],
} as const satisfies Route;

export const removeBudgetRoute = {
  id: 'accounts.remove-budget',
  method: 'DELETE',
  path,
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: { summary: 'Remove a budget', description: 'The key or the application may spend as much as it likes again.' },
  params: budgetParams,
  responses: {
    204: { description: 'The budget is removed' },
    ...ownersOnly,
    404: { description: 'budget_not_found: there is none' },
    ...tryAgain,
  },
  limits: { timeoutSeconds: 29, memoryMb: 256 },
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const budgetRoutes: readonly Route[] = [listBudgetsRoute, setBudgetRoute, removeBudgetRoute];
