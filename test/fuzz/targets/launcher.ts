import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../../bench/corpus/random.ts';
import { Finding } from '../finding.ts';
import type { FuzzTarget } from '../target.ts';

const LAUNCHER = fileURLToPath(new URL(`../../../sandbox/launcher/launch-linux-${process.arch}`, import.meta.url));
/** User, processors, memory, data, file bytes, processes, entries, Landlock, pipe, memory group, directory; then what may be read. */
const ARGUMENTS = [
  '-',
  '1',
  '67108864',
  '134217728',
  '1048576',
  '100',
  '1000',
  '0',
  '-',
  '-',
  '/nonexistent',
  '/usr',
  '--',
  '--',
];
const STRANGE = [
  '',
  '-',
  '--',
  '-1',
  '0',
  '00',
  '1e9',
  '18446744073709551615',
  '18446744073709551616',
  'x',
  '/',
  '..',
  '😀',
];
const TIMEOUT_MS = 10_000;
/** The report's line where nothing was started. There is no run directory: that holds for all arguments. */
const NOT_STARTED = /^E /m;

/** Arguments that no runner gives. */
export const launcher: FuzzTarget = {
  name: 'launcher',
  async start() {
    return {
      async input(random: Random) {
        const list = ARGUMENTS.map((argument) => (random.chance(0.15) ? strange(random) : argument));
        const cut = random.chance(0.3) ? list.slice(0, random.int(0, list.length)) : [...list, '/bin/true'];
        return Buffer.from(JSON.stringify(cut));
      },
      async attempt(input) {
        const { signal, error, output } = spawnSync(LAUNCHER, JSON.parse(input.toString()), {
          timeout: TIMEOUT_MS,
          stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
          encoding: 'utf8',
        });
        if (error || signal !== null) throw new Finding(`The launcher ended with ${error ?? signal}.`);
        if (!NOT_STARTED.test(output[3] ?? ''))
          throw new Finding(`The launcher did not refuse, but reported: ${output[3]}`);
      },
    };
  },
};

function strange(random: Random): string {
  return random.chance(0.1) ? 'a'.repeat(random.int(1, 5_000)) : random.pick(STRANGE);
}
