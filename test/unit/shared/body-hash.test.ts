import { describe, expect, it } from 'vitest';
import { bodyHash } from '../../../functions/shared/idempotency/body-hash.ts';

describe('the hash of a body', () => {
  it('does not depend on how a body was written', () => {
    const written = ['{"image":"AA==","templateId":"default"}', '{ "templateId" : "default",\n "image":"AA\\u003d=" }'];
    const [first, second] = written.map((text) => bodyHash(JSON.parse(text)));
    expect(first).toBe(second);
    expect(first).not.toBe(bodyHash({ image: 'AA==', templateId: 'other' }));
  });

  it('sees the order of a list, and not that of members, at every depth', () => {
    expect(bodyHash({ a: [{ b: 1, c: 2 }] })).toBe(bodyHash({ a: [{ c: 2, b: 1 }] }));
    expect(bodyHash({ a: [1, 2] })).not.toBe(bodyHash({ a: [2, 1] }));
  });
});
