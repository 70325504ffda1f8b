import { parseArgs } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TopUpPorts } from '../functions/accounts/domain/top-up.ts';
import { DynamoAccounts } from '../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoLedger } from '../functions/adapters/accounts/dynamo-ledger.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../functions/adapters/shared/system-ports.ts';
import { environment } from '../functions/shared/environment.ts';
import { UsageError } from './command-line.ts';

/** Arguments of a command that takes values alone, by their names. @throws UsageError */
export function namedArguments<const Name extends string>(
  names: readonly Name[],
): { readonly [N in Name]?: string | undefined } {
  try {
    const { values } = parseArgs({
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    });
    return values as { readonly [N in Name]?: string };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export interface Store {
  readonly table: string;
  close(): Promise<void>;
}

/** The ports for an operator's payments, on a table of workspaces. */
export function paymentPorts(client: DynamoDBDocumentClient, table: string): TopUpPorts {
  return {
    accounts: new DynamoAccounts(client, table),
    ledger: new DynamoLedger(client, table),
    clock: systemClock,
    ids: ulidIds,
    backoff: jitteredBackoff,
  };
}

/** The table of workspaces, deployed or local. @throws UsageError unless one of the two is named. */
export async function accountsStore(stage: string | undefined, dataDirectory: string | undefined): Promise<Store> {
  if (stage !== undefined && dataDirectory === undefined)
    return { table: await stackOutput(stage, 'AccountsTable'), close: async () => undefined };
  if (stage === undefined && dataDirectory !== undefined) return localStore(dataDirectory);
  throw new UsageError('Name either the stage of a deployed service, or the data directory of a local one.');
}

/** An output of a deployment's data stack, read with the AWS credentials and the region of the command line. */
export async function stackOutput(stage: string, output: 'AccountsTable' | 'MasterBucket'): Promise<string> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const StackName = `tripod-${stage}-data`;
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }));
  const value = (Stacks?.[0]?.Outputs ?? []).find(({ OutputKey }) => OutputKey === output)?.OutputValue;
  if (value === undefined) throw new Error(`The stack ${StackName} names no ${output}: deploy this version first.`);
  return value;
}

/** The local service is started for the occasion unless it runs. */
async function localStore(dataDirectory: string): Promise<Store> {
  const [{ openEnvironment }, { readSettings }] = await Promise.all([
    import('../local/invoke.ts'),
    import('../local/settings.ts'),
  ]);
  const { close } = await openEnvironment({ ...readSettings(process.env), dataDirectory });
  return { table: environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE, close };
}
