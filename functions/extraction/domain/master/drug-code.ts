/**
 * A printed drug code, prepared for look-up. The 9-digit insurance code is digits 4 to 12 of the 13-digit standard code (880, company
 * 4, item 5, check digit); a spreadsheet may have eaten its leading zero.
 */
export interface DrugCode {
  /** The code under which the master knows the drug. */
  readonly lookup: string;
  readonly form: 'insurance' | 'standard' | 'zero-restored' | 'other';
  /** GS1 check digit of a standard code; null where the form has none. */
  readonly checkDigitHolds: boolean | null;
}

const STANDARD_CODE = /^880\d{10}$/;

export function toDrugCode(printed: string): DrugCode {
  const code = printed.replace(/[\s-]/g, '').toUpperCase();
  if (STANDARD_CODE.test(code))
    return {
      lookup: code.slice(3, 12),
      form: 'standard',
      checkDigitHolds: gs1CheckDigit(code.slice(0, 12)) === code[12],
    };
  if (/^\d{9}$/.test(code)) return { lookup: code, form: 'insurance', checkDigitHolds: null };
  if (/^\d{8}$/.test(code)) return { lookup: `0${code}`, form: 'zero-restored', checkDigitHolds: null };
  return { lookup: code, form: 'other', checkDigitHolds: null };
}

/** Modulo-10 check digit of GS1: weights 3 and 1 from the right. */
export function gs1CheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}

/** A letter and digits, as codes were before they had nine of these. */
export function isOldCode(text: string): boolean {
  return /^[A-Z]\d{7,8}$/i.test(text.replace(/\s/g, ''));
}

/** As many digits as codes have today, or with those of a standard code around them. */
export function isWholeCode(text: string): boolean {
  return /^(?:\d{9}|\d{13})$/.test(text);
}

/** The 9 digits that carry the company, inside the ranges that are given to makers. */
export function hasCompanyPrefix(code: string): boolean {
  const digits = code.replace(/\D/g, '');
  if (digits.length === 13 && !digits.startsWith('880')) return false;
  const nine = digits.length === 13 ? digits.slice(3, 12) : digits.padStart(9, '0');
  const company = Number(nine.slice(0, 4));
  return (
    nine.length === 9 &&
    ((company >= 500 && company <= 999) || (company >= 6200 && company <= 6299) || (company >= 6400 && company <= 6999))
  );
}
