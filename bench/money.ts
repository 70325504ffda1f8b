/**
 * Plays answers at a price in random orders of all their steps, with keys, sessions, applications, crashes and repetitions, and compares
 * the answers with the charges.
 *
 *   npm run bench money -- --seeds 100000 --from 1
 */
import { parseArgs } from 'node:util';
import { checkInterleaving } from '../test/helpers/money/interleaving.ts';

const { seeds, from } = parseArgs({
  options: { seeds: { type: 'string', default: '100000' }, from: { type: 'string', default: '1' } },
}).values;
const [first, count] = [Number(from), Number(seeds)];
const totals = { interleavings: 0, answers: 0, charges: 0, differences: 0 };
for (let seed = first; seed < first + count; seed++) {
  totals.interleavings++;
  try {
    const { answers, charges } = await checkInterleaving(seed);
    totals.answers += answers;
    totals.charges += charges;
  } catch (error) {
    totals.differences++;
    console.error(`seed ${seed}: ${(error as Error).message}`);
  }
}
console.log(JSON.stringify(totals));
process.exitCode = totals.differences === 0 ? 0 : 1;
