import { createHash, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { AuthRefused } from './auth-refused.ts';
import {
  type AuthorizationResponse,
  clientSecretContext,
  domainOf,
  type Identity,
  type IdentityLink,
  type IdentityProvider,
  type IdentityProviders,
  identityHash,
  type OpenId,
} from './identity-provider.ts';
import type { Members } from './members.ts';
import { UNUSABLE_PASSWORD } from './password.ts';
import type { User, Users } from './user.ts';

export interface SignInPorts extends AuditPorts {
  readonly providers: IdentityProviders;
  readonly openId: OpenId;
  readonly users: Users;
  readonly members: Pick<Members, 'invitations'>;
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly random: RandomBytes;
}

/** Time between the way to the provider and the way back. */
export const FLOW_SECONDS = 10 * 60;
const SECRET_BYTES = 32;

export interface BegunSignIn {
  readonly authorizationUrl: string;
  readonly state: string;
  /** Goes into a cookie: another browser cannot complete the sign-in. */
  readonly browserSecret: string;
}

/** Starts a sign-in at the provider of the workspace that has proved the address's domain. @throws AuthRefused */
export async function beginSignIn(
  { email, redirectUri }: { readonly email: string; readonly redirectUri: string },
  { providers, openId, random, clock }: Pick<SignInPorts, 'providers' | 'openId' | 'random' | 'clock'>,
): Promise<BegunSignIn> {
  const domain = domainOf(email);
  const proof = domain && (await providers.proofOf(domain));
  const provider = proof ? await providers.find(proof.workspaceId) : null;
  if (provider === null)
    throw new AuthRefused(
      'sso_not_configured',
      'No workspace has set up single sign-on for this e-mail domain. Log in by password.',
    );
  const secret = () => Buffer.from(random(SECRET_BYTES)).toString('base64url');
  const [state, browserSecret] = [secret(), secret()];
  const flow = {
    stateHash: hashOf(state),
    browserHash: hashOf(browserSecret),
    workspaceId: provider.workspaceId,
    providerVersion: provider.version,
    redirectUri,
    nonce: secret(),
    codeVerifier: secret(),
    expiresAtMs: clock.now() + FLOW_SECONDS * 1000,
  };
  const authorizationUrl = await openId.authorizationUrl(provider, flow, { state, email });
  await providers.beginFlow(flow);
  return { authorizationUrl, state, browserSecret };
}

/**
 * Completes a sign-in. A person is known by issuer and subject. The address counts at the first sign-in alone, and only for accounts of
 * the workspace that has proved its domain: no workspace gets hold of an account of another one. @throws AuthRefused
 */
export async function completeSignIn(
  response: AuthorizationResponse,
  browserSecret: string | undefined,
  originOf: (userId: string) => Origin,
  ports: SignInPorts,
): Promise<User> {
  const { providers, openId, secrets, clock } = ports;
  const flow = await providers.takeFlow(hashOf(response.state));
  if (flow === null || flow.expiresAtMs <= clock.now() || !isHash(flow.browserHash, browserSecret ?? ''))
    throw new AuthRefused(
      'sso_flow_expired',
      'This sign-in was completed already, took longer than ten minutes, or started in another browser. Start again.',
    );
  const { workspaceId } = flow;
  const provider = await providers.find(workspaceId);
  if (provider?.version !== flow.providerVersion) throw changedMeanwhile();
  const openedSecret = await secrets.open(provider.clientSecret, clientSecretContext(workspaceId));
  const identity = await openId.identityOf({ ...provider, openedSecret }, flow, response);
  const email = await requireEmail(identity, provider, providers);
  const link = await providers.linkByIdentity(workspaceId, identityHash(identity));
  const known = link && (await ports.users.find(link.userId));
  if (known?.workspaceId === workspaceId) return known;
  const wasMember = link !== null || (await providers.wasRemoved(workspaceId, email));
  return firstSignIn({ identity, email, provider, wasMember }, originOf, ports);
}

interface FirstSignIn {
  readonly identity: Identity;
  readonly email: string;
  readonly provider: IdentityProvider;
  /** Someone whom an owner has removed comes back by an invitation alone. */
  readonly wasMember: boolean;
}

async function firstSignIn(first: FirstSignIn, originOf: (userId: string) => Origin, ports: SignInPorts) {
  const { workspaceId } = first.provider;
  const credential = await ports.users.findCredential(first.email);
  if (credential === null) return joinWorkspace(first, originOf, ports);
  if (credential.workspaceId !== workspaceId)
    throw new AuthRefused(
      'email_taken',
      'This address has an account in another workspace, which single sign-on does not touch. Log in by password.',
    );
  // Its password may be a stranger's, who has registered the address before.
  if (credential.isUnconfirmed)
    throw refused(
      workspaceId,
      'sso_unconfirmed',
      'The address of your account is not confirmed. Reset your password by mail once, and sign in again.',
    );
  const user = await ports.users.find(credential.userId);
  if (user === null) throw changedMeanwhile();
  return linkMember(user, first, originOf, ports);
}

/** Links a member, who logged in by password until now. */
async function linkMember(
  user: User,
  { identity, provider }: FirstSignIn,
  originOf: (userId: string) => Origin,
  ports: SignInPorts,
): Promise<User> {
  const { providers } = ports;
  const { userId } = user;
  const after = linkOf(userId, identity, provider);
  const before = await providers.linkOfUser(provider.workspaceId, userId);
  // Another browser was quicker.
  if (before?.identityHash === after.identityHash) return user;
  // An address that the provider gives to another person is no way into the account of the first one.
  if (before?.issuer === after.issuer)
    throw refused(
      provider.workspaceId,
      'sso_identity_changed',
      'Another person of the identity provider signs in to the account of this address. An owner can remove it, and invite you again.',
    );
  const act = { workspaceId: user.workspaceId, action: 'sso.linked', target: userId } as const;
  if (!(await providers.link(after, before, auditEntry(act, originOf(userId), ports)))) throw changedMeanwhile();
  return user;
}

async function joinWorkspace(
  { identity, email, provider, wasMember }: FirstSignIn,
  originOf: (userId: string) => Origin,
  ports: SignInPorts,
): Promise<User> {
  const { workspaceId, defaultRole } = provider;
  const nowMs = ports.clock.now();
  const invitations = await ports.members.invitations(workspaceId);
  const invitation = invitations.find((each) => each.email === email && each.expiresAtMs > nowMs) ?? null;
  const role = invitation?.role ?? (wasMember ? null : defaultRole);
  if (role === null)
    throw refused(
      workspaceId,
      'sso_not_invited',
      'You are not a member of this workspace. Ask one of its owners for an invitation, then sign in again.',
    );
  const userId = ports.ids.next('usr');
  const user = { userId, workspaceId, email, role, sessionEpoch: 0, createdAt: new Date(nowMs).toISOString() };
  const credential = { email, userId, workspaceId, passwordHash: UNUSABLE_PASSWORD };
  const details = { email, role, by: 'single sign-on' };
  const audit = auditEntry({ workspaceId, action: 'member.joined', target: userId, details }, originOf(userId), ports);
  const link = linkOf(userId, identity, provider);
  if ((await ports.providers.join(user, credential, link, invitation, audit)) !== 'joined') throw changedMeanwhile();
  return user;
}

function linkOf(userId: string, identity: Identity, { workspaceId }: IdentityProvider): IdentityLink {
  return { workspaceId, userId, issuer: identity.issuer, identityHash: identityHash(identity) };
}

/** The verified address, of a domain that the workspace has proved. @throws AuthRefused */
async function requireEmail(
  { verifiedEmail }: Identity,
  { workspaceId }: IdentityProvider,
  providers: Pick<IdentityProviders, 'proofOf'>,
): Promise<string> {
  if (verifiedEmail === null)
    throw refused(
      workspaceId,
      'sso_email_refused',
      'The identity provider does not say that your e-mail address is verified. Its administrator can change that.',
    );
  const domain = domainOf(verifiedEmail);
  const proof = domain && (await providers.proofOf(domain));
  if (!proof || proof.workspaceId !== workspaceId)
    throw refused(
      workspaceId,
      'sso_email_refused',
      'The workspace has not proved the domain of your e-mail address. One of its owners can do that.',
    );
  return verifiedEmail;
}

function refused(workspaceId: string, ...refusal: [AuthRefused['refusal'], string]): AuthRefused {
  return new AuthRefused(...refusal, { workspaceId, userId: null });
}

function changedMeanwhile(): AuthRefused {
  return new AuthRefused('sso_changed', 'The account or its identity provider has just changed. Sign in again.');
}

/** A secret has 256 bits: one SHA-256 is enough. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function isHash(hash: string, secret: string): boolean {
  const [expected, actual] = [Buffer.from(hash), Buffer.from(hashOf(secret))];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
