import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { nameField } from '../../../../functions/shared/http/name-field.ts';

const field = nameField(10);
const { pattern = '', minLength = 0, maxLength = 0 } = z.toJSONSchema(field, { io: 'input' });

function isValidByDocument(text: string): boolean {
  return new RegExp(pattern).test(text) && text.length >= minLength && text.length <= maxLength;
}

describe('a name', () => {
  it('holds every character but those that cannot be seen, and says so once', () => {
    const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const { success, error } = field.safeParse(`a${character}b`);
      if (success === hidden.test(character)) expect.fail(`U+${code.toString(16)}: ${success ? 'held' : 'refused'}`);
      if (!success && error.issues.length !== 1)
        expect.fail(`U+${code.toString(16)} is refused ${error.issues.length} times`);
    }
  });

  it('has a pattern that other languages know', () => {
    expect(pattern).not.toContain('\\p');
  });

  it.each(['김약국', ' a b ', 'a', '(주)가나'])('may be %j, as the document says', (name) => {
    expect([field.safeParse(name).success, isValidByDocument(name)]).toEqual([true, true]);
  });

  it.each([
    ['', 'must not be empty'],
    [' ', 'must not be empty'],
    ['\u3000 ', 'must not be empty'],
    ['a\nb', 'must hold no line breaks or other control characters'],
    ['a'.repeat(11), 'must have at most 10 characters'],
    [` ${'a'.repeat(10)}`, 'must have at most 10 characters'],
  ])('is never %j, which the document says too', (name, reason) => {
    expect(field.safeParse(name).error?.issues.map(({ message }) => message)).toEqual([reason]);
    expect(isValidByDocument(name)).toBe(false);
  });

  it('is as long as people see it: macOS writes each syllable in two or three parts', () => {
    expect(field.parse('가나다라마바사아자차'.normalize('NFD'))).toBe('가나다라마바사아자차');
  });
});
