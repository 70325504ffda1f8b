/**
 * `npm run bench simulator`: random graphs with all kinds of nodes, run under random schedules with failures, stale events and restarts
 * from the record, and compared with a naive interpreter. The first difference ends it, with its seed.
 *
 *     npm run bench simulator -- --runs 20000 --from 1
 */
import { parseArgs } from 'node:util';
import { checkSeed, Seen } from '../test/helpers/workflows/simulator/check-seed.ts';
import { wholeNumber } from './arguments.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, from: { type: 'string', default: '1' } },
});
const runs = wholeNumber(values.runs, '--runs');
const from = wholeNumber(values.from, '--from');
const seen = new Seen();
for (let seed = from; seed < from + runs; seed++) {
  try {
    checkSeed(seed, seen);
  } catch (error) {
    throw new Error(`Seed ${seed} ends differently.`, { cause: error });
  }
}
const { succeeded, failed, cancelled, restarts } = seen;
console.log(
  `${runs} graphs from seed ${from} equal the naive interpreter: ${succeeded} succeeded, ${failed} failed, ` +
    `${cancelled} were cancelled; ${restarts} restarts from the record.`,
);
const types = [...seen.types].toSorted(([, a], [, b]) => b - a).map(([type, count]) => `${type} ${count}`);
console.log(`Nodes that succeeded: ${types.join(', ')}.`);
