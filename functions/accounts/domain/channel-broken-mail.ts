import type { Recipients } from './low-balance-mail.ts';
import { type Mail, oneLine } from './mail.ts';

/** Notice that a platform refuses the credentials of a channel: the owners get one e-mail until it takes them again. */
export interface ChannelBrokenNotice {
  readonly noticeId: string;
  readonly kind: 'channel_broken';
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelName: string;
  readonly platform: string;
  /** The platform's word, such as `token_revoked`. */
  readonly code: string;
  readonly createdAt: string;
}

/** The e-mail in Korean and in English: what happened, what follows from it, what to do. */
export function channelBrokenMail(notice: ChannelBrokenNotice, { workspaceName, owners }: Recipients): Mail {
  const { noticeId, channelId, platform, createdAt } = notice;
  const [name, channel, code] = [workspaceName, notice.channelName, notice.code].map(oneLine);
  return {
    id: noticeId,
    to: owners,
    subject: `[Tripod] ${name}: 채널 "${channel}" 중단 / channel stopped`,
    date: createdAt,
    text: `${platform}에서 채널 "${channel}"의 인증 정보를 거부했습니다(${code}). 답변이 전달되지 않고 최대 24시간 동안 대기합니다.

- 새 인증 정보 등록: PATCH /api/v1/channels/${channelId} {"secrets": {…}}. 대기 중인 답변은 바로 전달됩니다.
- 상태 확인: GET /api/v1/webhooks/status

채널이 다시 작동할 때까지 이 알림은 더 보내지 않습니다.

--------

${platform} refuses the credentials of the channel "${channel}" (${code}). Its replies wait for up to 24 hours.

- Enter new credentials: PATCH /api/v1/channels/${channelId} {"secrets": {…}}. What waits is then sent at once.
- See the state: GET /api/v1/webhooks/status

You get no other e-mail about this channel until it has worked again.

${noticeId}
`,
  };
}
