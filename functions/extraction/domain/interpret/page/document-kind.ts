import type { DocumentType } from '../../extraction.ts';
import type { TableField } from '../../reading/template.ts';
import { lettersOfLines, scoreOf, type WeighedWord } from './page-words.ts';

/** The kind of a page, finer than its document type. */
export type DocumentKind =
  | 'prescription'
  | 'edi_claim'
  | 'order_screen'
  | 'pharmacy_guide'
  | 'drug_list'
  | 'hospital_bill'
  | 'insurance_claim'
  | 'receipt'
  | 'business_registration'
  | 'other';

type WordedKind = Exclude<DocumentKind, 'drug_list' | 'other'>;

/** Words that such a document prints, with what each says. */
const WORDS: Record<WordedKind, readonly WeighedWord[]> = {
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
  // The form for the patient's insurer names the papers to hand in with it: bills, receipts, prescriptions.
  insurance_claim: [
    ['보험금청구', 4],
    ['피보험자', 2],
    ['구비서류', 2],
    ['청구사유', 2],
    ['타사가입', 2],
    ['실손의료', 1],
    ['수익자', 1],
    ['증권번호', 1],
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
const WITHOUT_DRUGS: readonly WordedKind[] = [
  'business_registration',
  'insurance_claim',
  'hospital_bill',
  'receipt',
  'prescription',
];

/** Whether texts say by themselves that they come from a document that lists drugs. */
export function namesDrugDocument(texts: readonly string[]): boolean {
  return likeliest(texts, WITH_DRUGS) !== null;
}

/**
 * The kind of document by the texts around a drug table.
 * @param otherwise the kind of lists without amounts whose texts are inconclusive.
 */
export function kindWithDrugs(
  texts: readonly string[],
  columns: ReadonlySet<TableField>,
  otherwise: DocumentKind = 'drug_list',
): DocumentKind {
  const kind = likeliest(texts, WITH_DRUGS);
  if (kind !== null) return kind;
  return columns.has('totalAmount') ? 'edi_claim' : otherwise;
}

/** The kind of document by texts without a drug table. */
export function kindWithoutDrugs(texts: readonly string[]): DocumentKind {
  return likeliest(texts, WITHOUT_DRUGS) ?? 'other';
}

/** The coarser document type of the API for a kind without drugs. */
export function documentTypeOf(kind: DocumentKind): DocumentType {
  if (kind === 'hospital_bill' || kind === 'receipt') return 'receipt';
  return kind === 'business_registration' ? kind : 'other';
}

function likeliest(texts: readonly string[], kinds: readonly WordedKind[]): WordedKind | null {
  const lines = lettersOfLines(texts);
  let best: WordedKind | null = null;
  let highest = ENOUGH - 1;
  for (const kind of kinds) {
    const found = scoreOf(lines, WORDS[kind]);
    if (found > highest) [best, highest] = [kind, found];
  }
  return best;
}
