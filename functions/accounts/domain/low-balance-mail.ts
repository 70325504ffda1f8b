import type { LowBalanceNotice } from './low-balance.ts';
import { type Mail, oneLine } from './mail.ts';

export interface Recipients {
  readonly workspaceName: string;
  /** E-mail addresses of the owners. */
  readonly owners: readonly string[];
}

const KST_OFFSET_MS = 9 * 60 * 60_000;

/** The e-mail in Korean and in English: what happened, what follows from it, what to do. */
export function lowBalanceMail(notice: LowBalanceNotice, { workspaceName, owners }: Recipients): Mail {
  const { noticeId, createdAt } = notice;
  const name = oneLine(workspaceName);
  const balance = notice.balanceKrw.toLocaleString('en-US');
  const threshold = notice.thresholdKrw.toLocaleString('en-US');
  const time = `${new Date(Date.parse(createdAt) + KST_OFFSET_MS).toISOString().slice(0, 16).replace('T', ' ')} KST`;
  return {
    id: noticeId,
    to: owners,
    subject: `[Tripod] ${name}: 잔액 ${balance}원 / balance ${balance} KRW`,
    date: createdAt,
    text: `워크스페이스 "${name}"의 선불 잔액이 ${balance}원으로, 설정하신 알림 기준 ${threshold}원 이하가 되었습니다. (${time})

잔액이 호출 요금보다 적어지면 호출이 402 insufficient_balance로 거절됩니다.
- 충전: POST /api/v1/balance/top-ups
- 내역 확인: GET /api/v1/balance/entries
- 알림 기준 변경 또는 해제: PATCH /api/v1/balance

같은 기준에 대한 알림은 잔액이 기준을 넘었다가 다시 내려갈 때까지 보내지 않습니다.

--------

The prepaid balance of the workspace "${name}" is ${balance} KRW, at or below your threshold of ${threshold} KRW. (${time})

Once it no longer covers a call, calls are refused with 402 insufficient_balance.
- Top up: POST /api/v1/balance/top-ups
- See the charges: GET /api/v1/balance/entries
- Change the threshold or switch this e-mail off: PATCH /api/v1/balance

You get no other e-mail until the balance has been above the threshold and comes down to it again.

${noticeId}
`,
  };
}
