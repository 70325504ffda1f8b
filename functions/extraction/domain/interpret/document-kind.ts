import type { DocumentType } from '../extraction.ts';
import type { TableField } from '../reading/template.ts';
import { editDistances } from '../text/edit-distance.ts';
import { toJamo } from '../text/jamo.ts';

/** What a page is, finer than its document type. */
export type DocumentKind =
  | 'prescription'
  | 'edi_claim'
  | 'order_screen'
  | 'pharmacy_guide'
  | 'drug_list'
  | 'hospital_bill'
  | 'receipt'
  | 'business_registration'
  | 'other';

type WordedKind = Exclude<DocumentKind, 'drug_list' | 'other'>;

/** Words that such a document prints, with what each says. */
const WORDS: Record<WordedKind, readonly (readonly [string, number])[]> = {
  prescription: [
    ['처방전', 3],
    ['처방의약품의명칭', 2],
    ['질병분류기호', 2],
    ['조제시참고사항', 2],
    ['주사제처방', 2],
    ['의약품조제내역', 2],
    ['교부번호', 1],
    ['사용기간', 1],
    ['요양기관기호', 1],
    ['면허번호', 1],
    ['원외처방', 1],
  ],
  edi_claim: [
    ['청구명세서', 3],
    ['요양급여비용', 2],
    ['상병내역', 2],
    ['진료내역', 2],
    ['특정내역', 2],
    ['청구구분', 2],
    ['청구액', 1],
    ['명세서', 1],
    ['처방내역', 1],
    ['줄번호', 1],
    ['보험코드', 1],
    ['청구코드', 1],
    ['본인부담금', 1],
  ],
  order_screen: [
    ['오더', 2],
    ['처방입력', 2],
    ['처방화면', 2],
    ['처방조회', 2],
    ['수진자', 1],
    ['차트번호', 1],
    ['환자번호', 1],
    ['진료과', 1],
  ],
  pharmacy_guide: [
    ['복약안내', 3],
    ['복약지도', 3],
    ['조제약복약', 2],
    ['약제비계산서', 2],
    ['복용방법', 1],
    ['주의사항', 1],
    ['효능', 1],
    ['약국', 1],
    ['조제일자', 1],
  ],
  hospital_bill: [
    ['진료비계산서', 4],
    ['진료비영수증', 4],
    ['진료비세부', 3],
    ['진찰료', 2],
    ['입원료', 2],
    ['처치및수술료', 2],
    ['영상진단', 1],
    ['검사료', 1],
    ['비급여', 1],
    ['공단부담금', 1],
    ['본인부담금', 1],
  ],
  business_registration: [
    ['사업자등록증', 4],
    ['개업연월일', 2],
    ['개업년월일', 2],
    ['사업장소재지', 2],
    ['법인등록번호', 2],
    ['사업의종류', 2],
    ['세무서장', 2],
    ['등록번호', 1],
    ['법인명', 1],
    ['대표자', 1],
    ['업태', 1],
    ['종목', 1],
  ],
  receipt: [
    ['영수증', 3],
    ['매출전표', 3],
    ['승인번호', 2],
    ['카드번호', 2],
    ['신용카드', 2],
    ['받은금액', 2],
    ['거스름돈', 2],
    ['부가세', 1],
    ['과세물품', 1],
    ['공급가액', 1],
    ['가맹점', 1],
    ['현금', 1],
    ['카드', 1],
    ['합계', 1],
    ['결제', 1],
    ['메뉴', 1],
    ['테이블', 1],
    ['감사합니다', 1],
  ],
};
const ENOUGH = 3;
const WITH_DRUGS: readonly WordedKind[] = ['prescription', 'edi_claim', 'order_screen', 'pharmacy_guide'];
/** In order of rank: the first of those that score alike. */
const WITHOUT_DRUGS: readonly WordedKind[] = ['business_registration', 'hospital_bill', 'receipt', 'prescription'];

/** What kind of document texts with a drug table come from. */
export function kindWithDrugs(texts: readonly string[], columns: ReadonlySet<TableField>): DocumentKind {
  const kind = likeliest(texts, WITH_DRUGS);
  if (kind !== null) return kind;
  return columns.has('totalAmount') ? 'edi_claim' : 'drug_list';
}

/** What kind of document texts without a drug table come from. */
export function kindWithoutDrugs(texts: readonly string[]): DocumentKind {
  return likeliest(texts, WITHOUT_DRUGS) ?? 'other';
}

/** The coarser document type of the API for a kind without drugs. */
export function documentTypeOf(kind: DocumentKind): DocumentType {
  if (kind === 'hospital_bill' || kind === 'receipt') return 'receipt';
  return kind === 'business_registration' ? kind : 'other';
}

function likeliest(texts: readonly string[], kinds: readonly WordedKind[]): WordedKind | null {
  const lines = texts.map((text) => text.normalize('NFKC').replace(/[^\p{L}]/gu, '')).filter((line) => line.length > 1);
  let best: WordedKind | null = null;
  let highest = ENOUGH - 1;
  for (const kind of kinds) {
    const found = score(lines, kind);
    if (found > highest) [best, highest] = [kind, found];
  }
  return best;
}

function score(lines: readonly string[], kind: WordedKind): number {
  return WORDS[kind].reduce(
    (sum, [word, weight]) => sum + (lines.some((line) => mentions(line, word)) ? weight : 0),
    0,
  );
}

/** Whether a line holds the word, one letter in six misread. */
function mentions(line: string, word: string): boolean {
  if (line.includes(word)) return true;
  if (word.length < 3) return false;
  const letters = toJamo(word);
  const allowed = Math.floor(letters.length / 6);
  const syllables = new Set(word);
  for (let start = 0; start + word.length <= line.length; start++) {
    const part = line.slice(start, start + word.length);
    // A letter that is misread changes two syllables at most: most parts need no comparison.
    let same = 0;
    for (const syllable of part) if (syllables.has(syllable)) same++;
    if (same < word.length - 2 * allowed) continue;
    if (editDistances(letters, toJamo(part)).whole <= allowed) return true;
  }
  return false;
}
