import { buckets, tables } from '../../../functions/shared/resources.ts';
import { functionRights } from './function-rights.ts';

/** A right of a function's role to a table or bucket of the service. */
export interface GrantedRight {
  readonly id: string;
  /** For example `table:accounts`. */
  readonly resource: string;
  readonly action: string;
}

/** Every right of every role to tables and buckets, once each. */
export async function grantedRights(): Promise<readonly GrantedRight[]> {
  const rights = new Map<string, GrantedRight>();
  for (const [id, { statements, environment }] of await functionRights())
    for (const { actions, resources } of statements)
      for (const arn of resources) {
        const resource = resourceOf(arn, environment);
        if (resource === undefined) continue;
        for (const action of actions.map((name) => name.split(':')[1]!))
          rights.set(`${id} ${resource} ${action}`, { id, resource, action });
      }
  return [...rights.values()];
}

/** By the setting that carries its name. */
function resourceOf(arn: string, environment: Readonly<Record<string, string>>): string | undefined {
  const table = /:table\/([^/]+)$/.exec(arn)?.[1];
  const bucket = /^arn:aws:s3:::([^/]+)/.exec(arn)?.[1];
  if (table !== undefined) return named('table', tables, table, environment);
  return bucket === undefined ? undefined : named('bucket', buckets, bucket, environment);
}

function named(
  kind: string,
  definitions: Readonly<Record<string, { readonly environment: string }>>,
  name: string,
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const found = Object.entries(definitions).find(([, definition]) => environment[definition.environment] === name);
  return found && `${kind}:${found[0]}`;
}
