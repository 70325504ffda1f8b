import type * as z from 'zod';
import type { invitationResult, loginResult, memberResult, meResult, registerResult } from './auth-schemas.ts';
import { apiKeyPrefix } from './domain/api-key.ts';
import type { Tokens } from './domain/log-in.ts';
import type { Invitation } from './domain/members.ts';
import { sessionEndMs } from './domain/own-sessions.ts';
import type { Registered } from './domain/register.ts';
import type { Session } from './domain/session.ts';
import type { User } from './domain/user.ts';

export function toTokensResponse(tokens: Tokens): z.output<typeof loginResult>['data'] {
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: 'bearer',
    expires_in: tokens.expiresInSeconds,
  };
}

export function toUserResponse({ userId, email, role }: User): NonNullable<z.output<typeof meResult>['data']['user']> {
  return { id: userId, email, role };
}

export function toRegisteredResponse(
  { workspace, apiKey }: Registered,
  tokens: Tokens,
): z.output<typeof registerResult>['data'] {
  const { id, name, scopes, createdAt } = workspace.apiKey;
  return {
    ...toTokensResponse(tokens),
    user: toUserResponse(workspace.owner),
    workspace: { id: workspace.workspaceId, name: workspace.name },
    api_key: { id, name, prefix: apiKeyPrefix(id), scopes: [...scopes], created_at: createdAt, key: apiKey },
  };
}

export function toSessionResponse(session: Session, currentId: string | undefined) {
  const { sessionId, createdAt, cookieHash, client } = session;
  return {
    id: sessionId,
    created_at: createdAt,
    expires_at: new Date(sessionEndMs(session)).toISOString(),
    is_browser: cookieHash !== null,
    is_current: sessionId === currentId,
    address: client?.address ?? null,
    user_agent: client?.userAgent ?? null,
  };
}

export function toMemberResponse(user: User): z.output<typeof memberResult>['data'] {
  return { ...toUserResponse(user), created_at: user.createdAt, second_factor: user.secondFactor === true };
}

export function toInvitationResponse(invitation: Invitation): z.output<typeof invitationResult>['data'] {
  const { invitationId: id, email, role, createdAt, expiresAtMs } = invitation;
  return { id, email, role, created_at: createdAt, expires_at: new Date(expiresAtMs).toISOString() };
}
