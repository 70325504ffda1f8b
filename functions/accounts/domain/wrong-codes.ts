import type { DayCounters } from '../../shared/limits/free-work.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Recipients } from './low-balance-mail.ts';
import { type Mail, oneLine } from './mail.ts';
import type { User, Users } from './user.ts';

/** Wrong codes of a person in a day of UTC that the owners hear of. */
export const MAX_WRONG_CODES = 10;

/** Notice that someone who knows a member's password guesses at the second factor: one a day for each member. */
export interface WrongCodesNotice {
  readonly noticeId: string;
  readonly kind: 'wrong_codes';
  readonly workspaceId: string;
  readonly userId: string;
  /** Of the member. */
  readonly email: string;
  readonly createdAt: string;
}

export interface WrongCodePorts {
  readonly counters: Pick<DayCounters, 'add'>;
  readonly users: Pick<Users, 'find'>;
  readonly outbox: { add(notice: WrongCodesNotice): Promise<void> };
  readonly clock: Clock;
}

/** Counts a wrong code, and notifies the owners once the count is full. */
export async function countWrongCode(
  { userId, workspaceId }: Pick<User, 'userId' | 'workspaceId'>,
  { counters, users, outbox, clock }: WrongCodePorts,
): Promise<void> {
  const createdAt = new Date(clock.now()).toISOString();
  const day = createdAt.slice(0, 10);
  if ((await counters.add(`wrong codes of ${userId}`, day, 1)) !== MAX_WRONG_CODES) return;
  const user = await users.find(userId);
  if (user === null) return;
  const noticeId = `${userId}-wrong-codes-${day}`;
  await outbox.add({ noticeId, kind: 'wrong_codes', workspaceId, userId, email: user.email, createdAt });
}

/** The e-mail in Korean and in English: what happened, what follows from it, what to do. */
export function wrongCodesMail(notice: WrongCodesNotice, { workspaceName, owners }: Recipients): Mail {
  const { noticeId, createdAt: date } = notice;
  const [name, email] = [workspaceName, notice.email].map(oneLine);
  return {
    id: noticeId,
    to: owners,
    date,
    subject: `[Tripod] ${name}: 2단계 인증 코드 오류 ${MAX_WRONG_CODES}회 / ${MAX_WRONG_CODES} wrong codes`,
    text: `워크스페이스 "${name}"의 ${email} 계정에 올바른 비밀번호와 함께 틀린 2단계 인증 코드가 오늘 ${MAX_WRONG_CODES}회 입력되었습니다.

본인이 아니라면 비밀번호가 알려진 것입니다.
- 비밀번호 변경: POST /api/v1/auth/password-reset
- 로그인 기록 확인: GET /api/v1/audit

이 계정에 대한 알림은 하루에 한 번만 보냅니다.

--------

Today ${MAX_WRONG_CODES} wrong codes of the second factor were sent for ${email} of the workspace "${name}", with the right password.

If it was not this person, someone else knows the password.
- Replace it: POST /api/v1/auth/password-reset
- See the logins: GET /api/v1/audit

You get at most one e-mail a day about this account.

${noticeId}
`,
  };
}
