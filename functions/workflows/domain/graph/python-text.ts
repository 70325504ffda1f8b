import type { Json, JsonObject } from './graph.ts';

/** A value as Python prints it inside a list: texts in quotes, True, False and None. */
export function pythonText(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map((each: Json) => pythonText(each)).join(', ')}]`;
  const members = Object.entries(value as JsonObject).map(([name, each]) => `${quoted(name)}: ${pythonText(each)}`);
  return `{${members.join(', ')}}`;
}

/** A value as Python writes it as JSON: with a space after commas and colons. */
export function pythonJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each: Json) => pythonJson(each)).join(', ')}]`;
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonJson(each as Json)}`);
  return `{${members.join(', ')}}`;
}

/** A text in Python's quotes. */
export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
}
