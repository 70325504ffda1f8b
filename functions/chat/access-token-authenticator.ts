import type { Authenticator } from '../shared/http/authenticate.ts';
import { visitorSubject } from '../shared/http/rate-limits.ts';
import { type AccessTokens, accessTokens, isAllowedOrigin, verifyAccessToken } from './domain/access-tokens.ts';
import { foreignOrigin } from './http-errors.ts';

/** Public access tokens, in the path in the place of an application's id. */
export function accessTokenAuthenticator(tokens: Pick<AccessTokens, 'find'>): Authenticator {
  return {
    find({ pathParameters: { application_id: text = '' } }) {
      return accessTokens.matches(text) ? { rank: 'path', text } : null;
    },
    async verify(text, { sourceAddress, headers }) {
      const token = await verifyAccessToken(text, tokens);
      if (token === null) return null;
      if (!isAllowedOrigin(token, headers.origin)) throw foreignOrigin(headers.origin);
      const { tokenId: id, workspaceId, applicationId, sessionKey } = token;
      const { requestsPerDay, tokensPerDay, visitorRequestsPerDay, visitorTokensPerDay } = token;
      const budgets = { requestsPerDay, tokensPerDay, visitorRequestsPerDay, visitorTokensPerDay };
      const publicAccess = { applicationId, visitor: visitorSubject(id, sourceAddress), budgets, sessionKey };
      // Only routes of its application's chat accept it; there it may do what its workspace may.
      return { kind: 'public-token', id, workspaceId, publicAccess, scopes: ['chat'], role: 'admin' };
    },
  };
}
