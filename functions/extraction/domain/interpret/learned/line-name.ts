import type { TextField } from '../../drug-line.ts';
import { partOf } from '../../reading/reading-parts.ts';
import type { Reading } from '../../reading/table-reader.ts';

/** A bullet, a number of the line or its payer before a name: `■`, `①`, `2.`, `[비급여]`. A digit behind a point belongs to the name: 0.9%. */
const MARKS =
  /^\s*(?:(?:[*@●○■□◆◇▶▷◎★☆·]|[①-⑳]|\d{1,2}[.)](?!\d)|[([<]?(?:비급여|급여|비|급|보험|보)[)\]>])\s*)+(?=\S{2})/u;

/** A name in one print or several, in reading order, without the marks before it. */
export function nameField(names: readonly Reading[]): TextField {
  const [first, ...others] = names.map(withoutMarks);
  if (!first) return { value: null, text: '', confidence: 1 };
  if (others.length === 0) return textField(first);
  const all = [first, ...others];
  const text = all.map((name) => name.text).join('');
  return { value: text, text, confidence: Math.min(...all.map((name) => name.confidence)) };
}

export function textField({ text, confidence, letters, rivals, unreadEnd }: Reading): TextField {
  return {
    value: text,
    text,
    confidence,
    ...(letters && { letters }),
    ...(rivals && { rivals }),
    ...(unreadEnd !== undefined && { unreadEnd }),
  };
}

function withoutMarks(name: Reading, index: number): Reading {
  const end = index === 0 ? (MARKS.exec(name.text)?.[0].length ?? 0) : 0;
  return end === 0 ? name : partOf(name, end, name.text.length);
}
