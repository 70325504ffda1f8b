/** In half-width letters: Hangul is twice as wide as Latin. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letter.codePointAt(0)! >= 0x1100 ? 2 : 1;
  return width;
}
