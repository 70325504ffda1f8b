/**
 * `npm run bench parsers [-- --seconds 60] [--parser documents] [--seed text]`: feeds each parser of strangers' texts with bombs and damaged
 * texts by HTTP, from four workspaces, and measures another one's `GET /balance` meanwhile. Exits with 1 where its p99, without waits for a
 * processor, is over 250 ms, an answer fails, the service ends, or keeps 200 MB more than before.
 */
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startFuzzedService } from '../test/fuzz/service.ts';
import { wholeNumber } from './arguments.ts';
import { Random } from './corpus/random.ts';
import { registered } from './local-service.ts';
import { ATTACKS, type Attack, type Attacker } from './parsers/attacks.ts';
import type { Answers } from './parsers/measure.ts';

const MAX_P99_MS = 250;
const MAX_KEPT_MB = 200;
const ATTACKERS = 4;
/** For memory to be given back. */
const EBB_MS = 30_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: 'parsers' },
    parser: { type: 'string', default: '' },
  },
});
const seconds = wholeNumber(values.seconds, '--seconds');

const service = await startFuzzedService();
try {
  const victim = await registered(service.url, 'victim');
  console.log(`${seconds} s each; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  const quiet = await measured(victim.apiKey, () => sleep(5_000));
  const before = await residentMb();
  console.log(
    `quiet: p50 ${at(quiet.ownMs, 0.5)} ms, p99 ${at(quiet.ownMs, 0.99)} ms (on the clock ${at(quiet.tookMs, 0.99)}); ${before} MB\n`,
  );
  console.log(
    ['parser', 'inputs', 'statuses', 'p50 ms', 'p99 ms', 'max ms', 'p99 by the clock', 'failed', 'MB', 'MB after'].join(
      ' | ',
    ),
  );
  const attackers: Attacker[] = [];
  for (let n = 0; n < ATTACKERS; n++) attackers.push(await registered(service.url, `attacker-${n}`));
  for (const parser of Object.keys(ATTACKS))
    if (parser.includes(values.parser)) await row(parser, attackers, victim.apiKey, before);
} finally {
  await service.end();
}
// The servers that attackers had are still open.
process.exit();

async function row(parser: string, attackers: readonly Attacker[], key: string, before: number): Promise<void> {
  const attacks = await Promise.all(attackers.map((attacker) => ATTACKS[parser]!(attacker, service)));
  const startedMb = await residentMb();
  const statuses: number[] = [];
  let peakMb = 0;
  const answers = await measured(key, async () => {
    const untilMs = Date.now() + seconds * 1_000;
    const sampling = setInterval(async () => {
      peakMb = Math.max(peakMb, await residentMb());
    }, 500);
    await Promise.all(attacks.map((attack, n) => attacked(attack, `${parser}/${n}`, untilMs, statuses)));
    clearInterval(sampling);
  });
  let afterMb = await residentMb();
  const allowedMb = Math.max(before, startedMb) + MAX_KEPT_MB;
  for (let waited = 0; waited < EBB_MS && afterMb > allowedMb; waited += 1_000) {
    await sleep(1_000);
    afterMb = await residentMb();
  }
  const isKept = Number(at(answers.ownMs, 0.99)) <= MAX_P99_MS && answers.failed === 0 && afterMb <= allowedMb;
  if (!isKept) process.exitCode = 1;
  const counted = Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => `${all!.length} × ${status}`);
  const times = [0.5, 0.99, 1].map((share) => at(answers.ownMs, share));
  const figures = [...times, at(answers.tookMs, 0.99), answers.failed, peakMb, afterMb, isKept ? 'ok' : 'MISSED'];
  console.log([parser, statuses.length, counted.join(' '), ...figures].join(' | '));
}

async function attacked(attack: Attack, attacker: string, untilMs: number, statuses: number[]): Promise<void> {
  for (let n = 0; Date.now() < untilMs; n++) {
    const random = new Random(`${values.seed}/${attacker}/${n}`);
    const status = await attack.send(await attack.next(random));
    statuses.push(status);
    if (status === 429 || status === 503 || status === 0) await sleep(200);
  }
}

async function measured(key: string, during: () => Promise<unknown>): Promise<Answers> {
  const worker = new Worker(new URL('parsers/measure.ts', import.meta.url), {
    workerData: { url: service.url, key, pid: service.pid },
  });
  const answers = new Promise<Answers>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await during();
  worker.postMessage('end');
  return answers;
}

/** Of the service's process, without its readers and runners. @throws where it has ended */
async function residentMb(): Promise<number> {
  const text = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(text)![1]) / 1024);
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN).toFixed(0);
}
