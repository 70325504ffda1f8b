import { randomBytes } from 'node:crypto';
import { newApiKey } from '../../accounts/domain/api-key.ts';
import { planWorkspace } from '../../accounts/domain/workspace.ts';
import { passwordHashing } from '../../accounts/password-hashing.ts';
import { DynamoAccounts } from '../../adapters/accounts/dynamo-accounts.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';

export interface DemoCredentials {
  readonly workspaceId: string;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

const OPENING_BALANCE_KRW = 10_000;

/** Credentials of a demo workspace that is still to be made. */
export function newDemoCredentials(): DemoCredentials {
  const workspaceId = ulidIds.next('ws');
  return {
    workspaceId,
    // Unique, so that a new workspace can be made where an old one's credentials were lost.
    email: `demo-${workspaceId.slice(-8).toLowerCase()}@tripod.localhost`,
    password: randomBytes(18).toString('base64url'),
    apiKey: newApiKey(randomBytes).text,
  };
}

/**
 * Makes the workspace of these credentials, with 10,000 KRW, unless it is there. Write the credentials down first: a
 * start that was cut short between the two is then completed by the next one.
 */
export async function ensureDemoWorkspace(credentials: DemoCredentials): Promise<void> {
  const { ACCOUNTS_TABLE } = environment('ACCOUNTS_TABLE');
  const workspaces = new DynamoAccounts(dynamoClient(), ACCOUNTS_TABLE);
  if (await workspaces.exists(credentials.workspaceId)) {
    await enableLogin(credentials, workspaces);
    return;
  }
  const plan = { ...credentials, name: 'Demo', openingBalanceKrw: OPENING_BALANCE_KRW };
  await workspaces.create(await planWorkspace(plan, { clock: systemClock, ids: ulidIds, hasher: passwordHashing() }));
}

/** Demo workspaces that are older than logins have an owner who cannot log in yet. */
async function enableLogin({ email, password }: DemoCredentials, workspaces: DynamoAccounts): Promise<void> {
  const owner = await workspaces.ownerWithoutLogin(email);
  if (owner !== null)
    await workspaces.enableLogin(owner, { ...owner, passwordHash: await passwordHashing().hash(password) });
}
