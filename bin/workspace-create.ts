/** Makes a workspace with its owner and its first API key, by the operator's own rights: see USAGE. */

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { email, workspaceName } from '../functions/accounts/auth-schemas.ts';
import { passwordHasher } from '../functions/accounts/domain/password.ts';
import { createWorkspace } from '../functions/accounts/domain/register.ts';
import { DynamoAccounts } from '../functions/adapters/accounts/dynamo-accounts.ts';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { systemClock, ulidIds } from '../functions/adapters/shared/system-ports.ts';
import { runCommand, UsageError } from './command-line.ts';
import { accountsStore, namedArguments } from './deployment.ts';

const USAGE = `Usage: npm run workspace:create -- --email owner@example.com [--name "Example"] (--stage dev | --data-dir .local)

  --stage     stage of the deployed service; its table is found by the outputs of its stack, with the AWS credentials and the
              region of the command line (AWS_PROFILE, AWS_REGION)
  --data-dir  data directory of the local service instead; it may be running
  --name      name of the workspace (default: the part of the address after the @)

The API key and the owner's password are printed once.`;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { stage, dataDirectory, ...owner } = readArguments();
  const store = await accountsStore(stage, dataDirectory);
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
  const values = namedArguments(['email', 'name', 'stage', 'data-dir']);
  const address = email.safeParse(values.email);
  if (!address.success) throw new UsageError('--email must be the e-mail address of the owner.');
  const name = workspaceName.safeParse(values.name ?? address.data.split('@')[1]);
  if (!name.success) throw new UsageError(`--name ${name.error.issues[0]?.message}.`);
  const dataDirectory = values['data-dir'] === undefined ? undefined : resolve(values['data-dir']);
  return { email: address.data, workspaceName: name.data, stage: values.stage, dataDirectory };
}
