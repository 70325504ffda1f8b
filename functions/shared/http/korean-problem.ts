import type * as z from 'zod';
import { KOREAN_ERRORS } from './korean-texts.ts';
import type { Problem } from './problem.ts';

/** The parts of a problem whose texts a client reads. */
type TranslatedProblem = Pick<Problem, 'status' | 'code' | 'message' | 'details'> & {
  readonly isTranslated: true;
};

/** The text of an error code in Korean; null for a code without one. */
export function koreanError(code: string): string | null {
  return KOREAN_ERRORS[code] ?? null;
}

/** A problem with its texts in Korean; the English ones where its code has none. */
export function inKorean(problem: Problem): TranslatedProblem {
  const { status, code, details, korean } = problem;
  const shown = { status, code, isTranslated: true } as const;
  if (korean !== undefined) return { ...shown, message: korean.message, details: korean.details };
  const message = koreanError(code) ?? problem.message;
  const fields = koreanFields(problem);
  if (fields === null) return { ...shown, message: withAmounts(message, details), details };
  const list = Object.entries(fields).map(([field, text]) => `${field}: ${text}`);
  return { ...shown, message: `${message} ${list.join(', ')}`, details: { ...details, fields } };
}

/** Each wrong field by the rule that it breaks. */
function koreanFields({ details, issues }: Problem): Record<string, string> | null {
  const { fields } = (details ?? {}) as { readonly fields?: Readonly<Record<string, string>> };
  if (fields === undefined) return null;
  return Object.fromEntries(
    Object.keys(fields).map((field) => {
      const issue = issues?.get(field);
      return [field, issue === undefined ? '값을 확인하세요' : koreanIssue(issue)];
    }),
  );
}

function withAmounts(message: string, details: Problem['details']): string {
  const { balanceKrw, requiredKrw } = details ?? {};
  if (typeof balanceKrw !== 'number' || typeof requiredKrw !== 'number') return message;
  return `${message} 잔액 ${won(balanceKrw)}, 필요한 금액 ${won(requiredKrw)}.`;
}

function won(krw: number): string {
  return `${krw.toLocaleString('ko-KR')}원`;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: '이메일 주소가 아닙니다',
  url: '주소(URL)가 아닙니다',
  date: '2026-11-01과 같은 날짜가 아닙니다',
  datetime: '올바른 시각이 아닙니다',
};

/** A broken rule of a schema, from its code and its bounds. */
function koreanIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return '값이 없거나 형식이 맞지 않습니다';
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? '비어 있습니다' : `${issue.minimum}자 이상이어야 합니다`;
      if (issue.origin === 'array' || issue.origin === 'set') return `${issue.minimum}개 이상이어야 합니다`;
      return issue.inclusive === false ? `${issue.minimum}보다 커야 합니다` : `${issue.minimum} 이상이어야 합니다`;
    case 'too_big':
      if (issue.origin === 'string') return `${issue.maximum}자 이하여야 합니다`;
      if (issue.origin === 'array' || issue.origin === 'set') return `${issue.maximum}개 이하여야 합니다`;
      return issue.inclusive === false ? `${issue.maximum}보다 작아야 합니다` : `${issue.maximum} 이하여야 합니다`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? '형식이 맞지 않습니다';
    case 'invalid_value':
      return `다음 중 하나여야 합니다: ${issue.values.map(String).join(', ')}`;
    case 'not_multiple_of':
      return `${issue.divisor}의 배수여야 합니다`;
    case 'unrecognized_keys':
      return '여기에 없는 항목입니다';
    default:
      return '허용되지 않는 값입니다';
  }
}
