import type { Language } from '../../../shared/language.ts';
import type { InputIssue } from '../engine/input-issues.ts';

/** Why a run is not started, found, or changed. */
export type RunRefusal =
  | 'not_found'
  | 'not_published'
  | 'no_such_node'
  | 'invalid_inputs'
  /** Of a check of an evaluation. */
  | 'invalid_schema'
  | 'inputs_too_large'
  /** The workspace has as many runs under way as it may have. */
  | 'too_many_runs'
  /** The run does not wait for this decision. */
  | 'not_waiting'
  | 'already_decided'
  | 'approval_expired'
  | 'form_expired'
  | 'ambiguous_approval'
  | 'already_ended'
  | 'not_ended'
  | 'nothing_failed'
  /** Only runs of one workflow are compared. */
  | 'different_workflows'
  /** The Idempotency-Key was used with another body. */
  | 'idempotency_key_reused';

export class RunRefused extends Error {
  override name = 'RunRefused';
  readonly refusal: RunRefusal;
  /** Of invalid inputs. */
  readonly inputs: readonly InputIssue[];

  constructor(refusal: RunRefusal, message: string, inputs: readonly InputIssue[] = []) {
    super(message);
    this.refusal = refusal;
    this.inputs = inputs;
  }
}

/** @param of what the fields belong to */
export function invalidInputs(of: 'Inputs of the start node' | 'Fields of the form', inputs: readonly InputIssue[]) {
  const all = inputs.map(({ field, fault }) => `${field}: ${fault.en}`).join('; ');
  return new RunRefused('invalid_inputs', `${of}: ${all}.`, inputs);
}

/** The faults of inputs by the names of their fields. */
export function faultsByField(inputs: readonly InputIssue[], language: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(inputs.map(({ field, fault }) => [field, fault[language]]));
}
