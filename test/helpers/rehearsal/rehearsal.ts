import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_MASTER } from '../../../functions/adapters/drug-master/shipped-master.ts';
import { memoizeAsync } from '../../../functions/shared/memoize-async.ts';
import { buckets, queues, tables } from '../../../functions/shared/resources.ts';
import { setAroundHandler } from '../../../gateway/around-handler.ts';
import type { NeededRight } from '../rights/calls.ts';
import { functionRights } from '../rights/function-rights.ts';
import { type RightsGuard, refusalOf } from '../rights/guard.ts';
import type { FunctionRights } from '../rights/rights.ts';
import { FunctionProcesses } from './function-processes.ts';
import { startIamProxy } from './iam-proxy.ts';

/** Folder of a rehearsal: bundles and layer in it, and what it reports. */
export const REHEARSAL_LAYOUT = { functions: 'functions', layer: 'opt', calls: 'calls.jsonl', output: 'output.log' };

/** A call of AWS by a function, as the report counts it. */
export interface RehearsedCall {
  readonly id: string;
  /** Resource and action: `table:accounts GetItem`. */
  readonly right: string;
  readonly denied: string | null;
}

export interface Rehearsal extends RightsGuard {
  stop(): Promise<void>;
}

/** Resources whose local names a function finds under the same variables as on AWS. */
const NAMED: ReadonlySet<string> = new Set(
  [...Object.values(tables), ...Object.values(buckets), ...Object.values(queues)].map(({ environment }) => environment),
);

/**
 * Runs every function of the local service in its own process, with its synthesized environment, and its synthesized role in front
 * of the stores.
 */
export async function rehearse(folder: string): Promise<Rehearsal> {
  const rights = await functionRights();
  const refusals = new Set<string>();
  const evaluate = (id: string, needed: NeededRight): string | null => {
    const denied = refusalOf(id, rights.get(id), needed);
    if (denied !== null) refusals.add(denied);
    const right = `${resourceOf(needed.resource) ?? needed.resource.kind} ${needed.action.split(':')[1]}`;
    appendFileSync(
      join(folder, REHEARSAL_LAYOUT.calls),
      `${JSON.stringify({ id, right, denied } satisfies RehearsedCall)}\n`,
    );
    return denied;
  };
  // At the first call: by then the service has started its stores, and made their addresses this process's environment.
  const proxy = memoizeAsync(() => startIamProxy(storeAddresses(), evaluate));
  const processes = new FunctionProcesses(
    join(folder, REHEARSAL_LAYOUT.functions),
    join(folder, REHEARSAL_LAYOUT.output),
    async (id) => environmentOf(id, rights.get(id)!, folder, (await proxy()).url),
  );
  setAroundHandler(
    (id, handler) => new Proxy(handler, { apply: (_target, _self, args) => processes.invoke(id, args) }),
  );
  return {
    takeRefusals() {
      const taken = [...refusals];
      refusals.clear();
      return taken;
    },
    async stop() {
      await processes.stop();
      await (await proxy()).stop();
    },
  };
}

function storeAddresses(): ReadonlyMap<string, string> {
  const { env } = process;
  return new Map([
    ['dynamodb', env.AWS_ENDPOINT_URL_DYNAMODB!],
    ['s3', env.AWS_ENDPOINT_URL_S3!],
    ['sqs', env.AWS_ENDPOINT_URL_SQS!],
    ['lambda', env.AWS_ENDPOINT_URL_LAMBDA!],
    ['execute-api', env.SOCKETS_ENDPOINT!],
  ]);
}

/**
 * The settings of a function: exactly those of its template. Names of resources are the local ones, and what AWS has where this machine
 * has something else is replaced.
 */
function environmentOf(
  id: string,
  { environment }: FunctionRights,
  folder: string,
  proxyUrl: string,
): Record<string, string> {
  const own = process.env as Record<string, string>;
  const replaced: Readonly<Record<string, string>> = {
    LOG_LEVEL: 'ERROR',
    // Textract and Fargate have no double here.
    READER: 'embedded',
    SANDBOX: 'embedded',
    OCR_DIR: join(folder, REHEARSAL_LAYOUT.layer, 'ocr'),
    // A bundle does not find the list that the repository ships.
    DRUG_MASTER: SHIPPED_MASTER.href,
    FUNCTION_NAMES: own.FUNCTION_NAMES!,
    TOKEN_ISSUER: own.TOKEN_ISSUER!,
    MAIL_FROM: environment.MAIL_FROM!,
    USER_LIMIT_PER_MINUTE: own.USER_LIMIT_PER_MINUTE!,
    ADDRESS_LIMIT_PER_MINUTE: own.ADDRESS_LIMIT_PER_MINUTE!,
    SERVICE_VERSION: own.SERVICE_VERSION!,
  };
  const given = Object.keys(environment).map((name) => [
    name,
    NAMED.has(name) ? own[name]! : (replaced[name] ?? environment[name]!),
  ]);
  return {
    ...Object.fromEntries(given),
    PATH: own.PATH!,
    NODE_PATH: join(folder, REHEARSAL_LAYOUT.layer, 'nodejs/node_modules'),
    AWS_LAMBDA_FUNCTION_NAME: `tripod-${id.replaceAll('.', '-')}`,
    AWS_REGION: own.AWS_REGION!,
    AWS_ACCESS_KEY_ID: own.AWS_ACCESS_KEY_ID!,
    AWS_SECRET_ACCESS_KEY: own.AWS_SECRET_ACCESS_KEY!,
    // Lambda's credentials of a role bring a token: here it says whose they are.
    AWS_SESSION_TOKEN: id,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_REQUIRED',
    AWS_ENDPOINT_URL: proxyUrl,
    AWS_ENDPOINT_URL_S3: proxyUrl,
    // Test servers are on this machine.
    TRIPOD_LOCAL: '1',
    SOCKETS_ENDPOINT: proxyUrl,
  };
}

/** `table:accounts` for the local name of a table or bucket; undefined for anything else. */
function resourceOf({ kind, name }: NeededRight['resource']): string | undefined {
  const definitions = kind === 'table' ? tables : kind === 'bucket' ? buckets : {};
  const found = Object.entries<{ readonly environment: string }>(definitions).find(
    ([, { environment }]) => process.env[environment] === name,
  );
  return found && `${kind}:${found[0]}`;
}
