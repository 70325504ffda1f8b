import { ensureDemoWorkspace, newDemoCredentials } from '../functions/wiring/accounts/demo-workspace.ts';
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts';

/** The demo workspace of a data directory: made on first start, found again later; its file says where the service is. */
export async function demoWorkspace(dataDirectory: string, baseUrl: string): Promise<Credentials> {
  const known = await readCredentials(dataDirectory);
  const credentials = { ...(known ?? newDemoCredentials()), baseUrl };
  // Written down first: a workspace whose key is lost could not be used, nor made again.
  if (known?.baseUrl !== baseUrl) await writeCredentials(dataDirectory, credentials);
  await ensureDemoWorkspace(credentials);
  return credentials;
}
