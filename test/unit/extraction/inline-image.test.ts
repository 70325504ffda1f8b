import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeInlineImage, MAX_IMAGE_BYTES } from '../../../functions/extraction/domain/inline-image.ts';

const png = Buffer.from('89504e470d0a1a0a00', 'hex');

describe('an inline image', () => {
  it('comes bare, as a data: URL, broken into lines, or without its padding', () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, i) => (i * 37) % 256);
    const base64 = Buffer.from(bytes).toString('base64');
    const forms = [
      base64,
      `data:image/png;base64,${base64}`,
      `DATA:image/svg+xml;charset=utf-8;BASE64,${base64}`,
      `data:;base64,${base64}`,
      base64.replace(/(.{76})/g, '$1\r\n'),
      base64.replace(/=+$/, ''),
    ];
    for (const form of forms) expect(Buffer.from(decodeInlineImage(form))).toEqual(Buffer.from(bytes));
  });

  it('of any bytes comes back byte by byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        expect(Uint8Array.from(decodeInlineImage(Buffer.from(bytes).toString('base64')))).toEqual(bytes);
      }),
    );
  });

  it.each([
    ['', 'empty'],
    ['data:image/png;base64,', 'empty'],
    ['   ', 'empty'],
    ['not base64!', 'not base64'],
    [`${png.toString('base64')}*`, 'not base64'],
    ['https://example.com/page.png', 'not base64'],
    ['AAAAA', 'not base64'],
    ['A===', 'not base64'],
    ['=AAA', 'not base64'],
    ['_-_-', 'not base64'],
    ['data:image/png,abc', 'without base64 content'],
    ['data:image/png;base64', 'without base64 content'],
    [`data:${'x'.repeat(1000)};base64,AAAA`, 'without base64 content'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => decodeInlineImage(text)).toThrow(message);
  });

  it('is taken exactly if encoding its bytes again gives the same text, white space and padding aside', () => {
    const sign = fc.constantFrom(...'AAAABCwxyz019+/=-_ \n*가');
    fc.assert(
      fc.property(fc.string({ unit: sign, minLength: 1, maxLength: 40 }), (text) => {
        const unpadded = text.replace(/\s+/g, '').replace(/={1,2}$/, '');
        const again = Buffer.from(unpadded, 'base64').toString('base64').replace(/=+$/, '');
        if (unpadded !== '' && again === unpadded)
          expect(Buffer.from(decodeInlineImage(text))).toEqual(Buffer.from(unpadded, 'base64'));
        else expect(() => decodeInlineImage(text)).toThrow();
      }),
      { numRuns: 20_000 },
    );
  });

  it('may have 18 MB, and not a byte more', () => {
    const largest = randomBytes(MAX_IMAGE_BYTES);
    expect(decodeInlineImage(largest.toString('base64'))).toHaveLength(MAX_IMAGE_BYTES);
    const larger = Buffer.concat([largest, Buffer.alloc(1)]).toString('base64');
    expect(() => decodeInlineImage(larger)).toThrow('18 MB');
  });
});
