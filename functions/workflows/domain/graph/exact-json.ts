import { boundedJson } from '../../../shared/bounded-json.ts';
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
  return boundedJson(text, {
    revive(member, value, { source }) {
      if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
      if (!/^-?\d+$/.test(source) || isExact(source, value)) return value;
      if (onUnsafe) return onUnsafe(source);
      throw new UnsafeNumber(source.slice(0, MAX_DIGITS), member);
    },
  }) as Json;
}

/** No number of JSON has more; comparing longer ones takes quadratic time. */
const MAX_DIGITS = 310;

function isExact(source: string, value: number): boolean {
  return source.length <= MAX_DIGITS && Number.isFinite(value) && BigInt(source) === BigInt(value);
}
