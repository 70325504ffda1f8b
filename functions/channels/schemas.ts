import * as z from 'zod';
import { nameField } from '../shared/http/name-field.ts';
import { pageQuery } from '../shared/http/page-query.ts';
import { uuidField } from '../shared/http/uuid-field.ts';
import { ANSWERS_IN_GROUPS, CHANNEL_ID, CHANNEL_TYPES, GROUP_HISTORIES, TEXT_FORMATS } from './domain/channel.ts';
import { PRIORITIES } from './domain/delivery/messages.ts';
import { WEBHOOK_FAULTS } from './domain/inbound-health.ts';

const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 2_000;
const MAX_NOTICE_LENGTH = 500;
const DEAD_LETTER_ID = /^dl_[0-9A-HJKMNP-TV-Z]{26}$/;
const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;
const MAX_IDS = 100;

const name = nameField(MAX_NAME_LENGTH);

const value = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
  .max(MAX_VALUE_LENGTH, `must have at most ${MAX_VALUE_LENGTH} characters`);

const applicationId = uuidField('Application that answers the messages');

const secrets = z
  .record(z.string().max(50), value)
  .describe(
    'slack: signing_secret, bot_token; discord: public_key, bot_token?; telegram: bot_token, secret_token; line: ' +
      'channel_secret, channel_access_token; teams: app_password; whatsapp: app_secret, verify_token, access_token; ' +
      'custom: signing_secret. Stored encrypted and never returned',
  );

const address = value.refine((text) => URL.canParse(text), 'must be an address such as https://example.com');

const notice = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NOTICE_LENGTH, `must have at most ${MAX_NOTICE_LENGTH} characters`);

const settings = {
  api_base_url: address.describe('Base address to use instead of the platform’s API; custom has none'),
  url: address.describe('custom: where replies are posted, signed as Standard Webhooks has it'),
  app_id: value.describe('teams: id of the app, which its tokens are for'),
  tenant_id: value.describe(
    'teams: the id of the tenant of a single-tenant app; botframework.com for a multi-tenant app',
  ),
  phone_number_id: value.describe('whatsapp: id of the number that answers'),
  bot_username: value.describe(
    'telegram: name of the bot in groups, such as @my_bot; without it any bot that is named is taken for it',
  ),
  max_length: z
    .int()
    .min(100)
    .max(10_000)
    .describe('custom: UTF-16 units that a part of a reply has at most; 10000 by default'),
  text_format: z
    .enum(TEXT_FORMATS)
    .describe('custom: markdown (default), or plain, where the receiver shows marks as they are'),
  answer_in_groups: z
    .enum(ANSWERS_IN_GROUPS)
    .describe('addressed (default): mentions, replies to the bot and commands; direct chats are always answered'),
  group_history: z
    .enum(GROUP_HISTORIES)
    .describe('sender (default): each person in a group has a separate history; conversation: all share one'),
  failure_notice: notice.describe(
    'The message sent when the application fails; by default a sentence in Korean or English',
  ),
  empty_notice: notice.describe(
    'The message sent when the answer is empty; by default a sentence in Korean or English',
  ),
};

const givenSettings = z.strictObject({
  api_base_url: settings.api_base_url.optional(),
  url: settings.url.optional(),
  app_id: settings.app_id.optional(),
  tenant_id: settings.tenant_id.optional(),
  phone_number_id: settings.phone_number_id.optional(),
  answer_in_groups: settings.answer_in_groups.optional(),
  group_history: settings.group_history.optional(),
  failure_notice: settings.failure_notice.optional(),
  empty_notice: settings.empty_notice.optional(),
  bot_username: settings.bot_username.optional(),
  max_length: settings.max_length.optional(),
  text_format: settings.text_format.optional(),
});

