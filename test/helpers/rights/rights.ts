import type { Statement } from './policy.ts';

/** A function's rights on AWS, and the names that it knows there. */
export interface FunctionRights {
  readonly statements: readonly Statement[];
  readonly environment: Readonly<Record<string, string>>;
}
