import type { DocumentType } from '../extraction.ts';
import type { TableField } from '../reading/template.ts';
import { editDistances } from '../text/edit-distance.ts';
import { toJamo } from '../text/jamo.ts';

type TextKind = Extract<DocumentType, 'business_registration' | 'receipt'>;

/** What a page is, finer than its document type. */
export type DocumentKind = 'prescription' | 'edi_claim' | TextKind | 'other';

/** Words that only such a document prints, with what each says. */
const WORDS: Record<TextKind, readonly (readonly [string, number])[]> = {
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
  ],
};
const ENOUGH = 3;

/** Claims state amounts, prescriptions do not. */
export function kindWithDrugs(columns: ReadonlySet<TableField>): DocumentKind {
  return columns.has('unitPrice') || columns.has('totalAmount') ? 'edi_claim' : 'prescription';
}

/** What kind of document texts without a drug table come from. */
export function typeWithoutDrugs(texts: readonly string[]): TextKind | 'other' {
  const lines = texts.map((text) => text.normalize('NFKC').replace(/[^\p{L}]/gu, '')).filter((line) => line.length > 1);
  const registration = score(lines, 'business_registration');
  const receipt = score(lines, 'receipt');
  if (Math.max(registration, receipt) < ENOUGH) return 'other';
  return registration >= receipt ? 'business_registration' : 'receipt';
}

function score(lines: readonly string[], kind: TextKind): number {
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
  for (let start = 0; start + word.length <= line.length; start++)
    if (editDistances(letters, toJamo(line.slice(start, start + word.length))).whole <= allowed) return true;
  return false;
}
