/**
 * Resident registration numbers (주민등록번호, 외국인등록번호): a date of birth, and seven digits, whose first encodes century and sex. No
 * letter or digit is adjacent. Barcodes of Korean drugs (8806…) contain no such date. Every part has a fixed length: the time is linear
 * in the text's length.
 */
const NUMBER =
  /(?<![0-9A-Za-z])(\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(\s?[-‐-―−]\s?|\s?)\d{7}(?![0-9A-Za-z])/g;

/** The text with the last seven digits of resident registration numbers masked: `900101-*******`. */
export function maskResidentNumbers(text: string): string {
  return text.replace(NUMBER, (_number, birth: string, dash: string) => `${birth}${dash || '-'}*******`);
}

/** All texts in a value of JSON masked, but for contents of files: `data:` addresses. */
export function maskedTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return (value.startsWith('data:') ? value : maskResidentNumbers(value)) as Value;
  if (Array.isArray(value)) return value.map(maskedTexts) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskedTexts(each)])) as Value;
}
