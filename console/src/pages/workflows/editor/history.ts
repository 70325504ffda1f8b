/** A value with its former and undone states. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** Subject of the newest change: a further change of the same subject belongs to the same step. */
  readonly about: string | null;
}

const MAX_STEPS = 100;

export type Step<T> =
  | { readonly kind: 'set'; readonly value: T; readonly about: string | null }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' };

export const begun = <T>(present: T): History<T> => ({ past: [], present, future: [], about: null });

export function after<T>(history: History<T>, step: Step<T>): History<T> {
  const { past, present, future, about } = history;
  if (step.kind === 'set') {
    if (step.value === present) return history;
    const isSame = step.about !== null && step.about === about;
    return {
      past: isSame ? past : [...past, present].slice(-MAX_STEPS),
      present: step.value,
      future: [],
      about: step.about,
    };
  }
  if (step.kind === 'undo')
    return past.length === 0
      ? history
      : { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], about: null };
  const [next, ...later] = future;
  return next === undefined ? history : { past: [...past, present], present: next, future: later, about: null };
}
