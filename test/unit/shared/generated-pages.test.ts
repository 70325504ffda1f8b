import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ERROR_ADVICE } from '../../../bin/documents/error-advice.ts';
import { errorCodes } from '../../../bin/documents/errors.ts';
import { generatedPages } from '../../../bin/documents/pages.ts';

it.each(Object.entries(generatedPages))(
  'docs/%s.md is as the source has it: npm run docs writes it',
  async (name, page) => {
    expect(await readFile(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')).toBe(page());
  },
);

it('bin/documents/error-advice.ts has advice for every error code, and for no other', () => {
  expect(Object.keys(ERROR_ADVICE).toSorted()).toEqual([...errorCodes().keys()]);
});
