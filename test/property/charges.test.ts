import { expect, it } from 'vitest';
import { checkInterleaving } from '../helpers/money/interleaving.ts';

const SEEDS = 1_500;

it('any order of keys, sessions, applications, crashes and repetitions: every answer at a price has its charge, and no other is made', async () => {
  const seen = { answers: 0, charges: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { answers, charges } = await checkInterleaving(seed).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
    });
    seen.answers += answers;
    seen.charges += charges;
  }
  // Walks in which everything is refused would prove nothing.
  expect(seen.answers).toBeGreaterThan(SEEDS);
  expect(seen.charges).toBeGreaterThan(SEEDS);
}, 60_000);
