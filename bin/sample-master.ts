/**
 * Writes `layers/master/sample.csv`: an invented drug list for local mode, the same at every run.
 * Brands, makers, item numbers and prices are made up; ingredients, forms and strengths are ordinary ones, so that names
 * look and read like those of the published list. Usage: `node bin/sample-master.ts [file]`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Unit = 'mg' | 'g' | 'mL' | '%' | 'mcg' | 'IU';

interface Product {
  readonly ingredient: string;
  readonly form: string;
  readonly strengths: readonly number[];
  readonly unit: Unit;
  /** What one priced unit is, as the list's 규격/단위 columns say. */
  readonly pack: (strength: number) => string;
  /** KRW for the lowest strength. */
  readonly basePriceKrw: number;
}

const SEED = 20261101;
const FIRST_LIST = '2025-01-01';
const LATER_LISTS = ['2025-07-01', '2026-01-01', '2026-04-01', '2026-09-01', '2026-11-01'] as const;

/** Company prefixes inside the ranges that the standard codes use: 0500-0999, 6200-6299, 6400-6999. */
const MAKERS = [
  ['0531', '솔뫼제약(주)'],
  ['0572', '한빛누리약품(주)'],
  ['0618', '가온메디(주)'],
  ['0734', '두물머리제약(주)'],
  ['0867', '새벽바이오(주)'],
  ['0915', '미르헬스케어(주)'],
  ['6213', '다온약품공업(주)'],
  ['6248', '(주)청솔파마'],
  ['6287', '예그린제약(주)'],
  ['6405', '(주)하늘샘'],
  ['6429', '온새미제약(주)'],
  ['6463', '라온바이오텍(주)'],
  ['6498', '(주)아라제약'],
  ['6517', '나래생명과학(주)'],
  ['6545', '도담약품(주)'],
  ['6573', '(주)윤슬메디칼'],
  ['6602', '해오름제약(주)'],
  ['6696', '푸른들제약(주)'],
  ['6728', '(주)마루파마텍'],
  ['6941', '시나브로약품(주)'],
] as const;

const BRAND_HEADS =
  '가네 나모 노바 다이 데프 도란 라비 레스 로지 루카 리베 마그 메가 모티 무코 바로 베나 보드 비타 사로 세파 소마 슈어 아로 에스 오라 유니 이노 자누 제로 카디 코마 큐라 타미 테라 트리 파나 페리 포스 플루 피오 하이 헤파 휴메 글리 덴타 브론 스토 알레 엔도 임팩 젠타 클로 페노 프라 크레 넥사 덱스'.split(
    ' ',
  );
const BRAND_TAILS =
  '넥 놀 니아 닌 다 덤 드 딘 라 란 렌 론 릭스 마 멘 몬 반 벨 빈 세트 손 스타 시드 신 젠 졸 진 텍 톤 틴 판 펜 프로 핀 필 큐 탑 원'.split(
    ' ',
  );

const tablet = () => '1정';
const capsule = () => '1캡슐';

