import { describe, expect, it } from 'vitest';
import { boundedJson, hasMoreValues, MAX_ESCAPES, TooMuchJson } from '../../../functions/shared/bounded-json.ts';
import { exactJson } from '../../../functions/workflows/domain/graph/exact-json.ts';

describe('JSON of unknown authors', () => {
  it.each([
    ['a list', `[${'1,'.repeat(20)}1]`],
    ['levels', `${'['.repeat(20)}${']'.repeat(20)}`],
    ['members', `{${Array.from({ length: 10 }, (_, i) => `"${i}":1`)}}`],
    ['empty objects', `[${'{},'.repeat(10)}{}]`],
  ])('is refused when it holds too many values: %s', (_case, text) => {
    expect(() => boundedJson(text, { maxValues: 19 })).toThrow(TooMuchJson);
    expect(boundedJson(text, { maxValues: 100 })).toEqual(JSON.parse(text));
  });

  it.each(['\\n', '\\"', '\\\\', '\\uac00'])('is refused when it holds too many escapes: %s', (sign) => {
    const text = (count: number) => `["${sign.repeat(count)}"]`;
    expect(() => boundedJson(text(MAX_ESCAPES + 1))).toThrow(TooMuchJson);
    expect(boundedJson(text(MAX_ESCAPES))).toEqual(JSON.parse(text(MAX_ESCAPES)));
  });

  it('may hold long strings with any characters', () => {
    const text = JSON.stringify({ a: `${',[{:'.repeat(50)}\\"${',"\\'.repeat(50)}` });
    expect(hasMoreValues(text, 3)).toBe(false);
    expect(boundedJson(text, { maxValues: 3 })).toEqual(JSON.parse(text));
  });
});

it('a whole number beyond all that JSON can hold is kept as its digits', () => {
  const digits = '9'.repeat(400);
  expect(exactJson(`{"a":${digits}}`, (each) => each)).toEqual({ a: digits });
  expect(() => exactJson(`{"a":${digits}}`)).toThrow(/a is 9/);
});