const changedSettings = z.strictObject({
  api_base_url: settings.api_base_url.nullish(),
  url: settings.url.optional(),
  app_id: settings.app_id.optional(),
  tenant_id: settings.tenant_id.nullish(),
  phone_number_id: settings.phone_number_id.optional(),
  answer_in_groups: settings.answer_in_groups.nullish(),
  group_history: settings.group_history.nullish(),
  failure_notice: settings.failure_notice.nullish(),
  empty_notice: settings.empty_notice.nullish(),
  bot_username: settings.bot_username.nullish(),
  max_length: settings.max_length.nullish(),
  text_format: settings.text_format.nullish(),
});

export const channelBody = z.strictObject({
  name,
  type: z.enum(CHANNEL_TYPES),
  application_id: applicationId,
  secrets,
  settings: givenSettings.default({}),
});

export const channelChange = z
  .strictObject({
    name: name.optional(),
    application_id: applicationId.optional(),
    status: z.enum(['active', 'disabled']).optional(),
    secrets: secrets.optional().describe('Those that are given replace the stored ones'),
    secret_overlap_seconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(DEFAULT_OVERLAP_SECONDS)
      .describe('Grace period in which replaced webhook secrets stay valid along with the new ones'),
    settings: changedSettings.optional().describe('Those that are given replace the stored ones; null takes one away'),
  })
  .meta({ minProperties: 1 });

const MAX_TEST_LENGTH = 1_000;

export const testBody = z.strictObject({
  to: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .describe(
      'Where to: a channel id of Slack or Discord, a chat id of Telegram, a user or group id of LINE, a number of WhatsApp, a conversation id of Teams or custom',
    ),
  text: z.string().trim().min(1).max(MAX_TEST_LENGTH).default('Test message of Tripod · 시험 메시지입니다.'),
});

export const testResult = z
  .object({
    delivered: z.boolean(),
    code: z.string().nullable().describe('Null: delivered. Otherwise in the platform’s words, such as invalid_auth'),
    detail: z.string().nullable().describe('The platform’s own message'),
    passing: z.boolean().describe('True: another try may work, without a change'),
    retry_after: z.int().nullable().describe('Seconds that the platform asks to wait'),
  })
  .meta({ id: 'ChannelTest' });

const channelId = z.string().regex(CHANNEL_ID, 'must be the id of a channel');

export const channelParams = z.object({ id: z.string().describe('Id of the channel') });
export const channelsQuery = pageQuery('channels', 'next_cursor', CHANNEL_ID);

const problem = z
  .object({
    code: z.string().describe('In the platform’s words, such as token_revoked'),
    detail: z.string().nullable(),
    since: z.iso.datetime(),
  })
  .describe('The platform refuses the credentials of the channel: replies wait up to a day for others')
  .meta({ id: 'ChannelProblem' });

const inbound = z
  .object({
    last_received_at: z.iso.datetime().nullable().describe('To a minute; null: no signed webhook has come'),
    last_refused: z
      .object({
        at: z.iso.datetime(),
        reason: z.enum(WEBHOOK_FAULTS),
        detail: z.string().describe('What to compare or to change'),
      })
      .nullable()
      .describe('The last webhook whose signature was refused'),
  })
  .describe('What the webhook has seen');

