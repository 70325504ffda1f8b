/**
 * `npm run rights -- test/http/chat`: runs tests, adds what the methods of stores send meanwhile to `lib/grants/store-rights.json`, and makes
 * `lib/grants/used-rights.json` anew: for each function the rights of the methods that its code can reach. Roles have no others.
 * Without tests it only does the latter, which is enough when a function begins to call a method that others call already.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../functions/routes.ts';
import { workers } from '../functions/workers.ts';
import known from '../lib/grants/store-rights.json' with { type: 'json' };
import type { Rights } from '../lib/grants/used-rights.ts';
import { repository } from '../lib/packaging/paths.ts';
import type { RecordedRight } from '../test/helpers/rights/record-rights.ts';
import { ownCode } from './rights/own-code.ts';
import { type Reached, reachable } from './rights/reachable.ts';
import { type StoreRights, usedBy, withRecorded } from './rights/store-rights.ts';

const files = process.argv.slice(2);
const reached = new Map<string, Reached>();
for (const [id, code] of await ownCode([...routes, ...workers])) reached.set(id, reachable(code));
const stores = withRecorded(known, files.length === 0 ? [] : recordedBy(files), reached);
write('store-rights.json', stores);
const used = Object.fromEntries([...reached].map(([id, names]) => [id, usedBy(id, names, stores)]));
write('used-rights.json', used);
console.log(`${Object.keys(stores).length} methods of stores, ${Object.keys(used).length} functions.`);

function recordedBy(tests: readonly string[]): readonly RecordedRight[] {
  const folder = mkdtempSync(join(tmpdir(), 'tripod-rights-'));
  try {
    const file = join(folder, 'recorded.jsonl');
    writeFileSync(file, '');
    const env = { ...process.env, RECORDED_RIGHTS: file };
    const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tests], {
      env,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`The tests ended with ${status}: nothing was entered.`);
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(file: string, rights: StoreRights | Rights): void {
  const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
  const sorted = Object.entries(rights)
    .sort(byName)
    .map(([name, actions]) => [name, Object.fromEntries(Object.entries(actions).sort(byName))]);
  writeFileSync(join(repository, 'lib/grants', file), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
