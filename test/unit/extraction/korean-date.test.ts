import { expect, it } from 'vitest';
import { koreanDate } from '../../../functions/extraction/domain/korean-date.ts';

it('a day starts at midnight in Korea', () => {
  expect(koreanDate(Date.parse('2026-12-31T14:59:59.999Z'))).toBe('2026-12-31');
  expect(koreanDate(Date.parse('2026-12-31T15:00:00Z'))).toBe('2027-01-01');
});
