import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { nameField } from '../../../../functions/shared/http/name-field.ts';

describe('a name', () => {
  it('holds every character but those that cannot be seen, and says so once', () => {
    const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    const schema = nameField(9);
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const { success, error } = schema.safeParse(`a${character}b`);
      if (success === hidden.test(character)) expect.fail(`U+${code.toString(16)}: ${success ? 'held' : 'refused'}`);
      if (!success && error.issues.length !== 1)
        expect.fail(`U+${code.toString(16)} is refused ${error.issues.length} times`);
    }
  });

  it('has a pattern that other languages know', () => {
    const { pattern } = z.toJSONSchema(nameField(9), { io: 'input' }) as { pattern: string };
    expect(pattern).not.toContain('\\p');
    expect(new RegExp(pattern).test('이름 name')).toBe(true);
  });
});
