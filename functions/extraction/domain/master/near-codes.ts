const DIGITS = [...'0123456789'];
const CODE_LENGTH = 9;

/** Codes that differ from a nine-digit one in a single digit. */
export function codesOneDigitAway(code: string): readonly string[] {
  return [...code].flatMap((own, at) =>
    DIGITS.filter((digit) => digit !== own).map((digit) => code.slice(0, at) + digit + code.slice(at + 1)),
  );
}

/** Nine-digit codes that one misreading or slip of typing away are `code`: a digit changed, lost or doubled, or two neighbours swapped. */
export function codesOneSlipAway(code: string): readonly string[] {
  if (!/^\d+$/.test(code)) return [];
  const places = [...code].map((_, at) => at);
  if (code.length === CODE_LENGTH)
    return [
      ...codesOneDigitAway(code),
      ...places.slice(1).map((at) => code.slice(0, at - 1) + code[at] + code[at - 1] + code.slice(at + 1)),
    ];
  if (code.length === CODE_LENGTH - 1)
    return [...places, code.length].flatMap((at) => DIGITS.map((digit) => code.slice(0, at) + digit + code.slice(at)));
  if (code.length === CODE_LENGTH + 1) return places.map((at) => code.slice(0, at) + code.slice(at + 1));
  return [];
}
