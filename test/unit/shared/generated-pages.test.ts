import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ERROR_ADVICE } from '../../../bin/documents/error-advice.ts';
import { errorCodes } from '../../../bin/documents/errors.ts';
import { generatedPages } from '../../../bin/documents/pages.ts';
import { koreanError } from '../../../functions/shared/http/korean-problem.ts';
import { KOREAN_ERRORS } from '../../../functions/shared/http/korean-texts.ts';
import { latinSentences } from '../../helpers/latin-sentences.ts';

it.each(Object.entries(generatedPages))(
  'docs/%s.md is as the source has it: npm run docs writes it',
  async (name, page) => {
    expect(await readFile(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')).toBe(page());
  },
);

it('bin/documents/error-advice.ts says for every error code what a client does', () => {
  expect([...errorCodes().keys()].filter((code) => !(code in ERROR_ADVICE))).toEqual([]);
});

it('functions/shared/http/korean-texts.ts has a text for every error code, and none for another', () => {
  const known = new Set([...errorCodes().keys(), 'processing_failed']);
  expect([...known].filter((code) => koreanError(code) === null)).toEqual([]);
  expect(Object.keys(KOREAN_ERRORS).filter((code) => !known.has(code))).toEqual([]);
  expect(Object.values(KOREAN_ERRORS).flatMap((text) => latinSentences(text))).toEqual([]);
});
