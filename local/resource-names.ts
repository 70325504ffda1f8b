/** Prefix of every resource's name; on AWS the names are generated. */
export const NAME_PREFIX = 'tripod';

/** The resources' local names by the variable that carries them: `{ ACCOUNTS_TABLE: 'tripod-accounts' }`. */
export function named(definitions: Readonly<Record<string, { readonly environment: string }>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(definitions).map(([id, { environment }]) => [environment, `${NAME_PREFIX}-${id}`]),
  );
}
