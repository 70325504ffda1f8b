import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadLine, ReadTable } from '../../reading/table-reader.ts';
import { endsInOpenBracket } from '../../text/open-bracket.ts';
import { codeOfLine } from '../codes/code-line.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { letterWidthOf } from '../names/name-end.ts';

/** Indications, warnings and advice are sentences; names have their ending within a word, too: 제니다민, 아세요정. */
const SENTENCE =
  /[입합됩습]니다|니다(?![가-힣])|세요(?![가-힣])|십시오|[마하]시오|[해어아]요[\s.!]*$|[한된]다[\s.!]*$|[다요오]\. /u;
/** Descriptions of its appearance: 흰색 원형 정제, 상하 녹색/흰색 캡슐. */
const LOOKS = /^(?:상하 ?)?\p{Script=Hangul}{1,4}색(?:의 |[ /,])/u;
/** Sentences, looks and the like behind a word that says so: 효능: 해열. */
const LABELLED =
  /^[[(<【]?(?:성분|효능|효과|약효|효능[·/, ]?효과|작용|주의|주의사항|복약안내|보관|보관방법|저장방법|모양|성상|부작용)[\])>】]?(?:\s*[:：-]|\s)/u;

/** Its ingredient in Latin letters: Ambroxol HCl 30mg, Nizatidine; and how it may be sold. */
const INGREDIENT =
  /^[A-Z][A-Za-z]{2}[A-Za-z .,'-]* \d[\d.,]*\s?(?:mg|g|mcg|㎎|㎍|mL|%|IU)|^[A-Z][a-z]{4}[A-Za-z ,'-]*$/;
const SOLD = /^(?:전문|일반)의약품$/;
/** When it is taken, and nothing else: → 아침·저녁 식후 30분. The 1회 of a header, below Dosage, says nothing of that. */
const TAKEN =
  /^(?=.*[가-힣])(?!1회$)(?:매일|매|식전|식후|식간|식사|직후|직전|즉시|취침|자기|전|후|아침|점심|저녁|필요시|공복|경구|복용|에|및|분|시간|회|\d|[→▶·ㆍ•*※☞>,~/\s-])+$/u;
/** How often, before more words on how: └ 1일 1회 새벽 공복에 복용. */
const HOW_OFTEN = /^[└ㄴ→\s]{0,3}(?:1일|하루|주)\s?\d{1,2}[회번]\s.{0,20}[가-힣]{2}/u;
/** Its maker in a separate line: [가나제약]. */
const MAKER = /^\[[^[\]\d]{2,14}\]$/;
/** A header of names that announces the texts below each: 약품명 (성분/제조사). */
const HEADS_MORE = /[([]\s?(?:주?성분|제조|제약|회사)/;

const REMARKS = [LOOKS, LABELLED, INGREDIENT, SOLD, TAKEN, HOW_OFTEN, MAKER];

/** Relative to the width of a name's letters: smaller print below is not part of it, unless it continues in brackets. */
const SMALL_PRINT = 0.82;
/** Minimum letters of a line for measuring its print size. */
const MIN_LETTERS = 4;

/** Whether a line says something about the drug that is named above it. */
export function isRemarkLine(text: string): boolean {
  return SENTENCE.test(text) || REMARKS.some((form) => form.test(text.trim()));
}

/**
 * Guides print indications, warnings and descriptions of a drug below its name, in the same cell: the name ends above the first such
 * line.
 */
export function withoutRemarkLines(table: ReadTable): ReadTable {
  const heads = table.cells.filter(({ text }) => HEADS_MORE.test(text.text));
  const cells = table.cells.map((cell) => {
    const { lines, column, row } = cell;
    const isMoreBelow = heads.some((head) => head.column === column && head.row < row);
    const isBelow = (above: readonly ReadLine[], index: number) =>
      isRemarkBelow(above, index) || (isMoreBelow && isWholeName(above.slice(0, index)));
    const at = lines?.findIndex((_, index) => index > 0 && isBelow(lines, index)) ?? -1;
    return at > 0 ? ofLines(cell, lines!.slice(0, at)) : cell;
  });
  return { ...table, cells };
}

/** Whether a name may end with these lines. */
function isWholeName(lines: readonly ReadLine[]): boolean {
  const text = lines.map((line) => line.text).join('');
  return looksLikeDrugName(text) && !endsInOpenBracket(text);
}

function isRemarkBelow(lines: readonly ReadLine[], index: number): boolean {
  if (codeOfLine(lines[index]!) !== null) return false;
  const above = lines.slice(0, index).map(({ text }) => text);
  if (isRemarkLine(lines[index]!.text)) return /\p{L}{2}/u.test(above.join(''));
  return looksLikeDrugName(above.join('')) && isSmallPrint(lines[index]!, lines[index - 1]!);
}

function isSmallPrint(line: ReadLine, above: ReadLine): boolean {
  const letters = line.text.match(/\p{L}/gu)?.length ?? 0;
  return (
    letters >= MIN_LETTERS && !/^[(_/[]/.test(line.text) && letterWidthOf(line) < SMALL_PRINT * letterWidthOf(above)
  );
}

function ofLines(cell: ReadCell, lines: readonly ReadLine[]): ReadCell {
  return { ...cell, lines, text: joinReadings(lines) };
}
