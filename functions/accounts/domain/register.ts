import type { Ids } from '../../shared/ports/ids.ts';
import { newApiKey } from './api-key.ts';
import { AuthRefused } from './auth-refused.ts';
import { type SessionPorts, type StartedSession, startSession } from './log-in.ts';
import type { PasswordHasher } from './password.ts';
import type { SessionClient } from './session.ts';
import { type AddressProof, EmailTaken, type NewWorkspace, planWorkspace, type Workspaces } from './workspace.ts';

export interface RegisterPorts extends SessionPorts {
  readonly workspaces: Pick<Workspaces, 'create'>;
  readonly ids: Ids;
  readonly hasher: PasswordHasher;
}

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly workspaceName: string;
  /** By default 'known': the operator makes the workspace. */
  readonly address?: AddressProof;
  /** False: no mail asks for the confirmation, until the owner requests one. */
  readonly isMailed?: boolean;
}

export interface Registered {
  readonly workspace: NewWorkspace;
  /** The text of the first key, shown this once. */
  readonly apiKey: string;
}

/** Makes a workspace with its owner and its first key, all at once or not at all. @throws AuthRefused */
export async function createWorkspace(
  { email, password, workspaceName, address = 'known', isMailed = true }: Registration,
  ports: Pick<RegisterPorts, 'workspaces' | 'ids' | 'clock' | 'random' | 'hasher'>,
): Promise<Registered> {
  const apiKey = newApiKey(ports.random).text;
  const workspaceId = ports.ids.next('ws');
  const plan = { workspaceId, name: workspaceName, email, password, apiKey, openingBalanceKrw: 0, address, isMailed };
  const workspace = await planWorkspace(plan, ports);
  try {
    await ports.workspaces.create(workspace);
  } catch (error) {
    if (!(error instanceof EmailTaken)) throw error;
    throw new AuthRefused('email_taken', 'This e-mail address is registered already. Log in, or reset the password.');
  }
  return { workspace, apiKey };
}

/** Registers the owner of a new workspace and logs them in. @throws AuthRefused */
export async function register(
  registration: Registration & { readonly isBrowser: boolean; readonly client?: SessionClient },
  ports: RegisterPorts,
): Promise<Registered & StartedSession> {
  const registered = await createWorkspace(registration, ports);
  const { isBrowser, client } = registration;
  return { ...registered, ...(await startSession(registered.workspace.owner, isBrowser, ports, client)) };
}