const PRODUCTS: readonly Product[] = [
  { ingredient: '아세트아미노펜', form: '정', strengths: [325, 500, 650], unit: 'mg', pack: tablet, basePriceKrw: 38 },
  { ingredient: '이부프로펜', form: '정', strengths: [200, 400, 600], unit: 'mg', pack: tablet, basePriceKrw: 62 },
  { ingredient: '덱시부프로펜', form: '정', strengths: [300, 400], unit: 'mg', pack: tablet, basePriceKrw: 118 },
  { ingredient: '록소프로펜나트륨수화물', form: '정', strengths: [60], unit: 'mg', pack: tablet, basePriceKrw: 112 },
  { ingredient: '아세클로페낙', form: '정', strengths: [100], unit: 'mg', pack: tablet, basePriceKrw: 154 },
  { ingredient: '세레콕시브', form: '캡슐', strengths: [100, 200], unit: 'mg', pack: capsule, basePriceKrw: 343 },
  {
    ingredient: '트라마돌염산염',
    form: '서방정',
    strengths: [100, 150, 200],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 318,
  },
  { ingredient: '아목시실린수화물', form: '캡슐', strengths: [250, 500], unit: 'mg', pack: capsule, basePriceKrw: 96 },
  { ingredient: '세파클러수화물', form: '캡슐', strengths: [250], unit: 'mg', pack: capsule, basePriceKrw: 402 },
  { ingredient: '세프디니르', form: '캡슐', strengths: [100], unit: 'mg', pack: capsule, basePriceKrw: 741 },
  { ingredient: '클래리트로마이신', form: '정', strengths: [250, 500], unit: 'mg', pack: tablet, basePriceKrw: 528 },
  {
    ingredient: '레보플록사신수화물',
    form: '정',
    strengths: [250, 500, 750],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 671,
  },
  { ingredient: '암로디핀베실산염', form: '정', strengths: [2.5, 5, 10], unit: 'mg', pack: tablet, basePriceKrw: 214 },
  { ingredient: '로사르탄칼륨', form: '정', strengths: [50, 100], unit: 'mg', pack: tablet, basePriceKrw: 432 },
  { ingredient: '발사르탄', form: '정', strengths: [40, 80, 160], unit: 'mg', pack: tablet, basePriceKrw: 367 },
  { ingredient: '텔미사르탄', form: '정', strengths: [40, 80], unit: 'mg', pack: tablet, basePriceKrw: 389 },
  { ingredient: '카르베딜롤', form: '정', strengths: [6.25, 12.5, 25], unit: 'mg', pack: tablet, basePriceKrw: 171 },
  {
    ingredient: '비소프롤롤푸마르산염',
    form: '정',
    strengths: [1.25, 2.5, 5],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 98,
  },
  {
    ingredient: '아토르바스타틴칼슘삼수화물',
    form: '정',
    strengths: [10, 20, 40],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 558,
  },
  { ingredient: '로수바스타틴칼슘', form: '정', strengths: [5, 10, 20], unit: 'mg', pack: tablet, basePriceKrw: 331 },
  { ingredient: '에제티미브', form: '정', strengths: [10], unit: 'mg', pack: tablet, basePriceKrw: 627 },
  {
    ingredient: '메트포르민염산염',
    form: '서방정',
    strengths: [500, 750, 1000],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 68,
  },
  { ingredient: '글리메피리드', form: '정', strengths: [1, 2, 4], unit: 'mg', pack: tablet, basePriceKrw: 79 },
  {
    ingredient: '시타글립틴인산염수화물',
    form: '정',
    strengths: [25, 50, 100],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 283,
  },
  { ingredient: '클로피도그렐황산수소염', form: '정', strengths: [75], unit: 'mg', pack: tablet, basePriceKrw: 1043 },
  { ingredient: '아스피린', form: '장용정', strengths: [100], unit: 'mg', pack: tablet, basePriceKrw: 43 },
  { ingredient: '레바미피드', form: '정', strengths: [100], unit: 'mg', pack: tablet, basePriceKrw: 101 },
  {
    ingredient: '에스오메프라졸마그네슘삼수화물',
    form: '정',
    strengths: [20, 40],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 716,
  },
  { ingredient: '란소프라졸', form: '캡슐', strengths: [15, 30], unit: 'mg', pack: capsule, basePriceKrw: 462 },
  { ingredient: '모사프리드시트르산염수화물', form: '정', strengths: [5], unit: 'mg', pack: tablet, basePriceKrw: 108 },
  { ingredient: '세티리진염산염', form: '정', strengths: [10], unit: 'mg', pack: tablet, basePriceKrw: 136 },
  { ingredient: '레보세티리진염산염', form: '정', strengths: [5], unit: 'mg', pack: tablet, basePriceKrw: 187 },
  { ingredient: '몬테루카스트나트륨', form: '츄정', strengths: [4, 5], unit: 'mg', pack: tablet, basePriceKrw: 574 },
  { ingredient: '가바펜틴', form: '캡슐', strengths: [100, 300, 400], unit: 'mg', pack: capsule, basePriceKrw: 152 },
  { ingredient: '프레가발린', form: '캡슐', strengths: [75, 150, 300], unit: 'mg', pack: capsule, basePriceKrw: 445 },
  {
    ingredient: '도네페질염산염수화물',
    form: '구강붕해정',
    strengths: [5, 10],
    unit: 'mg',
    pack: tablet,
    basePriceKrw: 1389,
  },
  {
    ingredient: '레보티록신나트륨수화물',
    form: '정',
    strengths: [25, 50, 100],
    unit: 'mcg',
    pack: tablet,
    basePriceKrw: 21,
  },
  { ingredient: '메틸프레드니솔론', form: '정', strengths: [4], unit: 'mg', pack: tablet, basePriceKrw: 48 },
  { ingredient: '에르도스테인', form: '캡슐', strengths: [300], unit: 'mg', pack: capsule, basePriceKrw: 174 },
  {
    ingredient: '암브록솔염산염',
    form: '시럽',
    strengths: [100, 500],
    unit: 'mL',
    pack: () => '1mL',
    basePriceKrw: 11,
  },
  {
    ingredient: '수크랄페이트수화물',
    form: '현탁액',
    strengths: [15],
    unit: 'mL',
    pack: () => '1포',
    basePriceKrw: 163,
  },
  {
    ingredient: '아목시실린수화물·클라불란산칼륨',
    form: '시럽',
    strengths: [50, 100],
    unit: 'mL',
    pack: () => '1mL',
    basePriceKrw: 74,
  },
  {
    ingredient: '세프트리악손나트륨수화물',
    form: '주',
    strengths: [0.5, 1, 2],
    unit: 'g',
    pack: () => '1병',
    basePriceKrw: 2310,
  },
  { ingredient: '디클로페낙나트륨', form: '주사액', strengths: [2], unit: 'mL', pack: () => '1관', basePriceKrw: 486 },
  {
    ingredient: '덱사메타손포스페이트이나트륨',
    form: '주사액',
    strengths: [1, 5],
    unit: 'mg',
    pack: () => '1관',
    basePriceKrw: 312,
  },
  {
    ingredient: '염화나트륨',
    form: '주사액',
    strengths: [100, 500, 1000],
    unit: 'mL',
    pack: () => '1백',
    basePriceKrw: 1045,
  },
  {
    ingredient: '콜레칼시페롤',
    form: '주사액',
    strengths: [200000, 300000],
    unit: 'IU',
    pack: () => '1관',
    basePriceKrw: 9870,
  },
  {
    ingredient: '히알루론산나트륨',
    form: '점안액',
    strengths: [0.1, 0.15, 0.3],
    unit: '%',
    pack: () => '1관',
    basePriceKrw: 198,
  },
  { ingredient: '무피로신', form: '연고', strengths: [2], unit: '%', pack: () => '1g', basePriceKrw: 239 },
  { ingredient: '모메타손푸로에이트', form: '크림', strengths: [0.1], unit: '%', pack: () => '1g', basePriceKrw: 267 },
  { ingredient: '케토프로펜', form: '플라스타', strengths: [30], unit: 'mg', pack: () => '1매', basePriceKrw: 305 },
];

