import type { Doubt } from '../drug-line.ts';
import { FIELD_NAMES } from './field-names.ts';
import type { FindingParameters, ListedPrice, NameDifference, UnreadLetter } from './finding-parameters.ts';
import { type FindingTexts, missingTexts } from './finding-texts.ts';

const { ko: FIELDS } = FIELD_NAMES;

const DOUBTS: Readonly<Record<Doubt, string>> = {
  crossed: '획이나 도장, 괘선이 겹쳐 있습니다',
  beside: '옆 열의 숫자와 더 가깝습니다',
  shifted: '옆에 빠진 숫자가 있을 수 있습니다',
  joined: '여러 줄이 하나로 읽혔습니다',
  small: '글자가 작아 6과 8이 구별되지 않습니다',
};

/** The texts of all findings in Korean. */
export const KOREAN_FINDINGS: FindingTexts = {
  'code_missing.illegible': ({ text }) => `약품코드를 알아볼 수 없습니다. 읽은 글자: “${text}”`,
  'code_missing.empty': () => '이 줄에 약품코드가 없습니다',
  'code_missing.no_column': () => '약품코드를 적지 않는 서식입니다',
  'code_unknown.unlisted': ({ code, version }) =>
    `코드 ${code}: 약가 목록(${version} 기준)에 없습니다. 이전 또는 이후 목록에는 있을 수 있습니다`,
  'code_unknown.replaced': ({ code, successors }) =>
    `코드 ${code}: ${successors.join(', ')} 중 하나로 바뀌었으나 약품명만으로는 어느 것인지 알 수 없습니다`,
  code_incomplete: ({ code, lookup }) => `코드 ${code}: 9자리나 13자리가 아니어서 ${lookup} 코드로 조회했습니다`,
  code_check_digit: ({ code }) => `코드 ${code}: 검증번호가 맞지 않습니다. 잘못 읽혔거나 잘못 인쇄된 숫자가 있습니다`,
  code_ambiguous: ({ code, twin, name, byPrice }) =>
    `${code} 코드와 한 자리만 다른 ${twin}(${name})도 ${byPrice ? '약품명과 단가가' : '약품명이'} 일치합니다`,
  code_uncertain: ({ read, byList, name }) => `코드가 ${read} 또는 ${byList}: 목록에서 ${name}의 코드는 뒤의 것입니다`,
  code_replaced: ({ code, by, name }) => `코드 ${code}: ${by}(${name}) 코드로 바뀌었습니다`,
  code_ended: ({ code, date, successor }) =>
    `코드 ${code}: ${date}에 급여목록에서 삭제되었습니다${successor === null ? '' : `. 같은 이름의 현재 코드: ${successor}`}`,
  'low_confidence.code': ({ code, confidence }) => `코드 ${code}의 판독 신뢰도: ${percent(confidence)}`,
  'low_confidence.number': ({ field, value, confidence }) =>
    `${valueText(field, value)}의 판독 신뢰도: ${percent(confidence)}`,
  name_missing: ({ code, listed }) => `약품명이 없어 코드를 확인할 수 없습니다. 목록의 ${code}: ${listed}`,
  name_mismatch: ({ name, listed, code, difference }) =>
    `읽은 약품명: “${name}”${differenceText(difference)}. 목록의 ${code}: ${listed}`,
  'name_uncertain.similar': ({ name, listed, difference }) =>
    doubted(`읽은 약품명: “${name}”${differenceText(difference)}`, listed),
  'name_uncertain.unread': ({ name, listed, letters }) =>
    doubted(`약품명 “${name}”에서 인쇄가 흐린 글자: ${unreadText(letters)}`, listed),
  'name_uncertain.no_strength': ({ name, listed }) => doubted(`약품명 “${name}”에 함량이 다 나오지 않습니다`, listed),
  'name_uncertain.short': ({ name, listed }) => doubted(`약품명 “${name}”의 끝이 다른 줄보다 먼저 끊깁니다`, listed),
  'name_uncertain.open_bracket': ({ name, listed }) => doubted(`약품명 “${name}”의 괄호가 닫히지 않았습니다`, listed),
  'name_uncertain.end': ({ name, listed }) => doubted(`약품명 “${name}”의 끝이 분명히 읽히지 않았습니다`, listed),
  'name_uncertain.unknown_maker': ({ name, listed }) => doubted(`약품명 “${name}”의 제조사를 알 수 없습니다`, listed),
  'name_uncertain.other_maker': ({ name, listed, maker }) =>
    doubted(`약품명 “${name}”의 제조사가 목록의 “${maker}”와(과) 다릅니다`, listed),
  'name_uncertain.unconfirmed': ({ name, listed }) =>
    doubted(`읽은 약품명 “${name}”을(를) 확인할 근거가 없습니다`, listed),
  price_mismatch: ({ unitPrice, list }) => `단가 ${won(unitPrice)}이 목록과 다릅니다. ${listText(list)}`,
  price_unlisted: ({ unitPrice, list }) => `단가 ${won(unitPrice)}을 대조할 수 없습니다. ${listText(list)}`,
  price_historical: ({ unitPrice, from, until, list }) => {
    const period = until === null ? `${from}부터` : `${from}부터 ${until} 전까지`;
    return `단가 ${won(unitPrice)}은 ${period} 적용된 금액입니다. ${listText(list)}`;
  },
  ...missingTexts({
    empty: ({ field }) => `${FIELDS[field]} 칸이 비었거나 읽히지 않았습니다`,
    illegible: ({ field, text }) => `${FIELDS[field]} 칸을 알아볼 수 없습니다. 읽은 글자: “${text}”`,
  }),
  'quantity_missing.no_column': () => '투여량 열이 없는 서식입니다',
  'value_doubted.print': ({ doubt, field, value }) => `${valueText(field, value)}: ${DOUBTS[doubt]}`,
  'value_doubted.dose': ({ value, name }) =>
    `${name}의 1회 투약량으로 ${value}은(는) 드뭅니다. 소수점이 읽히지 않았을 수 있습니다`,
  'value_doubted.times_unread': ({ quantity }) =>
    `1일 투여횟수가 읽히지 않았습니다. 투여량 ${quantity}이(가) 횟수일 수 있습니다`,
  'value_doubted.times': ({ value }) => `1일 투여횟수 ${value}: 옆 칸의 숫자가 바뀌었을 수 있습니다`,
  value_not_positive: ({ field, value }) => `${valueText(field, value)}: 0 이하입니다`,
  quantity_contradiction: (equation) => `${productText(equation)}, 총투여량은 ${equation.printed}`,
  amount_contradiction: (equation) => `${productText(equation)}, 금액은 ${won(equation.printed)}`,
  amount_rounding: (equation) =>
    `${productText(equation)}, 금액은 ${won(equation.printed)}: 이 서식의 끝수 처리와 다릅니다`,
  column_inferred: ({ field, value }) =>
    `${FIELDS[field]} 열의 제목이 읽히지 않았습니다. ${grouped(value)}은(는) 다른 항목일 수 있습니다`,
  unproven_value: ({ field, value }) => `${valueText(field, value)}: 검산할 다른 값이 없습니다`,
  'table_incomplete.unread_row': () => '이 줄 옆에 읽히지 않은 줄이 있습니다',
  'table_incomplete.cut_off': () => '표가 그림 가장자리에서 잘렸습니다',
  'table_incomplete.more_pages': () => '파일에 다른 쪽이 더 있습니다. 첫 쪽만 읽었습니다',
  'table_incomplete.count': ({ printed, read }) => `인쇄된 건수는 ${printed}줄이고 ${read}줄이 읽혔습니다`,
  total_mismatch: ({ sum, printed }) => `금액을 더하면 ${won(sum)}, 인쇄된 합계는 ${won(printed)}입니다`,
  own_list: ({ code, name, price }) => {
    const differences = [
      ...(name === null ? [] : [`약품명 ${name.own}(공식 목록: ${name.official})`]),
      ...(price === null ? [] : [`단가 ${priceText(price.own)}(공식 목록: ${priceText(price.official)})`]),
    ];
    return `자체 목록을 적용했습니다. 코드 ${code}: ${differences.join(', ')}`;
  },
};

