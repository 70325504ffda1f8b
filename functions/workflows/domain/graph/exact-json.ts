import type { Json } from './graph.ts';

/** A whole number that JSON's own numbers cannot hold. */
export class UnsafeNumber extends Error {
  override name = 'UnsafeNumber';
  readonly digits: string;
  readonly member: string;

  constructor(digits: string, member: string) {
    super(`${member || 'The value'} is ${digits}`);
    this.digits = digits;
    this.member = member;
  }
}

/**
 * Parses a JSON text. A whole number above 2^53 would silently become another one: `onUnsafe` returns its replacement.
 * @throws SyntaxError; UnsafeNumber without `onUnsafe`
 */
export function exactJson(text: string, onUnsafe?: (digits: string) => Json): Json {
  // The third argument has the number as it was written.
  return JSON.parse(text, ((member: string, value: unknown, { source }: { readonly source?: string }) => {
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
    if (!/^-?\d+$/.test(source) || BigInt(source) === BigInt(value)) return value;
    if (onUnsafe) return onUnsafe(source);
    throw new UnsafeNumber(source, member);
  }) as (this: unknown, key: string, value: unknown) => unknown) as Json;
}
