/** Nine digits, the thirteen or eight of it, or an old code: a letter and digits. */
const CODE = String.raw`(?:\d{13}|\d{9}|\d{8}|[A-Z]\d{7,8})`;
/** Perhaps behind a serial number or an order code, or in brackets; the name right after it or none. */
const CODE_FIRST = new RegExp(String.raw`^(?:[\w.]{1,10}\)? )?[([]? ?(${CODE})(?!\d) ?[)\]]?[ .:/_-]*(.*)$`);
const CODE_LAST = new RegExp(String.raw`[ ([](${CODE})[)\]]?$`);

export interface CodeAndName {
  readonly code: string;
  /** Empty where the code stands alone. */
  readonly name: string;
}

/** Parts what one place prints into a code and a name; null where it shows no code. */
export function splitCodeAndName(print: string): CodeAndName | null {
  const text = print.replace(/\s+/g, ' ').trim();
  const first = CODE_FIRST.exec(text);
  if (first && (first[2] === '' || /\p{L}/u.test(first[2]!))) return { code: first[1]!, name: first[2]!.trim() };
  const last = CODE_LAST.exec(text);
  return last ? { code: last[1]!, name: text.slice(0, last.index).trim() } : null;
}
