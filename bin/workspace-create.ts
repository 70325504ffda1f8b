/** Makes a workspace with its owner and its first API key, by the operator's own rights: see USAGE. */

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { email, workspaceName } from '../functions/accounts/auth-schemas.ts';
import { passwordHasher } from '../functions/accounts/domain/password.ts';
import { createWorkspace } from '../functions/accounts/domain/register.ts';
import { DynamoAccounts } from '../functions/adapters/accounts/dynamo-accounts.ts';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { systemClock, ulidIds } from '../functions/adapters/shared/system-ports.ts';
import { environment } from '../functions/shared/environment.ts';
import { runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run workspace:create -- --email owner@example.com [--name "Example"] (--stage dev | --data-dir .local)

  --stage     stage of the deployed service; its table is found by the outputs of its stack, with the AWS credentials and the
              region of the command line (AWS_PROFILE, AWS_REGION)
  --data-dir  data directory of the local service instead; it may be running
  --name      name of the workspace (default: the part of the address after the @)

The API key and the owner's password are printed once.`;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { stage, dataDirectory, ...owner } = readArguments();
  const store = stage === undefined ? await localTable(dataDirectory) : await deployedTable(stage);
  try {
    const client = newDynamoClient();
    const password = randomBytes(18).toString('base64url');
    const ports = {
      workspaces: new DynamoAccounts(client, store.table),
      clock: systemClock,
      ids: ulidIds,
      random: randomBytes,
      hasher: passwordHasher(randomBytes),
    };
    const { workspace, apiKey } = await createWorkspace({ ...owner, password }, ports);
    client.destroy();
    console.log(
      JSON.stringify({ workspaceId: workspace.workspaceId, email: workspace.owner.email, password, apiKey }, null, 2),
    );
  } finally {
    await store.close();
  }
}

function readArguments() {
  const options = { email: 'string', name: 'string', stage: 'string', 'data-dir': 'string' } as const;
  const { values } = parsed(() =>
    parseArgs({
      options: Object.fromEntries(Object.entries(options).map(([name, type]) => [name, { type }])) as {
        readonly [Name in keyof typeof options]: { readonly type: 'string' };
      },
    }),
  );
  const address = email.safeParse(values.email);
  if (!address.success) throw new UsageError('--email must be the e-mail address of the owner.');
  const name = workspaceName.safeParse(values.name ?? address.data.split('@')[1]);
  if (!name.success) throw new UsageError(`--name ${name.error.issues[0]?.message}.`);
  if ((values.stage === undefined) === (values['data-dir'] === undefined))
    throw new UsageError('Name either the stage of a deployed service, or the data directory of a local one.');
  const dataDirectory = resolve(values['data-dir'] ?? '.local');
  return { email: address.data, workspaceName: name.data, stage: values.stage, dataDirectory };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

interface Store {
  readonly table: string;
  close(): Promise<void>;
}

/** The table of a deployed service, as the outputs of its data stack name it. */
async function deployedTable(stage: string): Promise<Store> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const StackName = `tripod-${stage}-data`;
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  const table = outputs.find(({ OutputKey }) => OutputKey === 'AccountsTable')?.OutputValue;
  if (table === undefined) throw new Error(`The stack ${StackName} names no AccountsTable: deploy this version first.`);
  return { table, close: async () => undefined };
}

/** The table of the local service, which is started for the occasion unless it runs. */
async function localTable(dataDirectory: string): Promise<Store> {
  const { openEnvironment } = await import('../local/invoke.ts');
  const { close } = await openEnvironment({ dataDirectory, host: '127.0.0.1', port: 3000, debug: false });
  return { table: environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE, close };
}
