import type { Clock } from '../../shared/ports/clock.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { PasswordResetNotice } from './change-password.ts';
import { CONFIRMATION_SECONDS, type ConfirmationNotice } from './confirmation-notice.ts';
import { type Link, type Links, linkHash, newLinkToken, passwordDigest } from './link.ts';
import { type Mail, oneLine } from './mail.ts';
import type { InvitationNotice, Members } from './members.ts';
import type { Users } from './user.ts';

export type LinkNotice = InvitationNotice | PasswordResetNotice | ConfirmationNotice;

export interface LinkMailPorts {
  readonly members: Pick<Members, 'findInvitation'>;
  readonly users: Pick<Users, 'findCredential'>;
  readonly links: Pick<Links, 'put'>;
  readonly workspaceName: (workspaceId: string) => Promise<string>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Address of the web frontend that links lead to; null: the mail says how to use its token with the API. */
  readonly webUrl: string | null;
}

const RESET_MS = 60 * 60_000;

/**
 * The mail that a notice asks for, with a link made for it: tokens are nowhere but in mails. Null where there is nothing to
 * send: the address is not registered, or the invitation was withdrawn.
 */
export async function linkMail(notice: LinkNotice, ports: LinkMailPorts): Promise<Mail | null> {
  switch (notice.kind) {
    case 'invitation':
      return invitationMail(notice, ports);
    case 'password_reset':
      return resetMail(notice, ports);
    case 'confirmation':
      return confirmationMail(notice, ports);
  }
}

/** Sent also where the account has gone meanwhile: its link then leads nowhere. */
async function confirmationMail(
  { noticeId, userId, email, createdAt, isSilent }: ConfirmationNotice,
  ports: LinkMailPorts,
): Promise<Mail | null> {
  const expiresAtMs = Date.parse(createdAt) + CONFIRMATION_SECONDS * 1000;
  if (isSilent || expiresAtMs <= ports.clock.now()) return null;
  const token = await issue({ kind: 'confirmation', userId, expiresAtMs }, ports);
  const use = usage(token, 'confirm-email', '/api/v1/auth/confirm-email', ports.webUrl);
  return {
    id: noticeId,
    to: [email],
    subject: '[Tripod] 이메일 주소 확인 / confirm your address',
    date: createdAt,
    text: `이 주소로 Tripod 계정이 등록되었습니다. 등록할 때 정한 비밀번호와 함께 아래에서 확인하세요. 7일 동안 쓸 수 있습니다.

An account was registered with this address. Confirm it with the password of the registration, within seven days.

${use}

등록하지 않으셨다면 무시하세요. 확인하지 않은 계정은 사라집니다. / Ignore this mail if you did not register: the account expires without a confirmation.
`,
  };
}

async function invitationMail(notice: InvitationNotice, ports: LinkMailPorts): Promise<Mail | null> {
  const { workspaceId, invitationId, noticeId, createdAt } = notice;
  const invitation = await ports.members.findInvitation(workspaceId, invitationId);
  if (invitation === null || invitation.expiresAtMs <= ports.clock.now()) return null;
  const { expiresAtMs, email, role } = invitation;
  const token = await issue({ kind: 'invitation', workspaceId, invitationId, expiresAtMs }, ports);
  const name = oneLine(await ports.workspaceName(workspaceId));
  const use = usage(token, 'accept-invitation', '/api/v1/auth/accept-invitation', ports.webUrl);
  return {
    id: noticeId,
    to: [email],
    subject: `[Tripod] ${name}: 초대 / invitation`,
    date: createdAt,
    text: `워크스페이스 "${name}"에 ${role} 역할로 초대되었습니다. 아래에서 수락하세요. 7일 동안 한 번만 쓸 수 있습니다.

You are invited to the workspace "${name}", as ${role}. The link is good once, for seven days.

${use}

모르는 초대라면 무시하세요. / Ignore this mail if you do not know the workspace.
`,
  };
}

async function resetMail(
  { noticeId, email, createdAt }: PasswordResetNotice,
  ports: LinkMailPorts,
): Promise<Mail | null> {
  const credential = await ports.users.findCredential(email);
  if (credential === null) return null;
  const { userId, passwordHash } = credential;
  const expiresAtMs = Date.parse(createdAt) + RESET_MS;
  if (expiresAtMs <= ports.clock.now()) return null;
  const link = { kind: 'password_reset', userId, email, passwordDigest: passwordDigest(passwordHash) } as const;
  const token = await issue({ ...link, expiresAtMs }, ports);
  const use = usage(token, 'reset-password', '/api/v1/auth/password-reset/confirm', ports.webUrl);
  return {
    id: noticeId,
    to: [email],
    subject: '[Tripod] 비밀번호 재설정 / password reset',
    date: createdAt,
    text: `비밀번호 재설정 요청을 받았습니다. 아래는 한 시간 동안 한 번만 쓸 수 있습니다.

A new password was requested for your account. The link is good once, for an hour.

${use}

요청하지 않았다면 무시하세요. 비밀번호는 그대로입니다. / Ignore this mail if you did not ask for it: nothing has changed.
`,
  };
}

type NewLink = Link extends infer Each ? (Each extends Link ? Omit<Each, 'hash'> : never) : never;

async function issue(link: NewLink, { links, random }: LinkMailPorts): Promise<string> {
  const token = newLinkToken(random);
  await links.put({ ...link, hash: linkHash(token) } as Link);
  return token;
}

/** The token is in the fragment, which browsers send nowhere. */
function usage(token: string, page: string, path: string, webUrl: string | null): string {
  return webUrl === null
    ? `POST ${path}\n{"token": "${token}", "password": "..."}`
    : `${webUrl.replace(/\/$/, '')}/${page}#token=${token}`;
}
