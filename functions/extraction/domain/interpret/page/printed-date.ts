import type { Box, PageReading, ReadText } from '../../reading/table-reader.ts';

/** Year, month and day apart, so that no run of eight digits of a number passes for a date. */
const DATE = /(?<!\d)(?<year>20\d{2})\s?[년.\-/]\s?(?<month>\d{1,2})\s?[월.\-/]\s?(?<day>\d{1,2})(?!\d)/g;
const DIGIT = /\d/;
/** The number of a prescription follows the date on which it was issued: `2022 년 07 월 06 일 제 07618 호`. */
const ISSUE_NUMBER = /^\s?일?\s?[-~]?\s?제\s?\d{2,13}\s?호/;
const LABEL =
  /교부\s?(?:번호|연월일|년월일|일)|처방\s?(?:일자|연월일|년월일)|조제\s?(?:일자|연월일|년월일)|진료\s?일자?|투약\s?일자|내원\s?일자?|발행\s?일자?/;
/** The digits of a date must be read this surely, all together. */
const MIN_CONFIDENCE = 0.8;

/**
 * A sheet's day of issue (ISO): the only date next to its label or before the number of the prescription. Null if none is read surely, or
 * several differ: a screen lists the visits of a month.
 * @param today ISO; later dates are misread.
 */
export function printedDate({ texts, tables }: Pick<PageReading, 'texts' | 'tables'>, today: string): string | null {
  const prints: ReadText[] = [
    ...texts,
    ...tables.flatMap(({ cells }) => cells.map(({ text, box }) => ({ ...text, box }))),
  ];
  const labels = prints.filter(({ text }) => LABEL.test(text));
  const found = new Set(
    prints.flatMap((print) =>
      datesOf(print)
        .filter(({ isIssue, date }) => date <= today && (isIssue || labels.some((label) => isLabelOf(label, print))))
        .map(({ date }) => date),
    ),
  );
  return found.size === 1 ? [...found][0]! : null;
}

function datesOf({ text, confidence, letters }: ReadText): readonly { date: string; isIssue: boolean }[] {
  return [...text.matchAll(DATE)].flatMap((match) => {
    const { year, month, day } = match.groups!;
    const date = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
    const end = match.index + match[0].length;
    const isDigit = (at: number) => at >= match.index && at < end && DIGIT.test(text[at]!);
    const chance = letters
      ? letters.filter((_, at) => isDigit(at)).reduce((product, one) => product * one, 1)
      : confidence;
    const isDay = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) ?? false;
    return isDay && chance >= MIN_CONFIDENCE ? [{ date, isIssue: ISSUE_NUMBER.test(text.slice(end)) }] : [];
  });
}

/** A label is in the same print, or level with it to the left and closer than a label's length. */
function isLabelOf(label: ReadText, print: ReadText): boolean {
  if (label === print) return true;
  const gap = print.box.x - (label.box.x + label.box.width);
  return gap >= -label.box.height && gap <= label.box.width && isLevel(label.box, print.box);
}

function isLevel(a: Box, b: Box): boolean {
  const common = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return common > Math.min(a.height, b.height) / 2;
}
