/** A configured value as a person types it: JSON where it reads as JSON, otherwise a text. */
export function typedValue(text: string): unknown {
  const trimmed = text.trim();
  if (!/^(?:[[{"]|-?\d|true$|false$|null$)/.test(trimmed) || trimmed.startsWith('{{')) return text;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return text;
  }
}

/** The text that `typedValue` makes the value of. */
export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  return typedValue(value) === value ? value : JSON.stringify(value);
}