export const channel = z
  .object({
    id: z.string(),
    type: z.enum(CHANNEL_TYPES),
    name: z.string(),
    application_id: z.uuid(),
    secrets: z
      .record(
        z.string(),
        z.object({
          previous_valid_until: z.iso
            .datetime()
            .nullable()
            .describe('Until then the secret before the last rotation is valid too'),
        }),
      )
      .describe('Names of the stored secrets; the secrets themselves are never returned'),
    settings: z.record(z.string(), z.union([z.string(), z.int()])),
    status: z.enum(['active', 'disabled']),
    disabled_reason: z
      .string()
      .nullable()
      .describe('http_410: the receiver of a custom channel wants no more messages'),
    problem: problem.nullable().describe('Null: the credentials are good, as far as is known'),
    inbound,
    webhook_url: z.string().describe('Address to enter at the platform'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Channel' });

const nextCursor = z.string().nullable().describe('Cursor of the next page; null: this is the last one');

export const channelPage = z.object({
  channels: z.array(channel).describe('Newest first'),
  next_cursor: nextCursor,
});

export const webhookPage = z.object({
  webhooks: z
    .array(
      z.object({
        channel_id: z.string(),
        type: z.enum(CHANNEL_TYPES),
        name: z.string(),
        url: z.string(),
        status: z.enum(['active', 'disabled']),
      }),
    )
    .describe('Newest first'),
  next_cursor: nextCursor,
});

const count = z.int().nonnegative();

export const webhookStatus = z.object({
  platforms: z.array(
    z.object({
      type: z.enum(CHANNEL_TYPES),
      channels: count.describe('Channels of the workspace'),
      broken_channels: z
        .array(z.object({ channel_id: z.string(), name: z.string(), problem }))
        .describe('Channels whose credentials the platform refuses'),
      queue_depth: z.object({
        inbound: count.describe('Messages that wait for an answer'),
        high: count,
        normal: count,
        low: count,
      }),
      circuits: z
        .array(
          z.object({
            address: z.string().nullable().describe('Null: the platform’s own API'),
            state: z.enum(['closed', 'open', 'half_open']),
            consecutive_errors: count,
            opened_at: z.iso.datetime().nullable(),
            last_error: z.object({ code: z.string(), at: z.iso.datetime() }).nullable(),
          }),
        )
        .describe('Circuit breakers of the addresses that the channels deliver to'),
    }),
  ),
  breaker: z.object({
    error_threshold: count,
    error_window_seconds: z.number(),
    recovery_timeout_seconds: z.number(),
    probe_interval_seconds: z.number(),
  }),
});

const directions = z.enum(['inbound', 'outbound']);

const filterFields = {
  channel_id: channelId.optional(),
  type: z.enum(CHANNEL_TYPES).optional(),
  direction: directions.optional(),
  reason: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be a reason as a dead letter has it, such as circuit_open')
    .optional(),
  since: z.iso.datetime('must be a time such as 2026-11-01T00:00:00Z').optional().describe('Given up after this time'),
  until: z.iso.datetime('must be a time such as 2026-11-01T00:00:00Z').optional().describe('Given up before this time'),
};

export const deadLettersQuery = pageQuery('dead letters', 'next_cursor', DEAD_LETTER_ID).extend(filterFields);
export const deadLetterParams = z.object({ id: z.string().describe('Id of the dead letter') });

export const deadLetter = z
  .object({
    id: z.string(),
    channel_id: z.string(),
    type: z.enum(CHANNEL_TYPES),
    direction: directions.describe('inbound: not answered; outbound: not delivered'),
    priority: z.enum(PRIORITIES).nullable(),
    conversation_id: z.string(),
    reason: z.string().describe('circuit_open, http_500, timeout, or a word of the platform or of the application'),
    detail: z.string().nullable().describe('The same in the platform’s own words; null where it said nothing'),
    attempts: count,
    text: z.string(),
    created_at: z.iso.datetime(),
    died_at: z.iso.datetime(),
  })
  .meta({ id: 'DeadLetter' });

export const deadLetterPage = z.object({
  dead_letters: z.array(deadLetter).describe('Newest first'),
  next_cursor: nextCursor,
});

export const replayBody = z
  .strictObject({
    ids: z.array(z.string().max(100)).min(1).max(MAX_IDS, `at most ${MAX_IDS}`).optional(),
    filter: z.strictObject(filterFields).optional().describe('An empty one takes all'),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: 'exactly one of ids and filter is needed',
    path: ['ids'],
  })
  .describe('Exactly one of ids and filter');

export const replayResult = z.object({
  replayed: count,
  skipped: count.describe('Not there, of a removed or disabled channel, or of a conversation that is full'),
  has_more: z.boolean().describe('Time ran out: send the request again for the rest'),
});

/** Platforms add what they like to the address. */
export const webhookQuery = z.object({
  channel: channelId
    .optional()
    .describe('Needed for every channel of the type but the oldest, whose address may leave it out'),
});
export const webhookParams = z.object({
  channel_type: z.string().describe(`One of ${CHANNEL_TYPES.join(', ')}`),
});
