import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { SealedSecret } from '../../shared/ports/secret-box.ts';
import type { AuditEntry } from './audit.ts';
import type { Invitation } from './members.ts';
import type { LoginCredential, User } from './user.ts';

/** The OpenID Connect provider by which a workspace's people sign in. */
export interface IdentityProvider {
  readonly workspaceId: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: SealedSecret;
  /** Domains of the e-mail addresses of these people; each counts once its owner has proved it. */
  readonly domains: readonly ClaimedDomain[];
  /** Of people who sign in for the first time; null: only members and invited people may sign in. */
  readonly defaultRole: 'viewer' | 'admin' | null;
  /** True: members with an address of these domains, other than owners, cannot log in by password. */
  readonly isRequired: boolean;
  /** A change names the version that it was computed from. */
  readonly version: number;
}

/** A domain that a workspace says it owns. */
export interface ClaimedDomain {
  /** In its normal form. */
  readonly domain: string;
  /** Part of the DNS record that proves it. */
  readonly token: string;
}

/** A domain whose owner has published the record of a workspace. No other workspace can use it. */
export interface ProvedDomain extends ClaimedDomain {
  readonly workspaceId: string;
  readonly provedAt: string;
}

/** A sign-in that has been sent to the provider. It can be completed once, by the browser that started it. */
export interface SignInFlow {
  readonly stateHash: string;
  readonly browserHash: string;
  readonly workspaceId: string;
  /** Of the provider: after a change of it, the flow is void. */
  readonly providerVersion: number;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly expiresAtMs: number;
}

/** A person as the provider knows them. A provider never gives the subject to another person; an address it may. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** In its normal form; null: none, or one that the provider has not verified. */
  readonly verifiedEmail: string | null;
}

/** The identity of a member. */
export interface IdentityLink {
  readonly workspaceId: string;
  readonly userId: string;
  readonly issuer: string;
  readonly identityHash: string;
}

export interface IdentityProviders {
  /** Strongly consistent, as all reads here. */
  find(workspaceId: string): Promise<IdentityProvider | null>;
  /** Stores the next version, and frees domains: one transaction. @returns false when another change came first. */
  save(after: IdentityProvider, freed: readonly ProvedDomain[], audit: AuditEntry): Promise<boolean>;
  /** @returns false when another change came first. */
  remove(before: IdentityProvider, freed: readonly ProvedDomain[], audit: AuditEntry): Promise<boolean>;
  proofOf(domain: string): Promise<ProvedDomain | null>;
  /** @param former its holder until now, whose record is gone. @returns false when another change came first. */
  prove(
    domain: ProvedDomain,
    former: ProvedDomain | null,
    provider: IdentityProvider,
    audit: AuditEntry,
  ): Promise<boolean>;
  beginFlow(flow: SignInFlow): Promise<void>;
  /** Removes a flow and returns it: of two calls, one gets null. */
  takeFlow(stateHash: string): Promise<SignInFlow | null>;
  /** Whether a member with this address was removed, and has not accepted an invitation since. */
  wasRemoved(workspaceId: string, email: string): Promise<boolean>;
  linkByIdentity(workspaceId: string, identityHash: string): Promise<IdentityLink | null>;
  linkOfUser(workspaceId: string, userId: string): Promise<IdentityLink | null>;
  /** @returns false when another change came first. */
  link(after: IdentityLink, before: IdentityLink | null, audit: AuditEntry): Promise<boolean>;
  /**
   * Makes a person a member with this identity: all or nothing.
   * @param invitation is used up; null: there is none, and no one whose address is marked as removed can join.
   */
  join(
    user: User,
    credential: LoginCredential,
    link: IdentityLink,
    invitation: Invitation | null,
    audit: AuditEntry,
  ): Promise<'joined' | 'email_taken' | 'conflict'>;
  /** Ends all sessions of a user. */
  endSessions(user: User): Promise<void>;
}

/** The protocol. */
export interface OpenId {
  /** Reads what the issuer publishes of itself. @throws AuthRefused */
  check(issuer: string): Promise<void>;
  /** @throws AuthRefused */
  authorizationUrl(
    provider: IdentityProvider,
    flow: SignInFlow,
    sent: { readonly state: string; readonly email: string },
  ): Promise<string>;
  /** Exchanges the code and judges the tokens. @throws AuthRefused */
  identityOf(
    provider: IdentityProvider & { readonly openedSecret: string },
    flow: SignInFlow,
    response: AuthorizationResponse,
  ): Promise<Identity>;
}

/** Parameters with which the provider sends the browser back. */
export interface AuthorizationResponse {
  readonly state: string;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

export const clientSecretContext = (workspaceId: string): string => `client secret of ${workspaceId}`;

/** @returns null for a text that is not a domain. */
export function normalDomain(text: string): string | null {
  const domain = domainToASCII(text.trim().toLowerCase());
  return DOMAIN.test(domain) && domain.length <= MAX_DOMAIN_LENGTH ? domain : null;
}

const MAX_DOMAIN_LENGTH = 253;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @param email in its normal form. */
export function domainOf(email: string): string | null {
  return normalDomain(email.slice(email.lastIndexOf('@') + 1));
}

export const proofRecordName = (domain: string): string => `_tripod-sso.${domain}`;
export const proofRecordValue = (token: string): string => `tripod-sso=${token}`;

export function identityHash({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
}

/**
 * Whether a person may not log in by password. Owners always may: a provider that is down or gone must not lock a workspace's
 * last owner out.
 */
export async function mustUseProvider(
  { workspaceId, role, email }: Pick<User, 'workspaceId' | 'role' | 'email'>,
  providers: Pick<IdentityProviders, 'find' | 'proofOf'>,
): Promise<boolean> {
  if (role === 'owner') return false;
  const domain = domainOf(email);
  const proof = domain && (await providers.proofOf(domain));
  if (!proof || proof.workspaceId !== workspaceId) return false;
  return (await providers.find(workspaceId))?.isRequired ?? false;
}
