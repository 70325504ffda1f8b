import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyHash, canonicalJson } from '../../../functions/shared/idempotency/canonical-json.ts';

describe('canonical JSON', () => {
  it('sorts members at every depth and keeps the order of lists', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }, 'ü'], a: undefined, A: true })).toBe(
      '{"A":true,"b":[{"c":null,"d":1},"ü"]}',
    );
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('does not depend on how a body was written', () => {
    const written = ['{"image":"AA==","templateId":"default"}', '{ "templateId" : "default",\n "image":"AA\\u003d=" }'];
    const [first, second] = written.map((text) => bodyHash(JSON.parse(text)));
    expect(first).toBe(second);
    expect(first).not.toBe(bodyHash({ image: 'AA==', templateId: 'other' }));
  });
});
