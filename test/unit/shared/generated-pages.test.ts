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

it('bin/documents/error-advice.ts says for every error code what a client does', () => {
  expect([...errorCodes().keys()].filter((code) => !(code in ERROR_ADVICE))).toEqual([]);
});
