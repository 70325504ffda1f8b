import type { Language } from '../../texts/i18n.ts';

type Both = Readonly<Record<Language, string>>;

export interface PlatformField {
  /** Of the API. */
  readonly name: string;
  readonly isSecret: boolean;
  readonly label: Both;
  /** The way to it at the platform, by the names that are shown there. */
  readonly where?: readonly string[];
  /** A secret that is chosen, not found: in which form. */
  readonly chosen?: 'letters' | 'standard-webhooks';
  readonly hint?: Both;
  readonly isOptional?: true;
}

interface Platform {
  readonly title: string;
  /** Where its values are found. */
  readonly site?: string;
  readonly fields: readonly PlatformField[];
}

const secret = { isSecret: true } as const;
const setting = { isSecret: false } as const;

/** The values of each platform, as in its guide. */
export const PLATFORMS = {
  slack: {
    title: 'Slack',
    site: 'https://api.slack.com/apps',
    fields: [
      {
        ...secret,
        name: 'signing_secret',
        label: { ko: '서명 시크릿', en: 'Signing secret' },
        where: ['Basic Information', 'App Credentials', 'Signing Secret'],
      },
      {
        ...secret,
        name: 'bot_token',
        label: { ko: '봇 토큰 (xoxb-)', en: 'Bot token (xoxb-)' },
        where: ['OAuth & Permissions', 'Bot User OAuth Token'],
      },
    ],
  },
  discord: {
    title: 'Discord',
    site: 'https://discord.com/developers/applications',
    fields: [
      {
        ...secret,
        name: 'public_key',
        label: { ko: '공개 키', en: 'Public key' },
        where: ['General Information', 'Public Key'],
      },
      {
        ...secret,
        name: 'bot_token',
        label: { ko: '봇 토큰 (선택)', en: 'Bot token (optional)' },
        where: ['Bot', 'Reset Token'],
        hint: {
          ko: '15분보다 늦은 답을 보낼 때만 필요합니다.',
          en: 'Only for answers that take longer than 15 minutes.',
        },
        isOptional: true,
      },
    ],
  },
  telegram: {
    title: 'Telegram',
    site: 'https://t.me/BotFather',
    fields: [
      {
        ...secret,
        name: 'bot_token',
        label: { ko: '봇 토큰', en: 'Bot token' },
        where: ['@BotFather', '/newbot'],
      },
      {
        ...secret,
        name: 'secret_token',
        label: { ko: '웹훅 확인용 비밀 값', en: 'Secret of the webhook' },
        chosen: 'letters',
        hint: {
          ko: '웹훅을 등록할 때 같은 값을 secret_token으로 보냅니다.',
          en: 'Send the same value as secret_token when you register the webhook.',
        },
      },
    ],
  },
  line: {
    title: 'LINE',
    site: 'https://developers.line.biz/console/',
    fields: [
      {
        ...secret,
        name: 'channel_secret',
        label: { ko: '채널 시크릿', en: 'Channel secret' },
        where: ['Basic settings', 'Channel secret'],
      },
      {
        ...secret,
        name: 'channel_access_token',
        label: { ko: '채널 액세스 토큰 (장기)', en: 'Channel access token (long-lived)' },
        where: ['Messaging API', 'Channel access token'],
      },
    ],
  },
  teams: {
    title: 'Microsoft Teams',
    site: 'https://portal.azure.com/',
    fields: [
      {
        ...setting,
        name: 'app_id',
        label: { ko: '앱 ID', en: 'App ID' },
        where: ['Azure Bot', 'Configuration', 'Microsoft App ID'],
      },
      {
        ...secret,
        name: 'app_password',
        label: { ko: '클라이언트 시크릿', en: 'Client secret' },
        where: ['Azure Bot', 'Configuration', 'Manage Password', 'Value'],
        hint: { ko: '‘Secret ID’가 아닌 값입니다.', en: 'Not the one named Secret ID.' },
      },
      {
        ...setting,
        name: 'tenant_id',
        label: { ko: '테넌트 ID', en: 'Tenant ID' },
        where: ['Azure Bot', 'Configuration', 'App Tenant ID'],
      },
    ],
  },
  whatsapp: {
    title: 'WhatsApp',
    site: 'https://developers.facebook.com/apps',
    fields: [
      {
        ...secret,
        name: 'app_secret',
        label: { ko: '앱 시크릿', en: 'App secret' },
        where: ['App settings', 'Basic', 'App secret'],
      },
      {
        ...secret,
        name: 'access_token',
        label: { ko: '액세스 토큰 (만료 없음)', en: 'Access token (permanent)' },
        where: ['Business settings', 'System users', 'Generate token'],
      },
      {
        ...setting,
        name: 'phone_number_id',
        label: { ko: '전화번호 ID', en: 'Phone number ID' },
        where: ['WhatsApp', 'API Setup', 'Phone number ID'],
      },
      {
        ...secret,
        name: 'verify_token',
        label: { ko: '웹훅 확인용 비밀 값', en: 'Verify token' },
        chosen: 'letters',
        hint: {
          ko: '웹훅을 등록할 때 같은 값을 입력합니다.',
          en: 'Enter the same value when you register the webhook.',
        },
      },
    ],
  },
  custom: {
    title: 'Custom',
    fields: [
      {
        ...setting,
        name: 'url',
        label: { ko: '답을 받을 주소', en: 'Address for the replies' },
        hint: { ko: '내 서버의 https 주소입니다.', en: 'An https address of your server.' },
      },
      {
        ...secret,
        name: 'signing_secret',
        label: { ko: '서명 시크릿', en: 'Signing secret' },
        chosen: 'standard-webhooks',
        hint: {
          ko: '내 서버도 같은 값으로 서명하고 확인합니다.',
          en: 'Your server signs and verifies with the same value.',
        },
      },
    ],
  },
} as const satisfies Readonly<Record<string, Platform>>;
export type PlatformName = keyof typeof PLATFORMS;

export const platformOf = (name: PlatformName): Platform => PLATFORMS[name];

/** A new secret of 192 random bits. */
export function newSecret(form: NonNullable<PlatformField['chosen']>): string {
  const base64 = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))));
  return form === 'standard-webhooks' ? `whsec_${base64}` : base64.replaceAll('+', '-').replaceAll('/', '_');
}
