import { randomBytes } from 'node:crypto';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Account, Crowd, LedgerEntry } from '../../functions/accounts/domain/account.ts';
import { newApiKey } from '../../functions/accounts/domain/api-key.ts';
import { planWorkspace } from '../../functions/accounts/domain/workspace.ts';
import { passwordHashing } from '../../functions/accounts/password-hashing.ts';
import { DynamoAccounts } from '../../functions/adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { apiKeyKey } from '../../functions/adapters/dynamodb/keys.ts';
import { systemClock, ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import { environment } from '../../functions/shared/environment.ts';
import type { Scope } from '../../functions/shared/principal.ts';
import { isListed } from './extract-flow.ts';

export interface TestWorkspace {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly keyId: string;
  /** Of the owner. */
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** A further workspace in the service that `startService` has started in this process. */
export async function createWorkspace(
  options: { balanceKrw?: number; freeCallsUsed?: number; crowd?: Crowd } = {},
): Promise<TestWorkspace> {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  const key = newApiKey(randomBytes);
  const workspaceId = ulidIds.next('ws');
  const email = `${workspaceId}@example.com`.toLowerCase();
  const password = randomBytes(12).toString('hex');
  const planned = await planWorkspace(
    {
      workspaceId,
      name: 'Another',
      email,
      password,
      apiKey: key.text,
      openingBalanceKrw: options.balanceKrw ?? 10_000,
    },
    { clock: systemClock, ids: ulidIds, hasher: passwordHashing() },
  );
  const { freeCallsUsed = 0, crowd } = options;
  const account = { ...planned.account, freeCallsUsed, ...(crowd && { crowd }) };
  await new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE).create({ ...planned, account });
  return { workspaceId, apiKey: key.text, keyId: key.id, userId: planned.owner.userId, email, password };
}

/** Changes a key's record behind the service's back. */
export async function changeKey(
  keyId: string,
  change: { scopes: readonly Scope[] } | { revokedAt: string | null } | { validUntil: string },
): Promise<void> {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  const [[name, value]] = Object.entries(change) as [[string, unknown]];
  await dynamoClient().send(
    new UpdateCommand({
      TableName: ACCOUNTS_TABLE,
      Key: apiKeyKey(keyId),
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}

/** Everything that the calls of extraction and balance of a workspace have left behind in the started service. */
export async function tracesOf(workspaceId: string) {
  const { ACCOUNTS_TABLE, EXTRACTIONS_TABLE, IDEMPOTENCY_TABLE } = environment(
    'ACCOUNTS_TABLE',
    'EXTRACTIONS_TABLE',
    'IDEMPOTENCY_TABLE',
  );
  const [accounts, extractions, claims] = await Promise.all([
    itemsOf(workspaceId, ACCOUNTS_TABLE),
    itemsOf(workspaceId, EXTRACTIONS_TABLE),
    itemsOf(workspaceId, IDEMPOTENCY_TABLE),
  ]);
  const account = accounts.find(({ sk }) => sk === 'ACCOUNT') as unknown as Account;
  const entries = accounts.filter(({ kind }) => kind === 'extraction') as unknown as LedgerEntry[];
  return {
    balanceKrw: account.balanceKrw,
    freeCallsUsed: account.freeCallsUsed,
    charges: entries.map(({ amountKrw, balanceKrw, reference }) => ({ amountKrw, balanceKrw, reference })),
    extractions: extractions.filter(({ sk }) => !isListed(sk)).map(({ extractionId }) => String(extractionId)),
    idempotencyKeys: claims.map(({ sk }) => String(sk)),
  };
}

/** The ids of the executions that a workspace has left behind. */
export async function executionsOf(workspaceId: string): Promise<string[]> {
  const { EXECUTIONS_TABLE } = environment('EXECUTIONS_TABLE');
  return (await itemsOf(workspaceId, EXECUTIONS_TABLE)).map(({ executionId }) => String(executionId));
}

async function itemsOf(workspaceId: string, TableName: string) {
  const { Items = [] } = await dynamoClient().send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items.filter(({ pk }) => String(pk).startsWith(`WORKSPACE#${workspaceId}`));
}
