import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import type { ChannelType } from '../../functions/channels/domain/channel.ts';

/** A person's message to a channel. */
export interface PlayedMessage {
  readonly text: string;
  readonly conversation?: string;
  readonly sender?: string;
  /** Of the event; a new one by default. */
  readonly eventId?: string;
  /** A file that the platform keeps, or an address of one. */
  readonly file?: { readonly id: string; readonly url: string; readonly mimeType: string; readonly name: string };
}

export interface SentWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A platform as someone plays it without an account: its keys, and its signed webhooks. */
export interface PlayedPlatform {
  readonly secrets: Readonly<Record<string, string>>;
  /** @param baseUrl of the server that plays the platform's API. */
  settings(baseUrl: string): Readonly<Record<string, string>>;
  webhook(message: PlayedMessage, options: { readonly baseUrl: string; readonly nowMs: number }): Promise<SentWebhook>;
  /** The signature over any other body. */
  sign(
    body: string,
    options: { readonly nowMs: number; readonly serviceUrl?: string },
  ): Promise<Readonly<Record<string, string>>>;
}

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text);
const secondsOf = (ms: number) => String(Math.floor(ms / 1000));
const idOf = ({ eventId }: PlayedMessage) => eventId ?? randomUUID();
/** A number that stays the same for an event that is sent again. */
const numberOf = (id: string) => Number.parseInt(createHash('sha256').update(id).digest('hex').slice(0, 8), 16);
const JSON_TYPE = { 'content-type': 'application/json' };

/** A platform whose webhooks are JSON. */
function player(
  secrets: Readonly<Record<string, string>>,
  settings: PlayedPlatform['settings'],
  signature: (
    body: string,
    options: { readonly nowMs: number; readonly serviceUrl?: string },
  ) => Promise<object> | object,
  bodyOf: (message: PlayedMessage, baseUrl: string) => object,
): PlayedPlatform {
  const signed = async (body: string, options: { readonly nowMs: number; readonly serviceUrl?: string }) => ({
    ...JSON_TYPE,
    ...(await signature(body, options)),
  });
  return {
    secrets,
    settings,
    sign: signed,
    async webhook(message, { baseUrl, nowMs }) {
      const body = JSON.stringify(bodyOf(message, baseUrl));
      return { body, headers: await signed(body, { nowMs, serviceUrl: baseUrl }) };
    },
  };
}

const atBase = (baseUrl: string) => ({ api_base_url: baseUrl });

const slackSecret = '8f742231b10e8888abcd99yyyzzz85a5';

export const SLACK_BOT_ID = 'U0BOT00001';

function slackTimestamp(message: PlayedMessage): string {
  const number = numberOf(idOf(message));
  return `${1_355_517_523 + (number % 1_000)}.${String(Math.floor(number / 1_000) % 1_000_000).padStart(6, '0')}`;
}

