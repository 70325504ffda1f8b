import * as z from 'zod';
import { nameField } from '../../shared/http/name-field.ts';
import { DEFAULT_BUDGETS } from '../domain/visitor-budgets.ts';
import { applicationParams } from '../schemas.ts';

const budget = (what: string) =>
  z
    .int()
    .min(1)
    .max(1_000_000_000_000)
    .nullable()
    .describe(`${what} in a day, which starts at 00:00 UTC; null: no bound`);

/** As browsers write it: in lower case, without a path or the scheme's own port. */
const origin = z
  .string()
  .max(300)
  .refine(
    (text) => /^https?:/.test(text) && URL.parse(text)?.origin === text,
    'must be an origin such as https://www.example.com, without a path',
  );

const settings = {
  name: nameField(100).describe('Where the token is used'),
  allowed_origins: z
    .array(origin)
    .max(50)
    .describe('Origins of the pages that may use the token; others get 403. Empty: pages of any origin, and programs'),
  requests_per_day: budget('Completions of all visitors together'),
  tokens_per_day: budget('Tokens of questions and answers of all visitors together'),
  visitor_requests_per_day: budget('Completions of one visitor, identified by the network address,'),
  visitor_tokens_per_day: budget('Tokens of one visitor'),
};

export const accessTokenBody = z.strictObject({
  name: settings.name.default('Public link'),
  allowed_origins: settings.allowed_origins.default([]),
  requests_per_day: settings.requests_per_day.default(DEFAULT_BUDGETS.requestsPerDay),
  tokens_per_day: settings.tokens_per_day.default(DEFAULT_BUDGETS.tokensPerDay),
  visitor_requests_per_day: settings.visitor_requests_per_day.default(DEFAULT_BUDGETS.visitorRequestsPerDay),
  visitor_tokens_per_day: settings.visitor_tokens_per_day.default(DEFAULT_BUDGETS.visitorTokensPerDay),
});

export const accessTokenChange = z.strictObject(settings).partial();

export const accessTokenParams = applicationParams.extend({ token_id: z.string() });

const spending = z.object({ requests: z.int().nonnegative(), tokens: z.int().nonnegative() });

export const accessToken = z
  .object({
    id: z.string(),
    ...settings,
    name: z.string(),
    prefix: z.string().describe('How the token starts; no secret'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'AccessToken' });

export const accessTokenList = z.object({
  access_tokens: z
    .array(accessToken.extend({ used_today: spending.describe('Of its budgets, by all visitors together') }))
    .describe('Oldest first'),
});

export const newAccessToken = accessToken.extend({
  token: z.string().describe('Shown this once'),
  base_url: z.string().describe('Base address for OpenAI clients: it needs no credential'),
});
