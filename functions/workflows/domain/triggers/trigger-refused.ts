/** Why a trigger is not accepted, found, or changed. */
export type TriggerRefusal =
  | 'trigger_not_found'
  | 'invalid_trigger'
  | 'too_many_triggers'
  | 'trigger_changed'
  | 'trigger_off';

export class TriggerRefused extends Error {
  override name = 'TriggerRefused';
  readonly refusal: TriggerRefusal;

  constructor(refusal: TriggerRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
