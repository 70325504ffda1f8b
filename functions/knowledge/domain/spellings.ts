/**
 * Loanwords that Korean texts write in Latin letters, in Hangul, and in Hangul against the rules: in a row the Latin word, the spelling of the
 * National Institute of Korean Language, and others in use.
 */
const LOANWORDS: readonly (readonly [latin: string, ...hangul: readonly string[]])[] = [
  ['web', '웹'],
  ['worker', '워커'],
  ['message', '메시지', '메세지'],
  ['content', '콘텐츠', '컨텐츠'],
  ['service', '서비스', '써비스'],
  ['server', '서버', '써버'],
  ['center', '센터', '센타'],
  ['data', '데이터', '데이타'],
  ['software', '소프트웨어', '소프트웨아'],
  ['application', '애플리케이션', '어플리케이션'],
  ['dashboard', '대시보드', '대쉬보드'],
  ['cache', '캐시', '캐쉬'],
  ['directory', '디렉터리', '디렉토리'],
  ['plugin', '플러그인'],
  ['library', '라이브러리'],
  ['framework', '프레임워크', '프레임웍'],
  ['browser', '브라우저', '브라우져'],
  ['component', '컴포넌트'],
  ['container', '컨테이너', '콘테이너'],
  ['token', '토큰'],
  ['endpoint', '엔드포인트'],
  ['webhook', '웹훅', '웹후크'],
  ['workspace', '워크스페이스'],
  ['workflow', '워크플로', '워크플로우'],
  ['template', '템플릿', '템플리트'],
  ['session', '세션'],
  ['cookie', '쿠키'],
  ['query', '쿼리'],
  ['schema', '스키마'],
  ['script', '스크립트'],
  ['router', '라우터'],
  ['layout', '레이아웃'],
  ['hook', '훅'],
  ['event', '이벤트'],
  ['button', '버튼', '버턴'],
  ['file', '파일', '화일'],
  ['report', '리포트', '레포트'],
  ['membership', '멤버십', '멤버쉽'],
  ['schedule', '스케줄', '스케쥴'],
  ['access', '액세스', '엑세스'],
  ['accessory', '액세서리', '악세사리'],
  ['password', '패스워드'],
  ['login', '로그인'],
  ['coupon', '쿠폰'],
  ['update', '업데이트'],
  ['download', '다운로드'],
  ['upload', '업로드'],
];

const latinOf = new Map(LOANWORDS.flatMap(([latin, ...spellings]) => spellings.map((each) => [each, latin] as const)));
const hangulOf = new Map(LOANWORDS.map(([latin, standard]) => [latin, standard!] as const));
const standardOf = new Map(
  LOANWORDS.flatMap(([, standard, ...others]) => others.map((other) => [other, standard!] as const)),
);
const otherOf = new Map(
  LOANWORDS.flatMap(([, standard, other]) => (other === undefined ? [] : [[standard!, other] as const])),
);

/** Longest first: 웹훅 is not 웹. */
const anyOf = (words: Iterable<string>): string => [...words].sort((a, b) => b.length - a.length).join('|');
const IN_HANGUL = new RegExp(anyOf(latinOf.keys()), 'gu');
const IN_LATIN = new RegExp(`\\b(${anyOf(hangulOf.keys())})s?\\b`, 'giu');
const NOT_STANDARD = new RegExp(anyOf(standardOf.keys()), 'gu');
const STANDARD = new RegExp(anyOf(otherOf.keys()), 'gu');

/** A question as others would spell its loanwords; none for a question without such words. */
export function otherSpellings(question: string): readonly string[] {
  const spelled = question.normalize('NFKC');
  const variants = [
    spelled.replace(NOT_STANDARD, (word) => standardOf.get(word)!),
    spelled.replace(STANDARD, (word) => otherOf.get(word)!),
    spelled.replace(IN_HANGUL, (word) => ` ${latinOf.get(word)!} `),
    spelled.replace(IN_LATIN, (_, word: string) => hangulOf.get(word.toLowerCase())!),
  ];
  return [...new Set(variants)].filter((variant) => variant !== spelled);
}
