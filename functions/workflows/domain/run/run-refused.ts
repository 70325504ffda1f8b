/** Why a run is not begun, found, or changed. */
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
  /** By the name of the field, of invalid inputs. */
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(refusal: RunRefusal, message: string, fields?: Readonly<Record<string, string>>) {
    super(message);
    this.refusal = refusal;
    this.fields = fields;
  }
}
