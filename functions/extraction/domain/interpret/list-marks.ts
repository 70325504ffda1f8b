import { editDistances } from '../text/edit-distance.ts';
import { toJamo } from '../text/jamo.ts';

/** Closes a part of a list; set wide, between dashes or stars, and with a letter misread, it still is. */
const PART_END = '이하여백';
const MAX_MISREAD = 2;
const NEXT_PART = /주사제?처방|원내조제|원외처방/;
/** Below these the list is over; the words may be set wide. */
const LIST_END = /사용기간|조제내역|조제시참고|참고사항|점검결과|중복처방|사유코드|DUR_/i;
/** Names of a list's parts: the rows below them go on in the same columns. */
const SECTION_NAME = /주사제?처방|내복|외용|원내조제|원외처방/;

/** Alone, perhaps in brackets. */
const PART_TITLE = /^[<[(【*※-]*(?:내복|외용|주사)[약제]?[>\])】*-]*$/;

/** Whether nothing follows but a part of the list with a title of its own. */
export function isPartEnd(text: string): boolean {
  const letters = text.match(/\p{Script=Hangul}/gu)?.join('') ?? '';
  if (letters.includes(PART_END)) return true;
  return letters.length === PART_END.length && misread(letters) <= MAX_MISREAD;
}

export function isNextPart(text: string): boolean {
  return NEXT_PART.test(bare(text));
}

export function isListEnd(text: string): boolean {
  return LIST_END.test(bare(text));
}

export function isSectionName(text: string): boolean {
  return SECTION_NAME.test(bare(text));
}

/** Whether a text is the title of a list's part or of what a form prints beside it, and can be no drug's name. */
export function isPartTitle(text: string): boolean {
  return isNextPart(text) || isListEnd(text) || PART_TITLE.test(bare(text));
}

function misread(letters: string): number {
  return editDistances(toJamo(letters), toJamo(PART_END)).whole;
}

function bare(text: string): string {
  return text.replace(/[\s.]/g, '');
}
