import { describe, expect, it } from 'vitest';
import { presentedKey } from '../../../functions/shared/http/authentication.ts';

describe('the key of a request', () => {
  it.each([
    [{ 'x-api-key': 'tpk_a' }, 'tpk_a'],
    [{ 'x-api-key': ' tpk_a ' }, 'tpk_a'],
    [{ authorization: 'Bearer tpk_a' }, 'tpk_a'],
    [{ authorization: 'bearer  tpk_a' }, 'tpk_a'],
    [{ 'x-api-key': 'tpk_a', authorization: 'Bearer tpk_b' }, 'tpk_a'],
    [{ authorization: 'Basic dHBrOmE=' }, null],
    [{ authorization: 'tpk_a' }, null],
    [{ authorization: 'Bearer ' }, null],
    [{ 'x-api-key': '' }, null],
    [{}, null],
  ])('of %j is %j', (headers, key) => {
    expect(presentedKey(headers as Record<string, string>)).toBe(key);
  });
});
