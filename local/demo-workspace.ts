import { randomBytes } from 'node:crypto';
import { newApiKey } from '../functions/accounts/domain/api-key.ts';
import { planWorkspace, type Workspaces } from '../functions/accounts/domain/workspace.ts';
import { systemClock, ulidIds } from '../functions/adapters/system-ports.ts';
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts';

const OPENING_BALANCE_KRW = 10_000;

/**
 * The demo workspace of a data directory: made on first start, found again later. The credentials are on disk before
 * the workspace is made from them, so that a crash in between leaves no workspace whose key nobody knows.
 */
export async function ensureDemoWorkspace(
  dataDirectory: string,
  workspaces: Workspaces,
  baseUrl: string,
): Promise<Credentials> {
  const known = await readCredentials(dataDirectory);
  const credentials = { ...(known ?? newCredentials()), baseUrl };
  if (known?.baseUrl !== baseUrl) await writeCredentials(dataDirectory, credentials);
  const { workspaceId, email, password, apiKey } = credentials;
  if (!(await workspaces.exists(workspaceId))) {
    const plan = {
      workspaceId,
      name: 'Demo workspace',
      email,
      password,
      apiKey,
      openingBalanceKrw: OPENING_BALANCE_KRW,
    };
    await workspaces.create(await planWorkspace(plan, { clock: systemClock, ids: ulidIds, random: randomBytes }));
  }
  return credentials;
}

/** The address is a new one each time: deleting the file makes another workspace, beside the first. */
function newCredentials(): Omit<Credentials, 'baseUrl'> {
  return {
    workspaceId: ulidIds.next('ws'),
    email: `demo-${randomBytes(4).toString('hex')}@tripod.localhost`,
    password: randomBytes(18).toString('base64url'),
    apiKey: newApiKey(randomBytes).text,
  };
}
