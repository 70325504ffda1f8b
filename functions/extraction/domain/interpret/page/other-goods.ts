import type { DrugLine, DrugTable } from '../../drug-line.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import { namesDrugDocument } from './document-kind.ts';
import { isKnownCode } from './drug-evidence.ts';
import { lettersOfLines, scoreOf, type WeighedWord } from './page-words.ts';

/**
 * Words of papers about goods that are taken, given or counted like drugs. Food law speaks of intake where drug law speaks of doses, and
 * feed law of feeding. The heaviest are required by law and on no guide.
 */
const GOODS: Readonly<Record<'food' | 'feed' | 'cosmetics', readonly WeighedWord[]>> = {
  food: [
    ['영양기능정보', 4],
    ['영양성분기준치', 4],
    ['식품유형', 4],
    ['원재료명', 4],
    ['섭취시주의사항', 2],
    ['의약품이아닙니다', 4],
    ['건강기능식품', 1],
    ['일섭취량', 2],
    ['회섭취량', 2],
    ['섭취방법', 2],
    ['섭취횟수', 2],
    ['영양정보', 2],
    ['소비기한', 1],
    ['유통기한', 1],
  ],
  feed: [
    ['배합사료', 4],
    ['보조사료', 4],
    ['사료관리법', 4],
    ['의약품이아닙니다', 4],
    ['회급여량', 2],
    ['일급여량', 2],
    ['급여횟수', 2],
    ['급여방법', 1],
  ],
  cosmetics: [
    ['화장품책임판매', 4],
    ['기능성화장품', 2],
    ['전성분', 2],
  ],
};
/** More than the advice of a guide says: to take supplements apart, to keep to a daily intake. */
const ENOUGH = 4;

/** Words that papers of drugs print at their lists: no label has them, though it may mention drugs taken at the same time. */
const OF_DRUGS: readonly WeighedWord[] = [
  '투약량',
  '투여량',
  '투여횟수',
  '투약횟수',
  '투약일수',
  '투여일수',
  '약품명',
  '약품코드',
  '보험코드',
  '조제일',
  '조제약',
  '약봉투',
].map((word) => [word, 1]);

/** Whether a page is about other goods than drugs, as the label of a food supplement: its doses and days are not a drug table. */
function isAboutOtherGoods(texts: readonly string[]): boolean {
  const lines = lettersOfLines(texts);
  if (!Object.values(GOODS).some((words) => scoreOf(lines, words) >= ENOUGH)) return false;
  return scoreOf(lines, OF_DRUGS) === 0 && !namesDrugDocument(texts);
}

/** Whether they show a code of the list, or the page is not about other goods. */
export function areOfDrugs(tables: readonly DrugTable[], texts: readonly string[], known: KnownDrugs): boolean {
  const isKnown = ({ drugCode }: DrugLine) => isKnownCode(drugCode.value, known);
  return tables.some(({ lines }) => lines.some(isKnown)) || !isAboutOtherGoods(texts);
}
