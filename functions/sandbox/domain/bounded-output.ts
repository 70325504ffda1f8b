import type { Output } from './output.ts';

/** An answer of Lambda may have 6 MB. In JSON a control character is six bytes. */
export const MAX_ENCODED_BYTES = 5 * 1024 * 1024;

/**
 * Trims outputs so that together they take at most `maxBytes` in JSON. Short streams stay whole; longer ones lose their middle, replaced
 * by a line that gives the number of bytes.
 */
export function bounded<T extends Output>(outputs: readonly T[], maxBytes = MAX_ENCODED_BYTES): readonly T[] {
  const sizes = outputs.flatMap(({ stdout, stderr }) => [encodedBytes(stdout), encodedBytes(stderr)]);
  // Files are whole or somewhere else; their share is bounded before.
  const left = maxBytes - outputs.reduce((sum, output) => sum + fileBytes(output), 0);
  if (sizes.reduce((sum, size) => sum + size, 0) <= left) return outputs;
  const share = fairShare(sizes, left);
  return outputs.map((output) => ({
    ...output,
    stdout: shortened(output.stdout, share),
    stderr: shortened(output.stderr, share),
  }));
}

function fileBytes({ outputs }: Output): number {
  return outputs?.files.reduce((sum, { base64 = '' }) => sum + base64.length, 0) ?? 0;
}

/** The largest size that all may have. */
function fairShare(sizes: readonly number[], maxBytes: number): number {
  let left = maxBytes;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return maxBytes;
}

const MARK_BYTES = 64;

function shortened(text: string, maxBytes: number): string {
  if (encodedBytes(text) <= maxBytes) return text;
  const half = Math.max(0, (maxBytes - MARK_BYTES) / 2);
  let start = 0;
  for (let bytes = 0; start < text.length; start += 1) {
    bytes += encodedUnitBytes(text.charCodeAt(start));
    if (bytes > half) break;
  }
  let end = text.length;
  for (let bytes = 0; end > start; end -= 1) {
    bytes += encodedUnitBytes(text.charCodeAt(end - 1));
    if (bytes > half) break;
  }
  // A character of two units stays whole, or goes.
  if (isHighSurrogate(text.charCodeAt(start - 1))) start -= 1;
  if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end += 1;
  const middle = text.slice(start, end);
  const before = Number(LEFT_OUT.exec(middle)?.[1] ?? 0);
  return `${text.slice(0, start)}\n[... ${Buffer.byteLength(middle) + before} bytes left out ...]\n${text.slice(end)}`;
}

/** The runner's own truncation marker. */
const LEFT_OUT = /\n\[\.\.\. (\d{1,12}) bytes left out \.\.\.\]\n/;

function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

function encodedUnitBytes(unit: number): number {
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 2 : 6;
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x800) return 2;
  // Half of a pair's four bytes. Alone it is escaped, but that is rare.
  return isHighSurrogate(unit) || isLowSurrogate(unit) ? 2 : 3;
}

const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);
const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000;
