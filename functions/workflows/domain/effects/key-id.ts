import type { NodeCall } from '../run/node-effects.ts';

/** The API key that a run was started with, which its costs are counted for; null: none. */
export function keyIdOf({ run }: Pick<NodeCall, 'run'>): string | null {
  const { kind, id } = run.trigger.caller;
  return kind === 'key' ? id : null;
}