const random = mulberry32(SEED);
const lines: string[] = [];
const usedBrands = new Set<string>();
const itemNumbers = new Map<string, number>();

for (let round = 0; round < 4; round++) for (const product of PRODUCTS) addProduct(product);
lines.sort();
const target = process.argv[2] ?? fileURLToPath(new URL('../layers/master/sample.csv', import.meta.url));
writeFileSync(target, `${['code,name,maker,unit,price,from', ...lines].join('\n')}\n`);

function addProduct(product: Product): void {
  const [prefix, maker] = pick(MAKERS);
  const brand = newBrand();
  // Half of the brands say 밀리그램 in words, half in Latin, as in the published list.
  const inWords = random() < 0.5;
  for (const strength of product.strengths) {
    const item = (itemNumbers.get(prefix) ?? 11 + Math.floor(random() * 60)) + 1 + Math.floor(random() * 9);
    itemNumbers.set(prefix, item);
    const code = `${prefix}${String(item * 10).padStart(5, '0')}`;
    const name = `${brand}${product.form}${strengthText(strength, product.unit, inWords)}(${product.ingredient})_(${packText(product, strength)})`;
    const steps = Math.max(0, product.strengths.indexOf(strength));
    const price = Math.max(5, Math.round(product.basePriceKrw * (1 + 0.45 * steps) * (0.85 + random() * 0.3)));
    for (const [from, krw] of history(price))
      lines.push([code, name, maker, product.pack(strength), krw ?? '', from].join(','));
  }
}

/** Most prices never change, a few go down once or twice, some drugs leave the list. */
function history(firstKrw: number): readonly (readonly [string, number | null])[] {
  const prices: [string, number | null][] = [[FIRST_LIST, firstKrw]];
  const fate = random();
  if (fate < 0.6) return prices;
  const changes = fate < 0.85 ? 1 : 2;
  const first = Math.floor(random() * (LATER_LISTS.length - changes + 1));
  const dates = LATER_LISTS.slice(first, first + changes);
  let krw = firstKrw;
  for (const date of dates) {
    const reduced = Math.max(3, Math.round(krw * (0.82 + random() * 0.14)));
    if (reduced !== krw) prices.push([date, reduced]);
    krw = reduced;
  }
  const left = '2026-10-01';
  return fate > 0.95 ? [...prices.filter(([from]) => from < left), [left, null]] : prices;
}

function strengthText(strength: number, unit: Unit, inWords: boolean): string {
  const words: Record<Unit, string> = {
    mg: '밀리그램',
    g: '그램',
    mL: '밀리리터',
    '%': '%',
    mcg: '마이크로그램',
    IU: 'IU',
  };
  return `${strength}${inWords ? words[unit] : unit}`;
}

function packText(product: Product, strength: number): string {
  if (product.unit === 'mg' || product.unit === 'mcg' || product.unit === 'g') {
    const grams = product.unit === 'g' ? strength : product.unit === 'mg' ? strength / 1000 : strength / 1_000_000;
    const amount =
      grams >= 0.1 ? `${grams}g` : grams >= 0.001 ? `${round(grams * 1000)}mg` : `${round(grams * 1_000_000)}μg`;
    return `${amount}/${product.pack(strength)}`;
  }
  return product.unit === 'mL' ? `${strength}mL` : product.pack(strength);
}

function newBrand(): string {
  for (;;) {
    const brand = pick(BRAND_HEADS) + pick(BRAND_TAILS);
    if (usedBrands.has(brand)) continue;
    usedBrands.add(brand);
    return brand;
  }
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
