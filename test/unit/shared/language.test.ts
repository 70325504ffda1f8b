import { expect, it } from 'vitest';
import { preferredLanguage } from '../../../functions/shared/language.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['ko', 'ko'],
  ['ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7', 'ko'],
  ['en-US,en;q=0.9,ko;q=0.8', 'en'],
  ['fr, ko;q=0.4', 'ko'],
  ['en;q=0.2, KO;q=0.4', 'ko'],
  ['ko;q=0', 'en'],
  ['ko;q=none', 'en'],
  ['kok', 'en'],
] as const)('the header %j prefers %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
