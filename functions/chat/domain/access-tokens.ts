import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from '../../accounts/domain/audit.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import { hashToken, isHashOf, tokenFormat } from '../../shared/secret-token.ts';
import type { ApplicationId } from './application.ts';
import { ApplicationRefused } from './application-refused.ts';

/** Stands in the path of a public chatbot's address in the place of the application's id. */
export const accessTokens = tokenFormat('tpa_');

/** A token as it is stored. */
export interface AccessToken extends ApplicationId {
  readonly tokenId: string;
  /** For its owner: where the token is used. */
  readonly name: string;
  readonly hash: string;
  /** Key of its visitors' session ids, see visitor-sessions.ts; null: the token is older than these. */
  readonly sessionKey: string | null;
  readonly createdAt: string;
}

export interface AccessTokens {
  /** Strongly consistent: a revocation takes effect on the next request. */
  find(tokenId: string): Promise<AccessToken | null>;
  /** Of one application, in no order. */
  list(application: ApplicationId): Promise<AccessToken[]>;
  /** @returns false when the application is gone. */
  create(token: AccessToken, audit: AuditEntry): Promise<boolean>;
  /** @returns false when the application has no such token. */
  remove(application: ApplicationId, tokenId: string, audit: AuditEntry): Promise<boolean>;
}

/** Removed with their application in one transaction, which has room for so many. */
export const MAX_ACCESS_TOKENS = 20;

export interface TokenPorts extends AuditPorts {
  readonly tokens: AccessTokens;
  readonly random: RandomBytes;
}

/** @throws ApplicationRefused */
export async function createAccessToken(
  { workspaceId, applicationId }: ApplicationId,
  name: string,
  origin: Origin,
  { tokens, random, ...ports }: TokenPorts,
): Promise<{ readonly token: AccessToken; readonly text: string }> {
  const existing = await tokens.list({ workspaceId, applicationId });
  if (existing.length >= MAX_ACCESS_TOKENS)
    throw new ApplicationRefused(
      'too_many_tokens',
      `An application has at most ${MAX_ACCESS_TOKENS} access tokens. Revoke one that is no longer used.`,
    );
  const { id: tokenId, text } = accessTokens.create(random);
  const createdAt = new Date(ports.clock.now()).toISOString();
  const sessionKey = Buffer.from(random(32)).toString('base64');
  const token: AccessToken = {
    workspaceId,
    applicationId,
    tokenId,
    name,
    hash: hashToken(text),
    sessionKey,
    createdAt,
  };
  const act = {
    workspaceId,
    action: 'access_token.created',
    target: tokenId,
    details: { applicationId, name },
  } as const;
  if (!(await tokens.create(token, auditEntry(act, origin, ports))))
    throw new ApplicationRefused('not_found', 'There is no such application in your workspace. Check the id.');
  return { token, text };
}

/** @returns null for one that is malformed, unknown or revoked: a client must not be able to tell these apart. */
export async function verifyAccessToken(text: string, tokens: Pick<AccessTokens, 'find'>): Promise<AccessToken | null> {
  const id = accessTokens.idOf(text);
  const token = id === null ? null : await tokens.find(id);
  return token !== null && isHashOf(token.hash, text) ? token : null;
}

/** @throws ApplicationRefused */
export async function revokeAccessToken(
  application: ApplicationId,
  tokenId: string,
  origin: Origin,
  { tokens, ...ports }: Omit<TokenPorts, 'random'>,
): Promise<void> {
  const { workspaceId, applicationId } = application;
  const act = { workspaceId, action: 'access_token.revoked', target: tokenId, details: { applicationId } } as const;
  if (!(await tokens.remove(application, tokenId, auditEntry(act, origin, ports))))
    throw new ApplicationRefused('token_not_found', 'The application has no access token of this id.');
}
