import type { EnvironmentVariable, Json } from '../graph/graph.ts';

/** Ends a mark. What comes from outside is freed of it, so that only a reference to a secret makes one. */
const END = '\u2060]';
const MARK = /\[secret:([\p{L}\p{N}_-]{1,64})\u2060\]/gu;

/** Replaces a secret in stored and shown values; the value itself is inserted for the node that uses it. */
export function secretMark(name: string): string {
  return `[secret:${name}${END}`;
}

/** True for a value that refers to a secret. */
export function hasMark(value: Json): boolean {
  return JSON.stringify(value).includes(END);
}

/** A value with its marks replaced. */
export function withSecrets<T extends Json>(value: T, secrets: ReadonlyMap<string, string>): T {
  if (typeof value === 'string') {
    if (!value.includes(END)) return value;
    return value.replace(MARK, (mark, name: string) => secrets.get(name) ?? mark) as T & string;
  }
  if (Array.isArray(value)) return value.map((each: Json) => withSecrets(each, secrets)) as unknown as T;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withSecrets(each as Json, secrets)]),
    ) as T;
  return value;
}

/** A value from outside, in which nothing is taken for a mark. */
export function withoutMarks<T>(value: T): T {
  const text = JSON.stringify(value);
  return text?.includes(END) ? (JSON.parse(text.replaceAll(END, ']')) as T) : value;
}

export function secretsOf(environment: readonly EnvironmentVariable[] = []) {
  return environment.filter((variable) => variable.type === 'secret');
}
