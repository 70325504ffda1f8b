import * as z from 'zod';
import { nameField } from '../../shared/http/name-field.ts';
import { applicationParams } from '../schemas.ts';

export const accessTokenBody = z.strictObject({
  name: nameField(100).default('Public link').describe('Where the token is used'),
});

export const accessTokenParams = applicationParams.extend({ token_id: z.string() });

export const accessToken = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('How the token begins; no secret'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'AccessToken' });

export const accessTokenList = z.object({ access_tokens: z.array(accessToken).describe('Oldest first') });

export const newAccessToken = accessToken.extend({
  token: z.string().describe('Shown this once'),
  base_url: z.string().describe('Base address for OpenAI clients: it needs no credential'),
});
