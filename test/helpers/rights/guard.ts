import { AsyncLocalStorage } from 'node:async_hooks';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { buckets, queues, tables } from '../../../functions/shared/resources.ts';
import { setAroundHandler } from '../../../gateway/around-handler.ts';
import { type NeededRight, neededRights } from './calls.ts';
import { functionRights } from './function-rights.ts';
import { isAllowed } from './policy.ts';
import { arnOf } from './resolve-references.ts';
import type { FunctionRights } from './rights.ts';

/** Makes calls fail that a function may not make on AWS. */
export interface RightsGuard {
  /** Those since the last call: `accounts.top-up may not dynamodb:PutItem on …`, once each. */
  takeRefusals(): readonly string[];
}

/** Variables that carry the names of resources. */
const SETTINGS = {
  table: variablesOf(tables),
  bucket: variablesOf(buckets),
  queue: variablesOf(queues),
  secret: ['SIGNING_KEY_SECRET', 'PAYMENT_SECRET', 'WEB_SEARCH_SECRET'],
} as const;

const running = new AsyncLocalStorage<string>();

/** The id of the route or worker on whose behalf this code runs, where the service runs under `guardRights`. */
export function runningFunction(): string | undefined {
  return running.getStore();
}

/**
 * Runs each function of the local service under its own synthesized policy: before the SDK sends a call, or signs an
 * address, the policy of the function that is running is asked. Code outside of functions, such as the tests' own, may do
 * everything.
 */
export async function guardRights(): Promise<RightsGuard> {
  const rights = await functionRights();
  const refusals = new Set<string>();
  // A proxy, since a handler that streams is known by a mark on it.
  setAroundHandler(
    (id, handler) =>
      new Proxy(handler, { apply: (target, self, args) => running.run(id, () => Reflect.apply(target, self, args)) }),
  );

  const prototype = commandPrototype();
  const resolve = prototype.resolveMiddlewareWithContext;
  prototype.resolveMiddlewareWithContext = function (...args) {
    const [, , , { clientName, commandName }] = args;
    const id = runningFunction();
    if (id !== undefined)
      for (const needed of neededRights(clientName, commandName, this.input)) {
        const refusal = refusalOf(id, rights.get(id), needed);
        if (refusal === null) continue;
        refusals.add(refusal);
        throw Object.assign(new Error(refusal), { name: 'AccessDeniedException', $fault: 'client' });
      }
    return resolve.apply(this, args);
  };
  return {
    takeRefusals() {
      const taken = [...refusals];
      refusals.clear();
      return taken;
    },
  };
}

interface SdkCommand {
  readonly input: Readonly<Record<string, unknown>>;
  resolveMiddlewareWithContext(
    stack: unknown,
    configuration: unknown,
    options: unknown,
    about: { readonly clientName: string; readonly commandName: string },
  ): unknown;
}

/** The class that the commands of all clients have in common. Every call goes through it, and every signature of an address. */
function commandPrototype(): SdkCommand {
  let prototype: object = GetItemCommand.prototype;
  while (!Object.hasOwn(prototype, 'resolveMiddlewareWithContext')) prototype = Object.getPrototypeOf(prototype);
  return prototype as SdkCommand;
}

/** @returns null when it is allowed. */
export function refusalOf(id: string, rights: FunctionRights | undefined, needed: NeededRight): string | null {
  const { action, resource, leadingKeys, context } = needed;
  const keys = leadingKeys === null ? '' : ` (partition ${[...new Set(leadingKeys)].join(', ')})`;
  const what = `${action} on ${resource.kind} ${resource.name}${resource.key === undefined ? '' : `/${resource.key}`}${keys}`;
  if (rights === undefined) return `${id} has no function on AWS; it wants ${what}`;
  const arn = arnOnAws(rights, resource);
  if (arn === null) return `${id} has no setting on AWS that names ${resource.kind} ${resource.name}; it wants ${what}`;
  return isAllowed(rights.statements, { action, resource: arn, leadingKeys, ...(context && { context }) })
    ? null
    : `${id} may not ${what}`;
}

/** A resource is found by the setting that carries its name: here the local one, on AWS the generated one. */
function arnOnAws({ environment }: FunctionRights, { kind, name, key }: NeededRight['resource']): string | null {
  if (kind === 'connection') return arnOf.connection(name);
  if (kind === 'identity') return arnOf.identity(name);
  // Where a function has its environment of AWS, it names the secret as on AWS.
  if (kind === 'secret' && SETTINGS.secret.some((variable) => environment[variable] === name)) return name;
  if (kind === 'key') return environment.SECRETS_KEY_ARN ?? null;
  if (kind === 'function') {
    const { FUNCTION_NAMES } = environment;
    return FUNCTION_NAMES === undefined
      ? null
      : arnOf.function(name.replace(process.env.FUNCTION_NAMES ?? '', FUNCTION_NAMES));
  }
  // By kind: the local table and the local bucket of executions have the same name.
  // The bucket of the drug master is named by an address.
  if (kind === 'bucket' && name === bucketOf(process.env.DRUG_MASTER)) {
    const master = bucketOf(environment.DRUG_MASTER);
    return master === undefined ? null : arnOf.object(master, key ?? '');
  }
  const setting = SETTINGS[kind].find((variable) => process.env[variable] === name);
  const nameOnAws = setting === undefined ? undefined : environment[setting];
  if (nameOnAws === undefined) return null;
  switch (kind) {
    case 'table':
      return arnOf.table(nameOnAws);
    case 'bucket':
      return key === undefined ? arnOf.bucket(nameOnAws) : arnOf.object(nameOnAws, key);
    // A secret is known by its ARN, as its setting has it.
    case 'secret':
      return nameOnAws;
    case 'queue':
      return arnOf.queue(nameOnAws.split('/').at(-1) ?? '');
  }
}

function variablesOf(definitions: Readonly<Record<string, { readonly environment: string }>>): string[] {
  return Object.values(definitions).map(({ environment }) => environment);
}

function bucketOf(url: string | undefined): string | undefined {
  return /^s3:\/\/([^/]+)\//.exec(url ?? '')?.[1];
}
