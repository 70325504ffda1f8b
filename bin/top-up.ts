/** Posts a payment to the balance of a workspace, by the operator's own rights: see USAGE. */

import { resolve } from 'node:path';
import { SYSTEM_ORIGIN } from '../functions/accounts/domain/audit.ts';
import { topUpByOperator } from '../functions/accounts/domain/top-up.ts';
import { topUpBody } from '../functions/accounts/schemas.ts';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { runCommand, UsageError } from './command-line.ts';
import { accountsStore, namedArguments, paymentPorts } from './deployment.ts';

const USAGE = `Usage: npm run top-up -- --workspace ws_… --amount 100000 --reference "transfer 20261122-7" (--stage dev | --data-dir .local)

  --workspace  id of the workspace, as GET /api/v1/auth/me shows it
  --amount     KRW
  --reference  the payment's own name, such as the bank's number of the transfer: it is posted once, however often it is sent
  --stage      stage of the deployed service; its table is found by the outputs of its stack, with the AWS credentials and the
               region of the command line (AWS_PROFILE, AWS_REGION)
  --data-dir   data directory of the local service instead; it may be running`;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const values = namedArguments(['workspace', 'amount', 'reference', 'stage', 'data-dir']);
  if (!values.workspace) throw new UsageError('--workspace must be the id of a workspace.');
  const payment = topUpBody.safeParse({ amountKrw: Number(values.amount), reference: values.reference ?? '' });
  if (!payment.success) {
    const [issue] = payment.error.issues;
    throw new UsageError(`--${issue?.path[0] === 'amountKrw' ? 'amount' : 'reference'} ${issue?.message}.`);
  }
  const dataDirectory = values['data-dir'] === undefined ? undefined : resolve(values['data-dir']);
  const store = await accountsStore(values.stage, dataDirectory);
  try {
    const client = newDynamoClient();
    const { account, entry, replayed } = await topUpByOperator(
      { ...payment.data, workspaceId: values.workspace, origin: SYSTEM_ORIGIN },
      paymentPorts(client, store.table),
    );
    client.destroy();
    console.log(
      JSON.stringify(
        {
          workspaceId: values.workspace,
          entryId: entry.entryId,
          amountKrw: entry.amountKrw,
          balanceKrw: account.balanceKrw,
          replayed,
        },
        null,
        2,
      ),
    );
  } finally {
    await store.close();
  }
}
