import * as z from 'zod';
import { envelopeOf } from '../shared/http/envelope.ts';
import { loginResult, password, secondFactorCode } from './auth-schemas.ts';

export const secondFactorResult = envelopeOf(
  z.object({
    is_on: z.boolean(),
    is_required: z.boolean().describe('Whether the workspace requires one of every member'),
    confirmed_at: z.iso.datetime().nullable().describe('When it was switched on; null: it is off'),
    recovery_codes_left: z.int(),
  }),
);

export const enrolBody = z.strictObject({ current_password: password });
export const enrolResult = envelopeOf(
  z.object({
    secret: z.string().describe('In base32, for apps without a camera'),
    otpauth_uri: z.string().describe('For the QR code that authenticator apps read'),
  }),
);

const recoveryCodes = z
  .array(z.string())
  .describe('Shown this once. Each is good for one login in place of a code of the app');

export const confirmFactorBody = z.strictObject({ code: secondFactorCode });
export const confirmFactorResult = envelopeOf(loginResult.shape.data.extend({ recovery_codes: recoveryCodes }));
export const recoveryCodesResult = envelopeOf(z.object({ recovery_codes: recoveryCodes }));
export const disableFactorBody = z.strictObject({ current_password: password, code: secondFactorCode });
