import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TruncatedOutput } from '../../../sandbox/runner/truncated-output.ts';

function truncated(chunks: readonly Buffer[], maxBytes: number): string {
  const output = new TruncatedOutput(maxBytes);
  for (const chunk of chunks) output.add(chunk);
  return output.text();
}

/** A text cut into chunks anywhere, within characters too. */
const chunked = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.array(fc.nat(400), { maxLength: 10 }))
  .map(([text, cuts]) => {
    const bytes = Buffer.from(text);
    const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
    return { text, bytes, chunks: places.slice(1).map((end, i) => bytes.subarray(places[i], end)) };
  });

describe('truncated output', () => {
  it('is all of it as long as it fits', () => {
    fc.assert(
      fc.property(chunked, ({ text, bytes, chunks }) => {
        expect(truncated(chunks, bytes.length + 2)).toBe(Buffer.from(text).toString('utf8'));
      }),
    );
  });

  it('is its start and its end otherwise, with whole characters and the number of bytes between', () => {
    fc.assert(
      fc.property(chunked, fc.integer({ min: 0, max: 100 }), ({ bytes, chunks }, maxBytes) => {
        const half = Math.floor(maxBytes / 2);
        fc.pre(bytes.length > 2 * half);
        const [, head = '', leftOut, tail = ''] =
          /^([\s\S]*)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n([\s\S]*)$/.exec(truncated(chunks, maxBytes)) ?? [];
        const [headBytes, tailBytes] = [Buffer.from(head), Buffer.from(tail)];
        expect(bytes.subarray(0, headBytes.length)).toEqual(headBytes);
        expect(bytes.subarray(bytes.length - tailBytes.length)).toEqual(tailBytes);
        expect(headBytes.length + tailBytes.length + Number(leftOut)).toBe(bytes.length);
        // No more than the rest of one character is lost at each cut.
        expect(headBytes.length).toBeGreaterThan(half - 4);
        expect(tailBytes.length).toBeGreaterThan(half - 4);
      }),
    );
  });
});
