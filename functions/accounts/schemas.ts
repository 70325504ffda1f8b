import * as z from 'zod';
import { pageQuery } from '../shared/http/page-query.ts';
import { ALL_SCOPES } from '../shared/principal.ts';
import { AUDIT_ACTIONS, AUDIT_CURSOR } from './domain/audit.ts';
import { CURSOR } from './domain/ledger.ts';
import { MAX_TOP_UP_KRW } from './domain/top-up.ts';
import { USAGE_GROUPS } from './domain/usage.ts';

/** The prepaid balance of a workspace. */
export const balance = z.object({
  balanceKrw: z.int().nonnegative().describe('Current prepaid balance in KRW'),
  lowBalanceThresholdKrw: z
    .int()
    .nonnegative()
    .nullable()
    .describe('Threshold in KRW of the low-balance e-mail; null: switched off'),
  updatedAt: z.iso.datetime().nullable().describe('Time of the last change of the balance; null: there was none'),
});

export const balanceChange = z.strictObject({
  lowBalanceThresholdKrw: wholeKrw(0).nullable().describe('Threshold of the low-balance e-mail; null switches it off'),
});

const scope = z.enum(ALL_SCOPES);

/** Control and formatting characters: with them a reference would not be what it looks like. */
const UNSEEN = '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff';
const REFERENCE = new RegExp(`^[^${UNSEEN}]{1,100}$`, 'u');

export const topUpBody = z.strictObject({
  amountKrw: wholeKrw(1, MAX_TOP_UP_KRW),
  reference: z
    .string()
    .trim()
    .normalize('NFC')
    .regex(REFERENCE, 'must be 1 to 100 characters, no line breaks or other control characters')
    // As it may be sent: with blanks around.
    .meta({ pattern: `^[^${UNSEEN}]*[^\\s${UNSEEN}][^${UNSEEN}]*$`, minLength: 1, maxLength: 100 })
    .describe('The payment’s own name, such as the bank’s number of the transfer: it is booked once'),
});

/** The body of a payment provider's webhook, in the form of Standard Webhooks. */
export const paymentBody = z.object({
  type: z.literal('payment.confirmed', { error: 'must be payment.confirmed: send no other events here' }),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  data: topUpBody.extend({ workspaceId: z.string().min(1).max(100).describe('The workspace that the payment is for') }),
});

const KEY_NAME = `^[^${UNSEEN}]*[^\\s${UNSEEN}][^${UNSEEN}]*$`;

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('How the key starts; it is not a secret'),
  scopes: z.array(scope).describe('Services that it may be used for'),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe('Exact to the minute; null: never used'),
  expires_at: z.iso.datetime().nullable().describe('From when on it is refused; null: it has no end'),
});

export const apiKeyBody = z.strictObject({
  name: z
    .string()
    .trim()
    .normalize('NFC')
    .regex(REFERENCE, 'must be 1 to 100 characters, no line breaks or other control characters')
    .meta({ pattern: KEY_NAME, minLength: 1, maxLength: 100 })
    .describe('Unique among the keys of the workspace'),
  scopes: z
    .array(scope)
    .min(1, 'must name at least one service; leave it out for all of them')
    .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each service once')
    .default([...ALL_SCOPES])
    .describe('Services that the key is narrowed to. One with all of them acts as an owner, others as an admin'),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be a time with its offset, such as 2027-01-31T00:00:00Z' })
    .nullable()
    .default(null)
    .describe('From when on the key is refused; null or absent: it has no end'),
});

export const createdApiKey = apiKey.extend({ key: z.string().describe('The key itself, shown this once') });

export const apiKeyList = z.array(apiKey).describe('Those that are not revoked, newest first');

export const apiKeyParams = z.object({ id: z.string() });

const ledgerEntry = z.object({
  id: z.string(),
  type: z.enum(['opening', 'extraction', 'chat', 'sandbox', 'top_up']),
  amountKrw: z.int().describe('Signed: a charge is negative, a free call 0'),
  balanceAfterKrw: z.int().nonnegative().describe('The balance right after this entry'),
  reference: z
    .string()
    .nullable()
    .describe(
      'extraction: the extractionId that was paid for; chat: the id of the answer or of the workflow’s run; sandbox: the execution_id; ' +
        'top_up: the payment’s reference; opening: null',
    ),
  apiKeyId: z.string().nullable().describe('The API key that caused it; null: no key did, or none was noted'),
  createdAt: z.iso.datetime(),
});

export const topUpResult = z.object({
  entry: ledgerEntry,
  balance: balance.describe('As it is now'),
});

export const entriesQuery = pageQuery('entries', 'nextCursor', CURSOR);

export const ledgerPage = z.object({
  entries: z.array(ledgerEntry).describe('Newest first'),
  nextCursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
  freePagesLeft: z.int().nonnegative().describe('Successful extractions that are still free'),
});

const usageAmounts = z.object({
  calls: z.int().nonnegative(),
  krw: z.int().nonnegative(),
  pages: z.int().nonnegative(),
  tokens_in: z.int().nonnegative(),
  tokens_out: z.int().nonnegative(),
  sandbox_seconds: z.number().nonnegative().describe('Wall time of programs, exact to the millisecond'),
});

const day = z.iso.date('must be a day such as 2026-11-22');
const usageGroup = z.enum(USAGE_GROUPS);

export const usageQuery = z.strictObject({
  from: day.optional().describe('First day, in UTC; absent: 30 days with `to`'),
  to: day.optional().describe('Last day, in UTC, included; absent: today'),
  group_by: usageGroup.default('day'),
});

export const usageReport = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  group_by: usageGroup,
  groups: z.array(
    usageAmounts.extend({
      group: z
        .string()
        .nullable()
        .describe(
          'The day, the service, or the id of the API key, the application or the access token; null: calls without one',
        ),
    }),
  ),
  total: usageAmounts,
});

const auditEntry = z.object({
  id: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  actor: z
    .object({
      kind: z.enum(['user', 'key', 'system']).describe('system: the service itself, or its operator'),
      id: z.string().nullable().describe('Of the user or the key; null: the service, or a login that failed'),
    })
    .describe('Who did it'),
  target: z.string().nullable().describe('Id of what it was done to; null: the workspace itself'),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable().describe('Network address that it came from'),
  user_agent: z.string().nullable(),
  request_id: z.string().nullable().describe('The x-request-id of the call'),
  created_at: z.iso.datetime(),
});

export const auditQuery = pageQuery('entries', 'next_cursor', AUDIT_CURSOR);

export const auditPage = z.object({
  entries: z.array(auditEntry).describe('Newest first'),
  next_cursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});

function wholeKrw(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const error = `must be a whole number of KRW ${bounds}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}
