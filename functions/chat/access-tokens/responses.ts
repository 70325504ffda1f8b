import type * as z from 'zod';
import { type AccessToken, accessTokens } from '../domain/access-tokens.ts';
import type { accessToken } from './schemas.ts';

export function toAccessTokenResponse({ tokenId, name, createdAt }: AccessToken): z.output<typeof accessToken> {
  return { id: tokenId, name, prefix: accessTokens.prefixOf(tokenId), created_at: createdAt };
}
