import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bounded, MAX_ENCODED_BYTES } from '../../../functions/sandbox/domain/bounded-output.ts';

const MB = 1024 * 1024;
const encoded = (outputs: unknown) => Buffer.byteLength(JSON.stringify(outputs));

it('outputs that fit stay unchanged, also short ones with long ones', () => {
  const small = { stdout: 'a\n', stderr: '' };
  expect(bounded([small])).toEqual([small]);
  const long = { stdout: 'x'.repeat(2 * MB), stderr: 'y'.repeat(4 * MB) };
  const [first, second] = bounded([small, long]);
  expect(first).toEqual(small);
  expect(second?.stdout).toBe(long.stdout);
  expect(second?.stderr).toMatch(/^y+\n\[\.\.\. \d+ bytes left out \.\.\.\]\ny+$/);
});

it.each([
  ['control characters', '\u0001'],
  ['line breaks', '\n'],
  ['quotation marks', '"'],
  ['Korean', '한'],
  ['characters of two units', '😀'],
])('ten outputs of %s are an answer that Lambda can give', (_, sign) => {
  const text = sign.repeat(Math.floor(MB / Buffer.byteLength(sign)));
  const outputs = bounded(Array.from({ length: 10 }, () => ({ stdout: text, stderr: text })));
  expect(encoded(outputs)).toBeLessThan(MAX_ENCODED_BYTES + 64 * 1024);
  for (const { stdout } of outputs) expect(stdout.isWellFormed()).toBe(true);
});

it('for any text, the size is kept and the omission is counted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 300, maxLength: 1000 }), (text) => {
      const stdout = bounded([{ stdout: text, stderr: '' }], 300)[0]?.stdout ?? '';
      expect(encoded(stdout)).toBeLessThanOrEqual(310);
      const [head = '', left = '', tail = ''] = stdout.split(/\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n/);
      expect(Buffer.byteLength(head) + Number(left) + Buffer.byteLength(tail)).toBe(Buffer.byteLength(text));
    }),
  );
});

it('what the runner has left out before is counted too', () => {
  const text = `${'a'.repeat(1000)}\n[... 500 bytes left out ...]\n${'b'.repeat(1000)}`;
  const stdout = bounded([{ stdout: text, stderr: '' }], 400)[0]?.stdout ?? '';
  const kept = stdout.replaceAll(/[^ab]/g, '').length - 'byteslefa'.length;
  expect(Number(/(\d+) bytes/.exec(stdout)?.[1])).toBeGreaterThan(2000 + 500 - kept - 100);
  expect(stdout.match(/left out/g)).toHaveLength(1);
});
