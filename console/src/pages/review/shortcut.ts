/**
 * The key of a shortcut. Where the input method writes other letters, as Hangul, the place on the keyboard decides; where it writes Latin ones
 * in another order, the letter does.
 */
export function shortcutOf({ key, code }: { readonly key: string; readonly code: string }): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}
