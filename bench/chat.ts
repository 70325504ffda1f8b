/**
 * `npm run bench chat [-- --rounds 200] [--streams 200] [--against http://127.0.0.1:4000/v1 --against-key …] [--upstream-port 4100]`: what the
 * service adds to a model provider, in one run with the provider itself: time to the first byte, time for each token, many
 * streams at once with the memory that they take. The provider is a script on loopback; with `--against` another proxy before
 * the same one (its model "bench") is measured in turn. Ends with 1 where a bar is missed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from './arguments.ts';
import { type ChatTarget, type Script, type TimedStream, timedStream } from './chat/chat-stream.ts';
import { endProcess, type LocalService, readyUrl, startLocalService } from './local-service.ts';

const BARS = { p50: 6, p95: 15, tokenMs: 0.2, growth: 1.2 };
/** A provider's own time to its first token: short, so that it hides nothing. */
const FIRST: Script = { firstMs: 5, tokens: 3, restMs: 0 };
const RELAYED: Script = { firstMs: 0, tokens: 5_000, restMs: 0 };
/** As a quick model writes. */
const MANY: Script = { firstMs: 5, tokens: 500, restMs: 20 };
const WARM_UP = 30;
/** Limits are for people's programs; tokens are taken all the same. */
const LIMITS = { CHAT_LIMIT_PER_MINUTE: '60000', CHAT_LIMIT_BURST: '60000' };
/** Streams at once, in a comparison with another proxy. */
const AT_ONCE = 20;
const RATIO_BARS = new Map([
  [1, 0.4],
  [AT_ONCE, 0.2],
]);

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    streams: { type: 'string', default: '200' },
    against: { type: 'string' },
    'against-key': { type: 'string' },
    'upstream-port': { type: 'string', default: '0' },
  },
});
const rounds = wholeNumber(values.rounds, '--rounds');
const streams = wholeNumber(values.streams, '--streams');

const upstream = spawn(process.execPath, ['bench/chat/upstream.ts', values['upstream-port']], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let service: LocalService | undefined;
try {
  const upstreamUrl = `${await readyUrl(upstream)}/v1`;
  service = await startLocalService(['--expose-gc', '--import', './bench/chat/collect-garbage.ts'], LIMITS);
  const bare: ChatTarget = { url: upstreamUrl, headers: {}, model: 'bench' };
  const ours = await applicationOf(service, upstreamUrl);
  const { against, 'against-key': key } = values;
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const other = against === undefined ? [] : [{ ...bare, url: against, headers }];
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `${rounds} rounds; ${cpus().length} cores, load ${load}: on a busy machine the figures are worth little\n`,
  );

  for (const atOnce of other.length === 0 ? [1] : [1, AT_ONCE]) await compareFirstBytes([bare, ours, ...other], atOnce);

  const perToken = await relayPerToken(bare, ours);
  console.log(`relay per token ${perToken.toFixed(4)} ms (bar ${BARS.tokenMs})`);
  check(perToken <= BARS.tokenMs, 'relay per token');

  await manyStreams(ours, service.pid);
} finally {
  await Promise.all([endProcess(upstream as ChildProcess), service?.end()]);
}
process.exit();

