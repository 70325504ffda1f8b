import * as z from 'zod';
import { envelopeOf } from '../shared/http/envelope.ts';
import { email } from './auth-schemas.ts';
import { normalDomain } from './domain/identity-provider.ts';

const MAX_DOMAINS = 10;
const MAX_TEXT_LENGTH = 500;
/** Codes of some providers have kilobytes. */
const MAX_CODE_LENGTH = 8_000;

const domainError = 'must be a domain, such as example.com';
const domain = z
  .string()
  .max(MAX_TEXT_LENGTH, domainError)
  .transform((text, context) => {
    const normal = normalDomain(text);
    if (normal === null) context.addIssue({ code: 'custom', message: domainError });
    return normal ?? '';
  })
  .meta({ type: 'string' });

const defaultRole = z
  .enum(['viewer', 'admin'])
  .nullable()
  .describe('Role of people who sign in for the first time; null: only members and invited people may sign in');
const required = z
  .boolean()
  .describe(
    'True: members with an address of these domains cannot log in by password any more, and their sessions end. Owners always can',
  );
const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(MAX_TEXT_LENGTH)
  .describe('Address of the provider, exactly as it names itself');
const clientId = z.string().min(1).max(MAX_TEXT_LENGTH);

export const ssoBody = z.strictObject({
  issuer,
  client_id: clientId,
  client_secret: z
    .string()
    .min(1)
    .max(MAX_TEXT_LENGTH)
    .optional()
    .describe('Stored encrypted, never shown. Absent: the stored one stays, with the same issuer and client_id'),
  domains: z
    .array(domain)
    .max(MAX_DOMAINS)
    .refine((all) => new Set(all).size === all.length, 'must not name a domain twice')
    .describe('Domains of the e-mail addresses of your people'),
  default_role: defaultRole,
  required,
});

export const ssoResult = envelopeOf(
  z
    .object({
      issuer,
      client_id: clientId,
      domains: z.array(
        z.object({
          domain: z.string(),
          proved_at: z.iso.datetime().nullable().describe('Null: the DNS record has not been seen yet'),
          record_name: z.string().describe('Name of the TXT record that proves it. Keep the record'),
          record_value: z.string(),
        }),
      ),
      default_role: defaultRole,
      required,
    })
    .meta({ id: 'SingleSignOn' }),
);

export const signInBody = z.strictObject({ email });
export const signInResult = envelopeOf(
  z.object({ authorization_url: z.string().describe('Page of the identity provider: send the browser there') }),
);

export const signInCallbackBody = z
  .strictObject({
    state: z.string().min(1).max(MAX_TEXT_LENGTH),
    code: z.string().min(1).max(MAX_CODE_LENGTH).optional(),
    iss: z.string().max(MAX_TEXT_LENGTH).optional(),
    error: z.string().max(MAX_TEXT_LENGTH).optional(),
  })
  .describe('Parameters by which the provider has sent the browser back');
