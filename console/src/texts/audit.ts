import type { paths } from '../api/openapi.d.ts';
import type { Language } from './i18n.ts';

export type AuditEntry =
  paths['/api/v1/audit']['get']['responses'][200]['content']['application/json']['data']['entries'][number];
type Action = AuditEntry['action'];

const ACTIONS: Readonly<Record<Action, Readonly<Record<Language, string>>>> = {
  'workspace.created': { en: 'Workspace created', ko: '워크스페이스 만듦' },
  'workspace.changed': { en: 'Workspace settings changed', ko: '워크스페이스 설정 변경' },
  'workspace.deletion_requested': { en: 'Deletion of the workspace requested', ko: '워크스페이스 삭제 요청' },
  'workspace.deletion_cancelled': { en: 'Deletion of the workspace cancelled', ko: '워크스페이스 삭제 취소' },
  'workspace.exported': { en: 'Data exported', ko: '데이터 내보내기' },
  'login.succeeded': { en: 'Logged in', ko: '로그인' },
  'login.failed': { en: 'Login failed', ko: '로그인 실패' },
  'login.ended': { en: 'Logged out', ko: '로그아웃' },
  'login.revoked': { en: 'Session ended by a stolen token', ko: '토큰 도용으로 세션 종료' },
  'email.confirmed': { en: 'E-mail confirmed', ko: '이메일 확인' },
  'password.changed': { en: 'Password changed', ko: '비밀번호 변경' },
  'password.reset': { en: 'Password reset', ko: '비밀번호 재설정' },
  'second_factor.enabled': { en: 'Second factor switched on', ko: '2단계 인증 켬' },
  'second_factor.disabled': { en: 'Second factor switched off', ko: '2단계 인증 끔' },
  'second_factor.recovery_used': { en: 'Recovery code used', ko: '복구 코드 사용' },
  'second_factor.recovery_replaced': { en: 'Recovery codes replaced', ko: '복구 코드 교체' },
  'sso.configured': { en: 'Single sign-on configured', ko: '통합 로그인 설정' },
  'sso.removed': { en: 'Single sign-on removed', ko: '통합 로그인 제거' },
  'sso.domain_proved': { en: 'Domain proved', ko: '도메인 확인' },
  'sso.linked': { en: 'Account linked to single sign-on', ko: '통합 로그인에 계정 연결' },
  'member.invited': { en: 'Member invited', ko: '구성원 초대' },
  'member.joined': { en: 'Member joined', ko: '구성원 참여' },
  'member.changed': { en: 'Role changed', ko: '역할 변경' },
  'member.removed': { en: 'Member removed', ko: '구성원 제외' },
  'api_key.created': { en: 'API key created', ko: 'API 키 만듦' },
  'api_key.revoked': { en: 'API key revoked', ko: 'API 키 폐기' },
  'application.created': { en: 'Application created', ko: '애플리케이션 만듦' },
  'application.changed': { en: 'Application changed', ko: '애플리케이션 변경' },
  'application.removed': { en: 'Application deleted', ko: '애플리케이션 삭제' },
  'access_token.created': { en: 'Public token created', ko: '공개 토큰 만듦' },
  'access_token.changed': { en: 'Public token changed', ko: '공개 토큰 변경' },
  'access_token.revoked': { en: 'Public token revoked', ko: '공개 토큰 폐기' },
  'balance.topped_up': { en: 'Balance topped up', ko: '잔액 충전' },
  'balance.threshold_changed': { en: 'Low-balance threshold changed', ko: '잔액 알림 기준 변경' },
  'budget.set': { en: 'Budget set', ko: '예산 설정' },
  'budget.removed': { en: 'Budget removed', ko: '예산 제거' },
  'extraction.deleted': { en: 'Result deleted', ko: '판독 결과 삭제' },
  'picture.deleted': { en: 'Picture deleted', ko: '그림 삭제' },
  'job.deleted': { en: 'Batch deleted', ko: '묶음 삭제' },
  'conversations.removed': { en: 'Conversations deleted', ko: '대화 삭제' },
};

export const actionText = (action: Action, language: Language): string => ACTIONS[action]?.[language] ?? action;

/** Kinds of acts by the first words of their actions. */
export const AUDIT_GROUPS = {
  login: ['login', 'email', 'password', 'second_factor', 'sso'],
  members: ['member'],
  keys: ['api_key', 'access_token'],
  applications: ['application', 'conversations'],
  money: ['balance', 'budget'],
  data: ['workspace', 'extraction', 'picture', 'job'],
} as const;
export type AuditGroup = keyof typeof AUDIT_GROUPS;

export function isOfGroup(action: Action, group: AuditGroup): boolean {
  return (AUDIT_GROUPS[group] as readonly string[]).includes(action.split('.')[0]!);
}
