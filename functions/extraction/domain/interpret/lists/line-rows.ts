import type { DrugLine } from '../../drug-line.ts';
import { hasCompanyPrefix } from '../../master/drug-code.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import { NUMERIC_FIELDS } from '../../sheet-arithmetic.ts';
import type { ColumnAssignment } from '../columns/assign-columns.ts';
import { isCodeLike } from '../columns/column-evidence.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { looksNumeric, readingOf } from '../numbers/cell-values.ts';
import { isListEnd, isPartTitle } from './list-marks.ts';

/** Numbers in stamps and signatures are read less surely than this. */
const STRAY_CONFIDENCE = 0.6;
const NUMBERS = ['quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'] as const;

/** A code, or its legible part; a longer text by itself is not a code. */
const CODE = /^[^\p{Script=Hangul}]{6,13}$/u;
const MIN_CODE = 6;
/** Confidence of the reading of a pen's stroke or a rule without a number next to it. */
const UNREAD = 0.1;

/**
 * A code or a name with a number in its row, or enough numbers to prove a drug.
 * @param isNoted the row looks like a note: the letter and digits of a diagnosis may be read as six digits, but no name is a drug's.
 */
export function isLine(line: DrugLine, isNoted: boolean): boolean {
  if (isNoted && !looksLikeDrugName(line.drugName.value ?? '')) return false;
  const numbers = NUMBERS.filter((field) => line[field].value !== null).length;
  const code = line.drugCode.value ?? '';
  const isAlone = line.drugName.value === null && numbers === 0;
  const isCode = CODE.test(code) && !(isAlone && line.drugCode.confidence < UNREAD);
  const hasCode = isCode || (code.length >= MIN_CODE && numbers >= 1);
  return hasCode || (line.drugName.value !== null && numbers >= 1) || numbers >= 3;
}

/** The title of a part of the form, regardless of readings in its row. */
export function isTitle({ drugCode, drugName }: DrugLine): boolean {
  if (drugCode.value !== null || drugName.value === null) return false;
  return isPartTitle(drugName.value) || isTimeOfDay(drugName.value);
}

/** When to take the drugs, with boxes to tick that may be read as letters: `□ 아침 □ 점심`. */
const TIME_OF_DAY = /아침|점심|저녁|취침 ?전|자기 ?전|식전|식후|식간/g;
const MAX_BOXES = 4;

function isTimeOfDay(text: string): boolean {
  const rest = text.replace(TIME_OF_DAY, '');
  return rest !== text && (rest.match(/[\p{L}\p{N}]/gu)?.length ?? 0) <= MAX_BOXES && !looksLikeDrugName(text);
}

/**
 * Below a list, notes of a form on its drugs and fields: a repeated drug code, alone or before the word for a reason, or a text that is
 * not a drug's name; no number in the row is surely read.
 */
export function isRemark(line: DrugLine): boolean {
  const { drugCode, drugName } = line;
  if (drugName.value === null) return NUMBERS.every((field) => line[field].value === null);
  if (surelyRead(line).length > 0) return false;
  const isDrug = hasCompanyPrefix(drugCode.value ?? '') || looksLikeDrugName(drugName.value);
  return !isDrug || isListEnd(drugName.value);
}

function surelyRead(line: DrugLine): readonly (typeof NUMBERS)[number][] {
  return NUMBERS.filter((field) => line[field].value !== null && line[field].confidence >= STRAY_CONFIDENCE);
}

/** Pieces of rules and strokes read as letters here and there, but as no word. */
export function showsWord({ drugName }: DrugLine): boolean {
  return /\p{L}{2}/u.test(drugName.value ?? '');
}

/** Below the last code: a stamp, a signature, a closing phrase; numbers seen in it do not count. */
export function isStray(cells: readonly ReadCell[], line: DrugLine): boolean {
  return (
    surelyRead(line).length < 2 &&
    cells.every((cell) => !looksNumeric(cell) || readingOf(cell).confidence < STRAY_CONFIDENCE)
  );
}

/** Letters and digits that dirt and pieces of a rule are read as, at most. */
const MAX_SPECK = 2;
/**
 * Ink in one column of ours at most that reads as next to nothing, or in two, no more than half of them, that reads as nothing: dirt, a
 * stamp's edge, a shadow, pieces of a rule. A line has more, and one among the others may be struck through.
 * @param isBelow below the last code.
 */
export function isSpeck(cells: readonly ReadCell[], columns: ColumnAssignment, isBelow: boolean): boolean {
  const ours = new Set(columns.values());
  const inside = cells.filter(({ column, columnSpan }) => columnSpan > 1 || ours.has(column));
  const letters = inside.flatMap(({ text }) => text.text.match(/[\p{L}\p{N}]/gu) ?? []);
  if (inside.length <= 1)
    return letters.length <= MAX_SPECK || (isBelow && ours.size > 2 && inside[0]!.text.confidence < UNREAD);
  const isUnread = inside.every(({ text, numeral }) => text.text === '' && !numeral?.text);
  return isUnread && inside.length <= Math.min(2, ours.size / 2);
}

/** A diagnosis, words with a blank between them, or a text behind an asterisk. */
const NOTE = /^[A-Z]\d{2}(?:\.\d{1,3})?$|^\p{Script=Hangul}+ \P{Ps}|^[*※]\s*\p{L}/u;

/**
 * Order slips have diagnoses and remarks among the drugs: no ink where the others have numbers, and a number in the text or words that
 * never continue a name.
 */
export function isNote(cells: readonly ReadCell[], columns: ColumnAssignment): boolean {
  const numeric = NUMERIC_FIELDS.flatMap((field) => columns.get(field) ?? []);
  const fields = new Set(columns.values());
  if (numeric.length < 2 || cells.some((cell) => numeric.includes(cell.column) || isCodeLike(cell))) return false;
  return cells.some((cell) => NOTE.test(cell.text.text.trim()) || (looksNumeric(cell) && !fields.has(cell.column)));
}
