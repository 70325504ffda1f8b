/**
 * `npm run bench drug-list`: the costs of the drug list. The shipped list's cold load and memory, in a separate process; suggestions for lines
 * with one digit of the code damaged; `npm run master:import` of each published form, in its exact shape with invented drugs.
 *
 *     npm run bench drug-list -- --rows 30000 --lines 2000
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { loadMaster } from '../functions/adapters/drug-master/master-bytes.ts';
import { SHIPPED_MASTER } from '../functions/adapters/drug-master/shipped-master.ts';
import { suggestCode } from '../functions/extraction/domain/judging/suggest-code.ts';
import { priceInForce } from '../functions/extraction/domain/master/price-history.ts';
import { drugLine } from '../test/helpers/drug-table.ts';
import { publishedForms } from '../test/helpers/published-lists.ts';
import { wholeNumber } from './arguments.ts';
import { Random } from './corpus/random.ts';
import { listedDrugs } from './listed-drugs.ts';

const IMPORT = fileURLToPath(new URL('../bin/master-import.ts', import.meta.url));
const BARS = { loadMs: 60, memoryMb: 40, right: 95, wrong: 0.5, suggestMs: 5, importSeconds: 5 };
const LOADS = 5;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '30000' },
    lines: { type: 'string', default: '2000' },
    'load-only': { type: 'boolean', default: false },
  },
});

if (values['load-only']) await load();
else {
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
  await coldLoads();
  await suggestions(wholeNumber(values.lines, '--lines'));
  await imports(wholeNumber(values.rows, '--rows'));
}

/** Prints the time and the memory of one load as JSON. */
async function load(): Promise<void> {
  const bytes = readFileSync(SHIPPED_MASTER);
  const before = used();
  const from = performance.now();
  const master = await loadMaster(bytes);
  const ms = performance.now() - from;
  master.find('640000010');
  console.log(JSON.stringify({ ms, mb: (used() - before) / 2 ** 20 }));
}

function used(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function coldLoads(): Promise<void> {
  const loads: { ms: number; mb: number }[] = [];
  for (let i = 0; i < LOADS; i++) {
    const args = ['--expose-gc', fileURLToPath(import.meta.url), '--load-only'];
    loads.push(JSON.parse((await promisify(execFile)(process.execPath, args)).stdout));
  }
  const ms = loads.map((each) => each.ms);
  const mb = Math.max(...loads.map((each) => each.mb));
  print('cold load, best to worst of five', `${Math.min(...ms).toFixed(0)}–${Math.max(...ms).toFixed(0)} ms`, [
    Math.max(...ms) <= BARS.loadMs,
    `${BARS.loadMs} ms`,
  ]);
  print('memory of the loaded list', `${mb.toFixed(1)} MB`, [mb <= BARS.memoryMb, `${BARS.memoryMb} MB`]);
}

/** Lines as the list prints them, except for one digit of the code; without a price as guides and prescriptions have none. */
async function suggestions(lines: number): Promise<void> {
  const master = await loadMaster(readFileSync(SHIPPED_MASTER));
  const date = master.info.version;
  const listed = (await listedDrugs()).filter(({ prices }) => priceInForce(prices, date)?.listed === true);
  for (const priced of [true, false]) {
    const random = new Random('suggestions');
    let [right, wrong] = [0, 0];
    const times: number[] = [];
    while (times.length < lines) {
      const drug = random.pick(listed);
      const at = random.int(0, drug.code.length - 1);
      const digit = (Number(drug.code[at]) + random.int(1, 9)) % 10;
      const drugCode = `${drug.code.slice(0, at)}${digit}${drug.code.slice(at + 1)}`;
      if (master.find(drugCode)) continue;
      const unitPrice = priced ? (priceInForce(drug.prices, date)?.krw ?? null) : null;
      const line = drugLine({ drugCode, drugName: drug.name, unitPrice });
      const from = performance.now();
      const suggested = suggestCode(line, master, date);
      times.push(performance.now() - from);
      if (suggested === drug.code) right += 1;
      else if (suggested !== null) wrong += 1;
    }
    times.sort((a, b) => a - b);
    const shares = [(100 * right) / lines, (100 * wrong) / lines] as const;
    print(
      `suggestions, one digit damaged, ${priced ? 'with' : 'without'} a price`,
      `${shares[0].toFixed(1)} % right, ${shares[1].toFixed(2)} % wrong`,
      [shares[0] >= BARS.right && shares[1] <= BARS.wrong, `${BARS.right} and ${BARS.wrong} %`],
    );
    const [p50, p99] = [times[Math.floor(lines / 2)]!, times[Math.floor(lines * 0.99)]!];
    print('  time of one', `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} ms`, [
      p99 <= BARS.suggestMs,
      `${BARS.suggestMs} ms`,
    ]);
  }
}

async function imports(rows: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tripod-drug-list-'));
  try {
    for (const [form, file] of Object.entries(publishedForms)) {
      const { name, bytes } = file(rows);
      writeFileSync(join(directory, name), bytes);
      const from = performance.now();
      const args = [IMPORT, name, '--date', '2026-09-01', '--data-dir', form.replace(/\W/g, '-'), '--force'];
      // A form that says its own dates refuses --date.
      const run = (given: readonly string[]) => promisify(execFile)(process.execPath, given, { cwd: directory });
      await run(form.startsWith('the monthly') ? args : args.toSpliced(2, 2));
      const seconds = (performance.now() - from) / 1000;
      print(`import of ${form}, ${rows} rows`, `${seconds.toFixed(1)} s`, [
        seconds <= BARS.importSeconds,
        `${BARS.importSeconds} s`,
      ]);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function print(what: string, figure: string, [met, bar]: readonly [boolean, string]): void {
  console.log(`${what.padEnd(66)} ${figure.padEnd(30)} bar ${bar}: ${met ? 'met' : 'missed'}`);
  if (!met) process.exitCode = 1;
}
