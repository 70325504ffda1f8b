import { Problem } from '../shared/http/problem.ts';
import { type AuthRefusal, AuthRefused } from './domain/auth-refused.ts';
import { type BalanceRefusal, BalanceRefused } from './domain/balance-refused.ts';
import { AccountBusy } from './domain/change-account.ts';
import { type KeyRefusal, KeyRefused } from './domain/key-refused.ts';
import { type BudgetsRefusal, BudgetsRefused } from './domain/manage-budgets.ts';
import { PeriodRefused } from './domain/usage-period.ts';
import { type WorkspaceRefusal, WorkspaceRefused } from './domain/workspace-refused.ts';

const AUTH_STATUS: Readonly<Record<AuthRefusal, number>> = {
  wrong_credentials: 401,
  invalid_refresh_token: 401,
  registration_closed: 403,
  email_taken: 409,
  already_confirmed: 409,
  invalid_link: 400,
  wrong_password: 403,
  second_factor_required: 403,
  second_factor_missing: 409,
  wrong_code: 403,
  second_factor_on: 409,
  second_factor_off: 409,
  second_factor_enforced: 409,
  session_not_found: 404,
  no_such_member: 404,
  last_owner: 409,
  member_changed: 409,
  sso_not_configured: 404,
  sso_secret_missing: 422,
  sso_provider_unusable: 422,
  sso_provider_unavailable: 503,
  sso_domain_unproved: 409,
  sso_domain_taken: 409,
  sso_changed: 409,
  sso_flow_expired: 400,
  sso_denied: 403,
  sso_token_refused: 401,
  sso_email_refused: 403,
  sso_unconfirmed: 409,
  sso_identity_changed: 409,
  sso_not_invited: 403,
  sso_required: 403,
};

const STATUS: Readonly<Record<BalanceRefusal, number>> = {
  reference_reused: 422,
  operators_only: 403,
  unknown_workspace: 404,
};

const KEY_STATUS: Readonly<Record<KeyRefusal, number>> = {
  invalid_request: 400,
  name_taken: 409,
  too_many_keys: 422,
  not_found: 404,
};

const WORKSPACE_STATUS: Readonly<Record<WorkspaceRefusal, number>> = {
  wrong_name: 422,
  deletion_requested: 409,
  no_deletion: 409,
  deletion_begun: 409,
  export_not_found: 404,
  export_limit: 429,
};

const BUDGETS_STATUS: Readonly<Record<BudgetsRefusal, number>> = {
  budget_not_found: 404,
  subject_not_found: 404,
  too_many_budgets: 422,
};

/** Errors of the accounts' domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof AccountBusy)
    return new Problem(503, 'try_again', error.message, { headers: { 'retry-after': '1' } });
  if (error instanceof PeriodRefused) return new Problem(400, 'invalid_request', error.message);
  if (error instanceof KeyRefused) return new Problem(KEY_STATUS[error.refusal], error.refusal, error.message);
  if (error instanceof BudgetsRefused) return new Problem(BUDGETS_STATUS[error.refusal], error.refusal, error.message);
  if (error instanceof AuthRefused) {
    const status = AUTH_STATUS[error.refusal];
    const headers = status === 503 ? { headers: { 'retry-after': '30' } } : {};
    return new Problem(status, error.refusal, error.message, headers);
  }
  if (error instanceof WorkspaceRefused)
    return new Problem(WORKSPACE_STATUS[error.refusal], error.refusal, error.message);
  if (!(error instanceof BalanceRefused)) return null;
  const { refusal, message, details } = error;
  return new Problem(STATUS[refusal], refusal, message, {
    ...(Object.keys(details).length > 0 && { details: { ...details } }),
  });
}
