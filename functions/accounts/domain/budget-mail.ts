import { type BudgetSubject, budgetSubject, renewsAtMs, type SpentLimit } from './budgets.ts';
import type { Recipients } from './low-balance-mail.ts';
import { type Mail, oneLine } from './mail.ts';

/** Notifies the owners that most of a budget is spent. */
export interface BudgetNotice extends Omit<SpentLimit, 'name'> {
  /** The same for the same limit in the same period. */
  readonly noticeId: string;
  readonly kind: 'budget';
  readonly workspaceId: string;
  readonly subject: BudgetSubject;
  readonly renewsAt: string;
  readonly createdAt: string;
}

export function budgetNotice(workspaceId: string, reached: SpentLimit, nowMs: number): BudgetNotice {
  const { name, ...limit } = reached;
  const renewsAt = new Date(renewsAtMs(limit.field, nowMs)).toISOString();
  const subject = budgetSubject(name);
  // A budget that is set anew within its period can come to its share again.
  const noticeId = `${workspaceId}-${subject.kind}-${subject.id}-${limit.field}-${limit.limit}-${nowMs}`;
  return {
    noticeId,
    kind: 'budget',
    workspaceId,
    subject,
    ...limit,
    renewsAt,
    createdAt: new Date(nowMs).toISOString(),
  };
}

const UNITS = { krw: ['원', 'KRW'], tokens: ['토큰', 'tokens'] } as const;

/** The e-mail in Korean and in English: what happened, what follows from it, what to do. */
export function budgetMail(notice: BudgetNotice, { workspaceName, owners }: Recipients): Mail {
  const { noticeId, subject, field, createdAt } = notice;
  const name = oneLine(workspaceName);
  const [limit, spent] = [notice.limit, notice.spent].map((amount) => amount.toLocaleString('en-US'));
  const [unitKo, unit] = UNITS[field.startsWith('krw') ? 'krw' : 'tokens'];
  const [periodKo, period] = field.endsWith('day') ? ['하루', 'daily'] : ['한 달', 'monthly'];
  const [whoseKo, whose] =
    subject.kind === 'key'
      ? [`API 키 ${subject.id}`, `API key ${subject.id}`]
      : [`애플리케이션 ${subject.id}`, `application ${subject.id}`];
  const renews = `${notice.renewsAt.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    id: noticeId,
    to: owners,
    date: createdAt,
    subject: `[Tripod] ${name}: 예산 80% 사용 / 80 % of a budget spent`,
    text: `워크스페이스 "${name}"에서 ${whoseKo}의 ${periodKo} 예산 ${limit}${unitKo} 중 ${spent}${unitKo}을 사용했습니다.

예산을 넘는 호출은 429 budget_used_up으로 거절되고, ${renews}에 예산이 다시 시작됩니다.
- 예산 변경: PUT /api/v1/budgets/${subject.kind}/${subject.id}
- 사용량 확인: GET /api/v1/budgets

--------

The ${whose} of the workspace "${name}" has spent ${spent} of its ${period} budget of ${limit} ${unit}.

Calls beyond the budget are refused with 429 budget_used_up until it renews at ${renews}.
- Change it: PUT /api/v1/budgets/${subject.kind}/${subject.id}
- See the spending: GET /api/v1/budgets

${noticeId}
`,
  };
}