/** An application before the upstream. */
async function applicationOf({ url, apiKey }: LocalService, base_url: string): Promise<ChatTarget> {
  const model = { provider: 'openai-compatible', name: 'bench', base_url, api_key: 'sk-bench' };
  const response = await fetch(`${url}/api/v1/applications`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', type: 'chat', config: { model } }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return { url: `${url}/api/v1/chat/${data.id}`, headers: { 'x-api-key': apiKey }, model: 'bench' };
}

/** Prints what the service adds to the first byte of concurrent streams, and how that compares to another proxy. */
async function compareFirstBytes(targets: readonly ChatTarget[], atOnce: number): Promise<void> {
  const [alone, ours, other] = (await firstBytes(targets, atOnce)).map((all) => ({
    p50: percentile(all, 50),
    p95: percentile(all, 95),
  }));
  const over = ({ p50, p95 }: Percentiles) => ({ p50: p50 - alone!.p50, p95: p95 - alone!.p95 });
  const added = over(ours!);
  console.log(`${atOnce} at once`);
  print('first byte, provider alone', alone!);
  print('first byte added', added, atOnce === 1 ? BARS : undefined);
  if (atOnce === 1) check(added.p50 <= BARS.p50 && added.p95 <= BARS.p95, 'first byte added');
  if (other === undefined) return;
  const byOther = over(other);
  print('first byte added by the other proxy', byOther);
  const [p50, p95] = [added.p50 / byOther.p50, added.p95 / byOther.p95];
  const bar = RATIO_BARS.get(atOnce)!;
  console.log(`ours over the other proxy's   p50 ${p50.toFixed(2)} x   p95 ${p95.toFixed(2)} x (bar ${bar})`);
  check(p50 <= bar && p95 <= bar, 'first byte over the other proxy');
}

/** Times to the first byte of each target, taken in turn, of concurrent streams. */
async function firstBytes(targets: readonly ChatTarget[], atOnce: number): Promise<number[][]> {
  const agents = targets.map(() => new Agent({ keepAlive: true }));
  const times: number[][] = targets.map(() => []);
  for (let round = -WARM_UP; round < Math.ceil(rounds / Math.sqrt(atOnce)); round++)
    for (const [index, target] of targets.entries()) {
      const streamed = Array.from({ length: atOnce }, () => timedStream(target, FIRST, agents[index]!));
      for (const { firstByteMs } of await Promise.all(streamed)) if (round >= 0) times[index]!.push(firstByteMs);
    }
  for (const agent of agents) agent.destroy();
  return times;
}

/** The minimum of several tries: other load on the machine only adds time. */
async function relayPerToken(bare: ChatTarget, ours: ChatTarget): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const tries: number[] = [];
  for (let n = 0; n < 5; n++) {
    const alone = await timedStream(bare, RELAYED, agent);
    const relayed = await timedStream(ours, RELAYED, agent);
    if (relayed.tokens !== RELAYED.tokens) throw new Error(`Only ${relayed.tokens} tokens have come.`);
    tries.push((relayed.wholeMs - alone.wholeMs) / RELAYED.tokens);
  }
  agent.destroy();
  return Math.min(...tries);
}

/**
 * Several rounds of concurrent streams: memory must not grow from round to round. It is measured after a garbage collection: on a machine
 * with room V8 lets garbage lie, so that a larger process says nothing about retained memory.
 */
async function manyStreams(target: ChatTarget, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const memory: number[] = [];
  for (let round = 1; round <= 3; round++) {
    const begun = performance.now();
    let peakMb = 0;
    const reasons = new Set<string>();
    const watching = setInterval(() => void residentMb(pid).then((mb) => (peakMb = Math.max(peakMb, mb))), 500);
    const running: Promise<TimedStream>[] = [];
    for (let n = 0; n < streams; n++) {
      const begun = Promise.withResolvers<void>();
      const stream = timedStream(target, MANY, agent, begun.resolve);
      // Reported below.
      stream.catch(() => undefined);
      running.push(stream);
      await Promise.race([begun.promise, sleep(10_000)]);
    }
    const ended = await Promise.allSettled(running);
    clearInterval(watching);
    const whole = ended.filter(
      (each) => each.status === 'fulfilled' && each.value.isWhole && each.value.tokens === MANY.tokens,
    );
    for (const each of ended) if (each.status === 'rejected') reasons.add(String(each.reason));
    const seconds = (performance.now() - begun) / 1000;
    for (let collection = 0; collection < 3; collection++) {
      process.kill(pid, 'SIGUSR2');
      await sleep(500);
    }
    memory.push(await residentMb(pid));
    console.log(
      `${streams} streams of ${MANY.tokens} tokens, round ${round}: ${whole.length} whole, ${seconds.toFixed(1)} s, ` +
        `service ${memory.at(-1)!.toFixed(0)} MB after it, ${peakMb.toFixed(0)} MB at most`,
    );
    for (const reason of reasons) console.log(`  ${reason.slice(0, 300)}`);
    check(whole.length === streams, 'no stream broken');
  }
  agent.destroy();
  const growth = memory.at(-1)! / memory[0]!;
  console.log(`memory after the last round over that after the first ${growth.toFixed(2)} (bar ${BARS.growth})`);
  check(growth <= BARS.growth, 'memory flat');
}

/** Resident memory of a process, by Linux' /proc. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

function percentile(all: readonly number[], p: number): number {
  return all.toSorted((a, b) => a - b)[Math.ceil((p / 100) * all.length) - 1] ?? Number.NaN;
}

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

function print(name: string, { p50, p95 }: Percentiles, bars?: Percentiles): void {
  const shown = bars ? ` (bars ${bars.p50} / ${bars.p95})` : '';
  console.log(`${name.padEnd(34)} p50 ${p50.toFixed(2).padStart(7)} ms   p95 ${p95.toFixed(2).padStart(7)} ms${shown}`);
}

function check(isMet: boolean, bar: string): void {
  if (isMet) return;
  console.log(`MISSED: ${bar}`);
  process.exitCode = 1;
}
