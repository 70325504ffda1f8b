import { Problem } from '../shared/http/problem.ts';
import type { Language } from '../shared/language.ts';
import type { InputIssue } from './domain/engine/input-issues.ts';
import type { GraphIssue } from './domain/graph/graph-issue.ts';
import { MAX_ISSUES_SHOWN } from './domain/manage-workflows.ts';
import { RunKeyTaken } from './domain/run/run-ports.ts';
import { faultsByField, type RunRefusal, RunRefused } from './domain/run/run-refused.ts';
import { type TriggerRefusal, TriggerRefused } from './domain/triggers/trigger-refused.ts';
import { type WorkflowRefusal, WorkflowRefused } from './domain/workflow-refused.ts';
import { toIssueResponse } from './responses.ts';

const STATUS: Readonly<Record<WorkflowRefusal | RunRefusal | TriggerRefusal, number>> = {
  not_found: 404,
  version_not_found: 404,
  name_taken: 409,
  changed: 409,
  invalid_graph: 422,
  graph_too_large: 422,
  invalid_dsl: 422,
  not_published: 409,
  no_such_node: 404,
  invalid_inputs: 422,
  invalid_schema: 422,
  inputs_too_large: 422,
  too_many_runs: 429,
  not_waiting: 409,
  already_decided: 409,
  approval_expired: 409,
  form_expired: 409,
  ambiguous_approval: 409,
  already_ended: 409,
  not_ended: 409,
  nothing_failed: 409,
  different_workflows: 422,
  idempotency_key_reused: 422,
  trigger_not_found: 404,
  invalid_trigger: 422,
  too_many_triggers: 422,
  trigger_changed: 409,
  trigger_off: 409,
};

/** A run of an ordinary workflow takes so long. */
export const RETRY_AFTER_SECONDS = 5;

/** Errors of workflows and runs, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof WorkflowRefused) {
    const { refusal, message, issues } = error;
    const texts = issues.length === 0 ? {} : { details: issueDetails(issues, 'en'), korean: koreanTexts(issues) };
    return new Problem(STATUS[refusal], refusal, message, texts);
  }
  if (error instanceof RunKeyTaken)
    return new Problem(
      409,
      'idempotency_in_progress',
      'The first request with this Idempotency-Key has just started its run. Send it again after the Retry-After time.',
      { headers: { 'retry-after': '1' } },
    );
  if (error instanceof RunRefused) {
    const { refusal, message, inputs } = error;
    return new Problem(STATUS[refusal], refusal, message, {
      ...(inputs.length > 0 && { details: { fields: faultsByField(inputs, 'en') }, korean: koreanInputs(inputs) }),
      ...(refusal === 'too_many_runs' && { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }),
    });
  }
  if (error instanceof TriggerRefused) return new Problem(STATUS[error.refusal], error.refusal, error.message);
  return null;
}

function koreanInputs(inputs: readonly InputIssue[]) {
  const fields = faultsByField(inputs, 'ko');
  const all = Object.entries(fields).map(([field, fault]) => `${field}: ${fault}`);
  return { message: `입력값을 고치세요. ${all.join(', ')}`, details: { fields } };
}

function issueDetails(issues: readonly GraphIssue[], language: Language) {
  return { issues: issues.map((issue) => toIssueResponse(issue, language)) };
}

function koreanTexts(issues: readonly GraphIssue[]) {
  const shown = issues.slice(0, MAX_ISSUES_SHOWN).map(({ korean }) => korean);
  const more = issues.length > shown.length ? ` 그 밖에 ${issues.length - shown.length}개가 더 있습니다.` : '';
  return { message: `워크플로를 실행할 수 없습니다. ${shown.join(' ')}${more}`, details: issueDetails(issues, 'ko') };
}
