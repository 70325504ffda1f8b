import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from '../../accounts/domain/audit.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import { hashToken, isHashOf, tokenFormat } from '../../shared/secret-token.ts';
import type { ApplicationId } from './application.ts';
import { ApplicationRefused } from './application-refused.ts';
import type { DailyBudgets } from './visitor-budgets.ts';

/** Replaces the application's id in the path of a public chatbot. */
export const accessTokens = tokenFormat('tpa_');

/** Set by the owner. */
export interface AccessTokenSettings extends DailyBudgets {
  /** For its owner: where the token is used. */
  readonly name: string;
  /** Origins of the pages that may use it, `https://www.example.com`; empty: any page, and programs. */
  readonly allowedOrigins: readonly string[];
}

/** A token as it is stored. */
export interface AccessToken extends ApplicationId, AccessTokenSettings {
  readonly tokenId: string;
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
  /** @returns null when the application has no such token. */
  change(
    application: ApplicationId,
    tokenId: string,
    change: Partial<AccessTokenSettings> & { readonly sessionKey?: string },
    audit: AuditEntry,
  ): Promise<AccessToken | null>;
  /** @returns false when the application has no such token. */
  remove(application: ApplicationId, tokenId: string, audit: AuditEntry): Promise<boolean>;
}

/** Removed with their application in one transaction, which limits their number. */
export const MAX_ACCESS_TOKENS = 20;

export interface TokenPorts extends AuditPorts {
  readonly tokens: AccessTokens;
  readonly random: RandomBytes;
}

/** @throws ApplicationRefused */
export async function createAccessToken(
  { workspaceId, applicationId }: ApplicationId,
  settings: AccessTokenSettings,
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
  const token: AccessToken = {
    workspaceId,
    applicationId,
    tokenId,
    ...settings,
    hash: hashToken(text),
    sessionKey: newSessionKey(random),
    createdAt,
  };
  const act = {
    workspaceId,
    action: 'access_token.created',
    target: tokenId,
    details: { applicationId, name: settings.name },
  } as const;
  if (!(await tokens.create(token, auditEntry(act, origin, ports))))
    throw new ApplicationRefused('not_found', 'Application not found in this workspace. Check the id.');
  return { token, text };
}

/** A token that is older than sessions of visitors has them from then on. @throws ApplicationRefused */
export async function changeAccessToken(
  application: ApplicationId,
  tokenId: string,
  change: Partial<AccessTokenSettings>,
  origin: Origin,
  { tokens, random, ...ports }: TokenPorts,
): Promise<AccessToken> {
  const { workspaceId, applicationId } = application;
  const found = await tokens.find(tokenId);
  if (found?.workspaceId !== workspaceId || found.applicationId !== applicationId) throw tokenNotFound();
  const act = {
    workspaceId,
    action: 'access_token.changed',
    target: tokenId,
    details: { applicationId, changed: Object.keys(change) },
  } as const;
  const missing = found.sessionKey === null ? { sessionKey: newSessionKey(random) } : {};
  const changed = await tokens.change(application, tokenId, { ...change, ...missing }, auditEntry(act, origin, ports));
  if (changed === null) throw tokenNotFound();
  return changed;
}

function newSessionKey(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64');
}

function tokenNotFound(): ApplicationRefused {
  return new ApplicationRefused('token_not_found', 'The application has no access token of this id.');
}

/** Whether a request with this header Origin may use the token. A list of origins leaves out what names none. */
export function isAllowedOrigin({ allowedOrigins }: AccessToken, origin: string | undefined): boolean {
  return allowedOrigins.length === 0 || (origin !== undefined && allowedOrigins.includes(origin));
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
  if (!(await tokens.remove(application, tokenId, auditEntry(act, origin, ports)))) throw tokenNotFound();
}
