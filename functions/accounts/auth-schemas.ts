import * as z from 'zod';
import { envelopeOf } from '../shared/http/envelope.ts';
import { nameField } from '../shared/http/name-field.ts';
import { EMAIL, MAX_EMAIL_LENGTH } from './domain/email-address.ts';
import { normalEmail } from './domain/user.ts';

const MIN_PASSWORD_CHARACTERS = 10;
const MAX_PASSWORD_BYTES = 1024;
const MAX_NAME_LENGTH = 80;
/** Of requests: longer than any that we hand out. */
const MAX_TOKEN_LENGTH = 200;

const emailError = 'must be an e-mail address, such as name@example.com';
export const email = z
  .string()
  .max(MAX_EMAIL_LENGTH * 2, emailError)
  .transform(normalEmail)
  .pipe(z.string().max(MAX_EMAIL_LENGTH, emailError).regex(EMAIL, emailError))
  .meta({ format: 'email', maxLength: MAX_EMAIL_LENGTH });

const newPasswordError = `must have at least ${MIN_PASSWORD_CHARACTERS} characters, and at most ${MAX_PASSWORD_BYTES} bytes in UTF-8`;
/** A password that is being chosen. */
export const newPassword = z
  .string()
  .refine(
    (text) => isWithinBytes(text, MAX_PASSWORD_BYTES) && [...text].length >= MIN_PASSWORD_CHARACTERS,
    newPasswordError,
  )
  .meta({ minLength: MIN_PASSWORD_CHARACTERS, maxLength: MAX_PASSWORD_BYTES });

/** A password to check: the rules for new ones do not apply, except those that every password meets. */
export const password = z
  .string()
  .refine(
    (text) => text !== '' && isWithinBytes(text, MAX_PASSWORD_BYTES),
    `must have 1 to ${MAX_PASSWORD_BYTES} bytes in UTF-8`,
  )
  .meta({ minLength: 1, maxLength: MAX_PASSWORD_BYTES });

export const workspaceName = nameField(MAX_NAME_LENGTH);

/** Browsers name the page that a call comes from, and let no page leave it out; programs have no reason to. */
export const browserHeaders = z.object({
  origin: z.string().optional().describe('Sent by browsers, which get cookies too'),
  'sec-fetch-site': z.string().optional().describe('Sent by browsers, which get cookies too'),
});

export const registerBody = z.strictObject({ email, password: newPassword, workspace_name: workspaceName });
export const secondFactorCode = z
  .string()
  .min(1)
  .max(40)
  .describe('Six digits of the authenticator app, or a recovery code');
export const loginBody = z.strictObject({
  email,
  password,
  code: secondFactorCode.optional().describe('Of people with a second factor: six digits, or a recovery code'),
});
export const refreshBody = z.strictObject({
  refresh_token: z.string().min(1).max(MAX_TOKEN_LENGTH).describe('The one of the last login or refresh'),
});

const tokens = z.object({
  access_token: z.string().describe('JSON Web Token, for the header Authorization: Bearer'),
  refresh_token: z.string().describe('Good for one refresh, which gives the next one'),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('Seconds until the access token expires'),
});
export const role = z.enum(['viewer', 'admin', 'owner']);
const user = z.object({ id: z.string(), email: z.string(), role });
const workspace = z.object({ id: z.string(), name: z.string() });
const scopes = z.array(z.enum(['extraction', 'chat', 'sandbox']));

export const sessionParams = z.object({ id: z.string().min(1).max(MAX_TOKEN_LENGTH) });
export const sessionList = envelopeOf(
  z.array(
    z.object({
      id: z.string(),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime().describe('A refresh moves it'),
      is_browser: z.boolean().describe('true: it has a cookie'),
      is_current: z.boolean().describe('true: the session of this request'),
      address: z.string().nullable().describe('Network address that logged in; null: not known'),
      user_agent: z.string().nullable(),
    }),
  ),
);

export const loginResult = envelopeOf(tokens);
export const refreshResult = envelopeOf(tokens);
export const registerResult = envelopeOf(
  tokens.extend({
    user,
    workspace,
    api_key: z.object({
      id: z.string(),
      name: z.string(),
      prefix: z.string().describe('How the key starts; it is not a secret'),
      scopes,
      created_at: z.iso.datetime(),
      key: z.string().describe('The key itself, shown this once'),
    }),
  }),
);
export const meResult = envelopeOf(
  z.object({
    user: user.nullable().describe('Null for an API key'),
    workspace,
    role: role.describe('What the credential may do'),
    scopes: scopes.describe('Services that the credential opens'),
  }),
);

export const jwks = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
    }),
  ),
});

const member = user.extend({
  created_at: z.iso.datetime(),
  second_factor: z.boolean().describe('Whether logins need a code as well'),
});
const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role,
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export const memberList = envelopeOf(
  z.object({ members: z.array(member), invitations: z.array(invitation).describe('Not accepted yet') }),
);
export const invitationResult = envelopeOf(invitation);
export const memberResult = envelopeOf(member);
export const memberParams = z.object({ id: z.string().max(MAX_TOKEN_LENGTH).describe('Of a member or an invitation') });
export const inviteBody = z.strictObject({ email, role });
export const memberChange = z.strictObject({ role });
const linkToken = z.string().min(1).max(MAX_TOKEN_LENGTH).describe('Of the link in the mail');
export const acceptBody = z.strictObject({ token: linkToken, password: newPassword });
export const confirmBody = z.strictObject({ token: linkToken, password });
export const passwordBody = z.strictObject({ current_password: password, new_password: newPassword });
export const resetRequestBody = z.strictObject({ email });
export const resetBody = z.strictObject({ token: linkToken, new_password: newPassword });
export const doneResult = envelopeOf(z.null());

/** Counts no further than the limit: a body can have megabytes. */
function isWithinBytes(text: string, maxBytes: number): boolean {
  return text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes;
}
