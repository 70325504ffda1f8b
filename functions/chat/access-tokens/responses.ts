import type * as z from 'zod';
import { type AccessToken, type AccessTokenSettings, accessTokens } from '../domain/access-tokens.ts';
import type { accessToken, accessTokenBody, accessTokenChange } from './schemas.ts';

export function toAccessTokenResponse({
  tokenId,
  name,
  createdAt,
  ...token
}: AccessToken): z.output<typeof accessToken> {
  return {
    id: tokenId,
    name,
    allowed_origins: [...token.allowedOrigins],
    requests_per_day: token.requestsPerDay,
    tokens_per_day: token.tokensPerDay,
    visitor_requests_per_day: token.visitorRequestsPerDay,
    visitor_tokens_per_day: token.visitorTokensPerDay,
    prefix: accessTokens.prefixOf(tokenId),
    created_at: createdAt,
  };
}

/** Settings as they were sent: none that was left out. */
export function settingsOf(body: z.output<typeof accessTokenBody>): AccessTokenSettings;
export function settingsOf(body: z.output<typeof accessTokenChange>): Partial<AccessTokenSettings>;
export function settingsOf(body: z.output<typeof accessTokenChange>): Partial<AccessTokenSettings> {
  const settings = {
    name: body.name,
    allowedOrigins: body.allowed_origins,
    requestsPerDay: body.requests_per_day,
    tokensPerDay: body.tokens_per_day,
    visitorRequestsPerDay: body.visitor_requests_per_day,
    visitorTokensPerDay: body.visitor_tokens_per_day,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
