import type { TrafficLight } from '../functions/extraction/domain/extraction.ts';
import type { FindingCode } from '../functions/extraction/domain/judging/finding.ts';

/** Drawing of a light; word and mark say it as well, for people who cannot distinguish its colour. */
export const LIGHTS: Readonly<Record<TrafficLight, { colour: string; mark: string; korean: string }>> = {
  GREEN: { colour: '#15803d', mark: '●', korean: '확인됨' },
  YELLOW: { colour: '#b45309', mark: '▲', korean: '확인 필요' },
  RED: { colour: '#b91c1c', mark: '■', korean: '오류' },
};

/** The meaning of each kind of note, in Korean. */
export const FINDINGS_IN_KOREAN: Readonly<Record<FindingCode, string>> = {
  code_missing: '약품코드 없음',
  code_unknown: '등록되지 않은 코드',
  code_incomplete: '코드 자릿수 부족',
  code_check_digit: '코드 검증번호 오류',
  code_ambiguous: '비슷한 코드 있음',
  code_uncertain: '코드 판독 불확실',
  code_replaced: '바뀐 코드',
  code_ended: '급여목록에서 삭제된 코드',
  low_confidence: '판독 불확실',
  name_missing: '약품명 없음',
  name_mismatch: '약품명 불일치',
  name_uncertain: '약품명 불확실',
  price_mismatch: '단가 불일치',
  price_historical: '과거 단가',
  price_unlisted: '목록에 단가 없음',
  price_missing: '단가 없음',
  quantity_missing: '수량 없음',
  days_missing: '일수 없음',
  prescribed_qty_missing: '총투여량 없음',
  amount_missing: '금액 없음',
  value_doubted: '다른 값일 수 있음',
  value_not_positive: '0 이하의 값',
  quantity_contradiction: '수량 계산 불일치',
  amount_contradiction: '금액 계산 불일치',
  amount_rounding: '금액 끝수 차이',
  column_inferred: '열 제목 추정',
  unproven_value: '검산할 수 없는 값',
  table_incomplete: '표 일부 누락',
  total_mismatch: '합계 불일치',
  own_list: '자체 목록 적용',
};
