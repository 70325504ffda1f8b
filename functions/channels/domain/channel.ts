import type { SealedSecret } from '../../shared/ports/secret-box.ts';

/** Messaging platforms, named as in the addresses of their webhooks. */
export const CHANNEL_TYPES = ['slack', 'discord', 'telegram', 'line', 'teams', 'whatsapp', 'custom'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

export function isChannelType(text: string): text is ChannelType {
  return (CHANNEL_TYPES as readonly string[]).includes(text);
}

export interface ChannelId {
  readonly workspaceId: string;
  readonly channelId: string;
}

/** A secret of a channel as it is stored. */
export interface StoredSecret {
  readonly sealed: SealedSecret;
  /** The secret before a rotation, valid for a limited time; null without a rotation. */
  readonly previous: { readonly sealed: SealedSecret; readonly validUntilMs: number } | null;
}

/** Settings by the names that clients write: `api_base_url`, `phone_number_id` and so on. */
export type ChannelSettings = Readonly<Partial<Record<TextSettingName, string>>> & {
  /** UTF-16 units of a part of a reply. */
  readonly max_length?: number;
};
type TextSettingName =
  | 'api_base_url'
  | 'url'
  | 'app_id'
  | 'tenant_id'
  | 'phone_number_id'
  | 'bot_username'
  | 'text_format'
  | (typeof COMMON_SETTINGS)[number];
export type SettingName = keyof ChannelSettings;

/** Settings of every channel. */
export const COMMON_SETTINGS = ['answer_in_groups', 'group_history', 'failure_notice', 'empty_notice'] as const;

/** The group messages to answer: those addressed to the bot, all, or none. Direct chats are always answered. */
export const ANSWERS_IN_GROUPS = ['addressed', 'all', 'never'] as const;
/** The form of replies to custom receivers. */
export const TEXT_FORMATS = ['markdown', 'plain'] as const;
/** The history of a group's question: its sender's own, or the whole conversation's. */
export const GROUP_HISTORIES = ['sender', 'conversation'] as const;

/** The connection of an application to a conversation platform. */
export interface Channel extends ChannelId {
  readonly type: ChannelType;
  readonly name: string;
  readonly applicationId: string;
  readonly secrets: Readonly<Record<string, StoredSecret>>;
  readonly settings: ChannelSettings;
  /** A disabled one takes no webhooks and delivers nothing. */
  readonly status: 'active' | 'disabled';
  /** Why it was disabled by itself; null when it is active, or was disabled by hand. */
  readonly disabledReason: string | null;
  /** The platform refuses its credentials: replies wait. Null when all is well, as far as is known. */
  readonly problem: ChannelProblem | null;
  /** Grows with every change. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ChannelProblem {
  /** The platform's word, such as `token_revoked`. */
  readonly code: string;
  readonly detail: string | null;
  readonly sinceMs: number;
  /** When a reply was refused last. */
  readonly triedAtMs: number;
}

/** Code of a platform's limit that leaves its free replies open: only what it refuses waits. */
export const MONTHLY_LIMIT = 'monthly_limit';

/** Whether nothing of the channel is tried but one reply at a time. */
export function isHeld({ problem }: Pick<Channel, 'problem'>): boolean {
  return problem !== null && problem.code !== MONTHLY_LIMIT;
}

/** Channel ids are part of the addresses that platforms call, so that they must be unguessable. */
export const CHANNEL_ID = /^chn_[0-9A-HJKMNP-TV-Z]{26}$/;

/** The context that secrets of a channel are sealed for. */
export function channelSecretContext({ workspaceId, channelId }: ChannelId): string {
  return `${workspaceId}/${channelId}`;
}
