import { editDistances } from '../../text/edit-distance.ts';
import { toJamo } from '../../text/jamo.ts';

/** Closes a part of a list; set wide, between dashes or stars, and with a letter misread, it still is. */
const PART_END = '이하여백';
/** Its last syllable may be read as a unit: 이하 여㎎. */
const WITHOUT_LAST = '이하여';
/** In letters of the alphabet. */
const MAX_MISREAD = 2;
const NEXT_PART = /주사제?처방|원내조제|원외처방/;
/** Below these the list is over; the words may be set wide. */
const LIST_END = /사용기간|조제내역|조제시참고|참고사항|점검결과|중복처방|사유코드|DUR_/i;
/** One of them that stands alone, and is long enough to be known with a letter misread. */
const REMARKS_TITLE = '동일성분중복처방사유';
/** Titles of a list's parts: the rows below them continue in the same columns. */
const SECTION_NAME = /주사제?처방|내복|외용|원내조제|원외처방/;
/** How a drug is given, behind its name. */
const BEHIND_NAME = /(?<=[\p{L}\p{N})\]])\((?:내복|외용)\)/gu;

/** Alone, perhaps in brackets. */
const PART_TITLE = /^[<[(【*※-]*(?:내복|외용|주사)[약제]?[>\])】*-]*$/;

/** Whether a line is the title of a section, which may be printed in the cell of the name below or above it; round brackets may hold the end of a name. */
export function isSectionTitle(text: string): boolean {
  return /^[<[【]/.test(text) && PART_TITLE.test(bare(text));
}

/** Whether only a titled part of the list can follow. */
export function isPartEnd(text: string): boolean {
  const syllables = text.match(/\p{Script=Hangul}/gu)?.join('') ?? '';
  return syllables.includes(PART_END) || syllables === WITHOUT_LAST || isLike(text, PART_END);
}

/** Whether a text is a piece of the phrase, as where a column's border cuts it. */
export function isPieceOfPartEnd(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.join('') ?? '';
  return letters !== '' && PART_END.includes(letters);
}

export function isNextPart(text: string): boolean {
  return NEXT_PART.test(bare(text));
}

export function isListEnd(text: string): boolean {
  return LIST_END.test(bare(text)) || isLike(text, REMARKS_TITLE);
}

export function isSectionName(text: string): boolean {
  return SECTION_NAME.test(bare(text).replace(BEHIND_NAME, ''));
}

/** Whether a text is the title of a list's part or of a form's other fields, and cannot be a drug's name. */
export function isPartTitle(text: string): boolean {
  return isNextPart(text) || isListEnd(text) || PART_TITLE.test(bare(text));
}

/** Whether a text is the title, but for a letter or two. */
function isLike(text: string, title: string): boolean {
  const read = text.match(/[\p{L}\p{N}]/gu)?.join('') ?? '';
  return read.length === title.length && editDistances(toJamo(read), toJamo(title)).whole <= MAX_MISREAD;
}

function bare(text: string): string {
  return text.replace(/[\s.]/g, '');
}
