import type { Language } from './i18n.ts';

/** Why a line is not GREEN, by the code that its note starts with. The note itself says it with figures. */
const FINDINGS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  code_missing: { ko: '약품코드 없음', en: 'No code' },
  code_unknown: { ko: '등록되지 않은 코드', en: 'Code not in the list' },
  code_incomplete: { ko: '코드 자릿수 부족', en: 'Code lacks digits' },
  code_check_digit: { ko: '코드 검증번호 오류', en: 'Check digit is wrong' },
  code_ambiguous: { ko: '비슷한 코드 있음', en: 'Several codes fit' },
  code_uncertain: { ko: '코드 판독 불확실', en: 'Code read unsurely' },
  code_replaced: { ko: '바뀐 코드', en: 'Code was replaced' },
  code_ended: { ko: '급여목록에서 삭제된 코드', en: 'No longer reimbursed' },
  low_confidence: { ko: '판독 불확실', en: 'Read unsurely' },
  name_missing: { ko: '약품명 없음', en: 'No name' },
  name_mismatch: { ko: '약품명 불일치', en: 'Name is another drug’s' },
  name_uncertain: { ko: '약품명 불확실', en: 'Name read unsurely' },
  price_mismatch: { ko: '단가 불일치', en: 'Price differs' },
  price_historical: { ko: '과거 단가', en: 'Former price' },
  price_unlisted: { ko: '목록에 단가 없음', en: 'List has no price' },
  price_missing: { ko: '단가 없음', en: 'No price' },
  quantity_missing: { ko: '수량 없음', en: 'No quantity' },
  days_missing: { ko: '일수 없음', en: 'No days' },
  prescribed_qty_missing: { ko: '총투여량 없음', en: 'No total quantity' },
  amount_missing: { ko: '금액 없음', en: 'No amount' },
  value_doubted: { ko: '다른 값일 수 있음', en: 'May be another value' },
  value_not_positive: { ko: '0 이하의 값', en: 'Not above zero' },
  quantity_contradiction: { ko: '수량 계산 불일치', en: 'Quantities do not multiply' },
  amount_contradiction: { ko: '금액 계산 불일치', en: 'Amount does not multiply' },
  amount_rounding: { ko: '금액 끝수 차이', en: 'Amount is off by rounding' },
  column_inferred: { ko: '열 제목 추정', en: 'Column was inferred' },
  unproven_value: { ko: '검산할 수 없는 값', en: 'Nothing checks this value' },
  table_incomplete: { ko: '표 일부 누락', en: 'Rows may be missing' },
  total_mismatch: { ko: '합계 불일치', en: 'Total differs' },
  own_list: { ko: '자체 목록 적용', en: 'By your own list' },
};

/** A note in two parts: the problem in words, and the figures. */
export function findingOf(note: string, language: Language): { readonly title: string; readonly text: string } {
  const at = note.indexOf(':');
  const [code, text] = at < 0 ? [note, ''] : [note.slice(0, at), note.slice(at + 1).trim()];
  return { title: FINDINGS[code]?.[language] ?? code, text };
}