const slack = player(
  { signing_secret: slackSecret, bot_token: 'xoxb-played' },
  atBase,
  (body, { nowMs }) => {
    const timestamp = secondsOf(nowMs);
    return {
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${hmac(slackSecret, `v0:${timestamp}:${body}`).digest('hex')}`,
    };
  },
  (message) => ({
    type: 'event_callback',
    event_id: `Ev${idOf(message)}`,
    authorizations: [{ enterprise_id: null, team_id: 'T061EG9R6', user_id: SLACK_BOT_ID, is_bot: true }],
    event: {
      ...{ type: 'message', channel: message.conversation ?? 'D024BE91L', user: message.sender ?? 'U2147483697' },
      ...{ text: message.text, ts: slackTimestamp(message), channel_type: 'im' },
      ...(message.file && {
        subtype: 'file_share',
        files: [{ url_private: message.file.url, mimetype: message.file.mimeType, name: message.file.name }],
      }),
    },
  }),
);

const discordKeys = generateKeyPairSync('ed25519');

const discord = player(
  {
    public_key: Buffer.from(discordKeys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex'),
    bot_token: 'discord-played',
  },
  atBase,
  (body, { nowMs }) => {
    const timestamp = secondsOf(nowMs);
    const signature = sign(null, Buffer.from(timestamp + body), discordKeys.privateKey).toString('hex');
    return { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp };
  },
  (message) => ({
    type: 2,
    id: idOf(message),
    application_id: '1048000000000000001',
    token: `interaction-${randomUUID()}`,
    channel_id: message.conversation ?? '1048000000000000002',
    member: { user: { id: message.sender ?? '53908232506183680', username: 'mason' } },
    data: {
      name: 'ask',
      options: [
        { name: 'question', type: 3, value: message.text },
        ...(message.file ? [{ name: 'file', type: 11, value: '9' }] : []),
      ],
      ...(message.file && {
        resolved: {
          attachments: {
            9: { url: message.file.url, content_type: message.file.mimeType, filename: message.file.name },
          },
        },
      }),
    },
  }),
);

/** Continues the numbering of an earlier process of the player. */
let telegramUpdates = Math.floor(Date.now() / 100) % 1_000_000_000;
const updateOf = (message: PlayedMessage) =>
  message.eventId === undefined ? ++telegramUpdates : numberOf(message.eventId);

const telegram = player(
  { bot_token: '123456:played', secret_token: 'played-secret_token' },
  atBase,
  () => ({ 'x-telegram-bot-api-secret-token': 'played-secret_token' }),
  (message) => ({
    update_id: updateOf(message),
    message: {
      message_id: message.eventId === undefined ? telegramUpdates : numberOf(message.eventId),
      date: 1_749_416_383,
      chat: { id: message.conversation ?? 1111111, type: 'private' },
      from: { id: message.sender ?? 1111111, is_bot: false, first_name: 'Test', last_name: 'Person' },
      ...(message.file
        ? { caption: message.text, photo: [{ file_id: 'small' }, { file_id: message.file.id }] }
        : { text: message.text }),
    },
  }),
);

const line = player(
  { channel_secret: 'line-played-secret', channel_access_token: 'line-played' },
  atBase,
  (body) => ({ 'x-line-signature': hmac('line-played-secret', body).digest('base64') }),
  (message) => ({
    destination: 'U0000',
    events: [
      {
        ...{ type: 'message', mode: 'active', webhookEventId: idOf(message), replyToken: `reply-${randomUUID()}` },
        source: { type: 'user', userId: message.conversation ?? message.sender ?? 'U206d25c2ea6bd87c17655609a1c37cb8' },
        message: { type: 'text', id: `44${numberOf(idOf(message))}`, text: message.text },
      },
      ...(message.file
        ? [
            {
              ...{ type: 'message', mode: 'active', webhookEventId: `${idOf(message)}-file`, replyToken: 'reply-file' },
              source: { type: 'user', userId: message.conversation ?? 'U206d25c2ea6bd87c17655609a1c37cb8' },
              message: { type: 'image', id: message.file.id, contentProvider: { type: 'line' } },
            },
          ]
        : []),
    ],
  }),
);

export const TEAMS_APP_ID = '00000000-0000-4000-8000-000000000042';
export const TEAMS_KEY_ID = 'played-key';
const teamsKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The token that the Bot Framework sends with an activity. */
export function teamsToken(
  claims: Readonly<Record<string, unknown>>,
  nowMs: number,
  {
    audience = TEAMS_APP_ID,
    key = teamsKeys.privateKey,
  }: { readonly audience?: string; readonly key?: KeyObject } = {},
): Promise<string> {
  const now = Math.floor(nowMs / 1000);
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: TEAMS_KEY_ID })
    .setIssuer('https://api.botframework.com')
    .setAudience(audience)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + 3600)
    .sign(key);
}

/** The keys that the Bot Framework publishes. */
export async function teamsPublishedKeys(): Promise<object> {
  const key = await exportJWK(teamsKeys.publicKey);
  return { keys: [{ ...key, kid: TEAMS_KEY_ID, use: 'sig', endorsements: ['msteams', 'webchat'] }] };
}

const teams = player(
  { app_password: 'teams-played' },
  (baseUrl) => ({ app_id: TEAMS_APP_ID, tenant_id: 'botframework.com', api_base_url: baseUrl }),
  async (_, { nowMs, serviceUrl = '' }) => ({
    authorization: `Bearer ${await teamsToken({ serviceurl: serviceUrl }, nowMs)}`,
  }),
  (message, baseUrl) => ({
    type: 'message',
    id: idOf(message),
    serviceUrl: baseUrl,
    channelId: 'msteams',
    conversation: { id: message.conversation ?? 'a:1pL6i0oY3C0K8oAj8' },
    from: { id: message.sender ?? '29:1XJKJMvc5GBtc2', name: 'Larry Jin' },
    recipient: { id: '28:bot', name: 'Bot' },
    text: message.text,
    ...(message.file && {
      attachments: [{ contentType: message.file.mimeType, contentUrl: message.file.url, name: message.file.name }],
    }),
  }),
);

export const WHATSAPP_NUMBER = '106540352242922';

const whatsapp = player(
  { app_secret: 'whatsapp-played-secret', verify_token: 'whatsapp-verify', access_token: 'whatsapp-played' },
  (baseUrl) => ({ ...atBase(baseUrl), phone_number_id: WHATSAPP_NUMBER }),
  (body) => ({ 'x-hub-signature-256': `sha256=${hmac('whatsapp-played-secret', body).digest('hex')}` }),
  (message) => {
    const from = message.conversation ?? message.sender ?? '16505551234';
    return {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '102290129340398',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '15550783881', phone_number_id: WHATSAPP_NUMBER },
                contacts: [{ profile: { name: 'Sheena Nelson' }, wa_id: from }],
                messages: [
                  {
                    ...{ from, id: idOf(message), timestamp: '1749416383' },
                    ...(message.file
                      ? {
                          type: 'image',
                          image: { id: message.file.id, mime_type: message.file.mimeType, caption: message.text },
                        }
                      : { type: 'text', text: { body: message.text } }),
                  },
                ],
              },
            },
          ],
        },
      ],
    };
  },
);

const customKey = Buffer.from('played platform, 32 bytes of key');

const custom: PlayedPlatform = {
  secrets: { signing_secret: `whsec_${customKey.toString('base64')}` },
  settings: (baseUrl) => ({ url: `${baseUrl}/hook` }),
  async sign(body, { nowMs }) {
    return customHeaders(randomUUID(), body, nowMs);
  },
  async webhook(message, { nowMs }) {
    const body = JSON.stringify({
      conversation_id: message.conversation ?? 'conversation-1',
      sender: { id: message.sender ?? 'person-1' },
      text: message.text,
      ...(message.file && {
        attachments: [{ url: message.file.url, content_type: message.file.mimeType, name: message.file.name }],
      }),
    });
    return { body, headers: customHeaders(idOf(message), body, nowMs) };
  },
};

function customHeaders(id: string, body: string, nowMs: number) {
  const timestamp = secondsOf(nowMs);
  const signature = hmac(customKey, `${id}.${timestamp}.${body}`).digest('base64');
  return {
    ...JSON_TYPE,
    ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  };
}

export const playedPlatforms: Readonly<Record<ChannelType, PlayedPlatform>> = {
  slack,
  discord,
  telegram,
  line,
  teams,
  whatsapp,
  custom,
};
