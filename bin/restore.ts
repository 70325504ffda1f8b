/** Point-in-time recovery of a table of a deployed service: see USAGE. */

import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { type TableId, tables } from '../functions/shared/resources.ts';
import { runCommand, UsageError } from './command-line.ts';
import { type Copying, planRestore, type RestoreRequest } from './restore/plan.ts';
import { copyItems, type RestorePorts, restoreTable, runningTable } from './restore/restore-table.ts';

const USAGE = `Usage: npm run restore -- --stage prod --table extractions --at 2026-11-27T09:30:00Z [--copy missing|changed] [--workspace ws_…] [--yes]

  --stage      stage of the deployed service, whose tables are found with the AWS credentials and the region of the command line
  --table      ${Object.keys(tables).join(', ')}
  --at         time to go back to, with a time zone; at most 35 days ago
  --copy       missing: items that the running table lacks; changed: items that differ, too; without it: nothing is copied
  --workspace  only items of this workspace
  --yes        do not ask`;

const PAUSE_MS = 10_000;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { stage, isAgreed, ...request } = requested();
  const tablesClient = new DynamoDBClient({});
  const ports: RestorePorts = {
    stacks: new CloudFormationClient({}),
    tables: tablesClient,
    items: newDynamoClient(),
    now: Date.now,
    pause: () => sleep(PAUSE_MS),
  };
  const plan = planRestore(request, await runningTable(stage, request.table, ports));
  console.log(plan.steps.map((step, index) => `${index + 1}. ${step}`).join('\n'));
  if (!isAgreed && !(await agrees())) throw new Error('Nothing was done.');
  await restoreTable(plan, ports);
  console.log(`${plan.target} is restored.`);
  if (request.copying !== 'nothing') {
    const { read, copied } = await copyItems(plan, request, ports);
    console.log(`${copied} of ${read} items copied into ${plan.source}.`);
  }
  console.log(`Delete it when you are done: aws dynamodb delete-table --table-name ${plan.target}`);
}

async function agrees(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Go on? Type yes: ');
  terminal.close();
  return answer.trim() === 'yes';
}

/** @throws UsageError */
function requested(): RestoreRequest & { readonly stage: string; readonly isAgreed: boolean } {
  const { stage, table = '', at = '', copy = 'nothing', workspace = null, yes = false } = parsed();
  if (!stage) throw new UsageError('--stage must name the stage of a deployed service.');
  if (!Object.hasOwn(tables, table)) throw new UsageError(`--table must be one of ${Object.keys(tables).join(', ')}.`);
  // Without a zone it would be the one of this machine.
  if (!/(Z|[+-]\d\d:\d\d)$/.test(at) || Number.isNaN(Date.parse(at)))
    throw new UsageError('--at must be a time with its zone, such as 2026-11-27T09:30:00Z.');
  if (copy !== 'nothing' && copy !== 'missing' && copy !== 'changed')
    throw new UsageError('--copy must be missing or changed.');
  const copying: Copying = copy;
  return { stage, table: table as TableId, atMs: Date.parse(at), copying, workspaceId: workspace, isAgreed: yes };
}

function parsed() {
  const text = { type: 'string' } as const;
  try {
    const options = {
      stage: text,
      table: text,
      at: text,
      copy: text,
      workspace: text,
      yes: { type: 'boolean' },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
