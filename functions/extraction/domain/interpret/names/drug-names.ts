import type { TextField } from '../../drug-line.ts';
import { endsInOpenBracket } from '../../text/open-bracket.ts';

const DRUG_NAME =
  /(?:정|캡슐|캅셀|시럽|주사?|연고|크림|액|산|과립|패취|패치|플라스타|겔|로션|흡입)[^\p{L}\p{N}]?(?:\d|$|\()|\d\s*(?:mg|㎎|mL|㎖|mcg|밀리|그램)/iu;

/** Words of food law: drugs are taken or given, food is eaten. `1일 섭취량: 1정` names no drug. */
const OF_FOOD = /섭취|건강기능식품|영양성분|영양정보/;

/** Whether a text ends in the form of a drug, or shows a strength. */
export function looksLikeDrugName(text: string): boolean {
  return DRUG_NAME.test(text) && !OF_FOOD.test(text);
}

/** Mark of a company with limited liability before or behind its name. */
export const COMPANY_MARK = /\([주유]\)/g;
const COMPANY = /^\([주유]\)|\([주유]\)$/;

/** Whether a line is the name of a company, as suppliers print them below the names of drugs. */
export function isCompany(text: string): boolean {
  return COMPANY.test(text.trim());
}

/** Marks that no name starts with: misreadings of a rule, a frame or dirt next to it. */
const STRAY_MARK = /[\s._·•:;,…~—–"“”'‘’`|\\○◯●□■◆◇◈▶▷►※*-]/;
/** Marks that no name ends with, either. Where a column cuts it, it may end in a comma, a point or a dash. */
const LAST_MARK = /[\s`|\\○◯●□■◆◇◈▶▷►※]/;
/** A bracket at the end that closes none. */
const CLOSES_NONE = /^[^([]*[)\]]$/;
/** A bracket before the name that closes none, or that a blank parts from what it would hold; a slash there is a pen's tick. */
const HOLDS_NONE = /^[)\]/]|^[([]\s/;
/** An arrow points to how the drug is taken. */
const ARROW = /[→⇒▶]/;
/** A bracket behind a blank that nothing follows may be the next column's rule. */
const LAST_BRACKET = /\s[([{]$/;
/** Confidence below which such a bracket is one. */
const SURELY_READ = 0.9;

/** A name without the marks around it. */
export function withoutStrayMarks(field: TextField): TextField {
  const { value, letters, rivals } = field;
  if (value === null) return field;
  const pointer = value.search(ARROW);
  // In brackets an arrow describes how an extract is made: (5~7.5→1).
  const arrow = endsInOpenBracket(value.slice(0, Math.max(0, pointer))) ? -1 : pointer;
  const endsInRule = LAST_BRACKET.test(value) && (letters?.at(-1) ?? 1) < SURELY_READ;
  let [from, to] = [0, arrow > 0 ? arrow : endsInRule ? value.length - 1 : value.length];
  if (CLOSES_NONE.test(value)) to--;
  while (from < to && (STRAY_MARK.test(value[from]!) || HOLDS_NONE.test(value.slice(from, from + 2)))) from++;
  while (to > from && LAST_MARK.test(value[to - 1]!)) to--;
  if (from === to || to - from === value.length) return field;
  const text = value.slice(from, to);
  return {
    ...field,
    value: text,
    text,
    ...(letters && { letters: letters.slice(from, to) }),
    ...(rivals && { rivals: rivals.slice(from, to) }),
  };
}