function doubted(text: string, listed: string): string {
  return `${text}. 목록의 약품명: ${listed}`;
}

function differenceText(difference: NameDifference): string {
  if (difference === null) return '';
  if ('otherCode' in difference) return `, ${difference.otherCode}의 약품명입니다`;
  const letters = difference.letters.map(
    ({ printed, listed, confidence }) => `“${listed}” 자리에 “${printed}”(${percent(confidence)})`,
  );
  return `, ${letters.join(', ')}`;
}

function unreadText(letters: readonly UnreadLetter[]): string {
  return letters
    .map(
      ({ letter, confidence, rivals }) =>
        `${letter}(${percent(confidence)}${rivals.length === 0 ? '' : `, 또는 ${rivals.join(', ')}`})`,
    )
    .join(', ');
}

function listText(list: ListedPrice): string {
  switch (list.state) {
    case 'none':
      return `목록에 ${list.date}의 단가가 없습니다. 그때의 목록에는 있을 수 있습니다`;
    case 'ended':
      return `${list.since}에 급여목록에서 삭제된 약품입니다`;
    case 'unpriced':
      return `${list.since}부터 목록에 단가가 없습니다`;
    case 'priced':
      return `목록의 ${list.date} 단가: ${won(list.krw)}(${list.since}부터 적용)`;
  }
}

function productText({ factors, product }: FindingParameters['amount_contradiction']): string {
  return `${factors.map(({ field, value }) => valueText(field, value)).join(' × ')} = ${grouped(product)}`;
}

function valueText(field: keyof typeof FIELDS, value: number): string {
  const isMoney = field === 'unitPrice' || field === 'totalAmount';
  return `${FIELDS[field]} ${isMoney ? won(value) : value}`;
}

function priceText(krw: number | null): string {
  return krw === null ? '없음' : won(krw);
}

function won(krw: number): string {
  return `${grouped(krw)}원`;
}

const DECIMALS = new Intl.NumberFormat('ko-KR', { maximumFractionDigits: 20 });

/** With separators between thousands, and every decimal as it was read. */
function grouped(value: number): string {
  return DECIMALS.format(value);
}

function percent(confidence: number): string {
  return `${Math.round(confidence * 100)}%`;
}
