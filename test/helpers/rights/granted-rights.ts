import { buckets, queues, tables } from '../../../functions/shared/resources.ts';
import { functionRights } from './function-rights.ts';

/** A right of a function's role to a resource of the service. */
export interface GrantedRight {
  readonly id: string;
  /** For example `table:accounts`. */
  readonly resource: string;
  readonly action: string;
}

/** Every right of every role to tables, buckets, queues, the key and the secrets of the service, and functions, once each. */
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
  const queue = /^arn:aws:sqs:(?:[^:]*:){2}([^:]+)$/.exec(arn)?.[1];
  if (table !== undefined) return named('table', tables, table, environment);
  if (bucket !== undefined) return named('bucket', buckets, bucket, environment);
  if (queue !== undefined) return namedQueue(queue, environment);
  if (arn === environment.SECRETS_KEY_ARN) return 'key:secrets';
  const { SIGNING_KEY_SECRET, PAYMENT_SECRET, WEB_SEARCH_SECRET } = environment;
  if ([SIGNING_KEY_SECRET, PAYMENT_SECRET, WEB_SEARCH_SECRET].includes(arn)) return 'secrets';
  return /^arn:aws:lambda:.*:function:/.test(arn) ? 'functions' : undefined;
}

/** The setting of a queue is its address. A queue of dead letters has none. */
function namedQueue(name: string, environment: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(queues).find(([, queue]) => environment[queue.environment]?.split('/').at(-1) === name);
  return found && `queue:${found[0]}`;
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
