/**
 * `npm run soak [-- --minutes 30]`: clients of every service at an even pace, and what the service holds meanwhile: memory,
 * descriptors, temporary files, data. After a warm-up of a quarter of the time the second half of the samples is compared with
 * the first. Ends with 1 where something grows, or a client got an answer that it should not have. Linux alone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPlatformServer } from '../local/played-platforms/server.ts';
import { wholeNumber } from './arguments.ts';
import { startLocalService } from './local-service.ts';
import { channelClients } from './soak/channel-clients.ts';
import { type Client, clientsOf, newWorkspace } from './soak/clients.ts';
import { type Footprint, footprint } from './soak/footprint.ts';

const SAMPLES = 60;
const WARM_UP_SHARE = 0.25;
/** Allowed growth in the second half: a share, and an absolute amount. */
const BARS = {
  memoryMb: { share: 0.05, more: 30 },
  descriptors: { share: 0.05, more: 10 },
  processes: { share: 0, more: 2 },
  temporaryFiles: { share: 0, more: 5 },
} as const;
/** Records are kept for days, as they should be; LevelDB compacts them now and then. */
const MAX_DATA_BYTES_A_CALL = 4_096;
/** Limits are for people's programs. */
const UNLIMITED = {
  USER_LIMIT_PER_MINUTE: '0',
  ADDRESS_LIMIT_PER_MINUTE: '0',
  CHAT_LIMIT_PER_MINUTE: '0',
  FREE_PAGES_PER_DAY: '0',
};

interface Sample extends Footprint {
  readonly calls: number;
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = wholeNumber(values.minutes, '--minutes');
const temporary = await mkdtemp(join(tmpdir(), 'tripod-soak-'));
const service = await startLocalService([], { ...UNLIMITED, TMPDIR: temporary });
const platform = await startPlatformServer();
try {
  const ending = new AbortController();
  const done = new Map<string, number>();
  const failed: string[] = [];
  const workspace = await newWorkspace(service);
  const people = await channelClients({ url: workspace.url, apiKey: workspace.key }, platform);
  const clients = [...(await clientsOf(workspace)), ...people].map((client) =>
    keepActing(client, ending.signal, done, failed),
  );
  console.log(`${minutes} minutes; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  const samples: Sample[] = [];
  const directories = { data: service.dataDirectory, temporary };
  for (let n = 0; n < SAMPLES; n++) {
    await sleep((minutes * 60_000) / SAMPLES);
    const held = await footprint(service.pid, directories);
    samples.push({ ...held, calls: sum([...done.values()]) });
    if (n % 5 === 4) console.log(lineOf(samples.at(-1)!));
  }
  ending.abort();
  await Promise.all(clients);
  console.log(`\n${[...done].map(([name, count]) => `${count} × ${name}`).join(', ')}`);
  for (const failure of failed.slice(0, 10)) console.log(`FAILED ${failure}`);
  console.log(`${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
  compare(samples.slice(Math.floor(SAMPLES * WARM_UP_SHARE)));
} finally {
  await platform.stop();
  await service.end();
  await rm(temporary, { recursive: true, force: true });
}

async function keepActing(
  { name, everyMs, act }: Client,
  signal: AbortSignal,
  done: Map<string, number>,
  failed: string[],
): Promise<void> {
  while (!signal.aborted) {
    const pause = sleep(everyMs);
    try {
      await act();
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
    done.set(name, (done.get(name) ?? 0) + 1);
    await pause;
  }
}

function compare(samples: readonly Sample[]): void {
  const half = Math.floor(samples.length / 2);
  const [first, second] = [samples.slice(0, half), samples.slice(half)];
  for (const [name, { share, more }] of Object.entries(BARS) as [
    keyof typeof BARS,
    { share: number; more: number },
  ][]) {
    const [before, after] = [first, second].map((some) => median(some.map((sample) => sample[name])));
    verdict(`${name} ${before!.toFixed(0)} → ${after!.toFixed(0)}`, after! <= before! * (1 + share) + more);
  }
  const bytes = bytesPerCall(samples);
  verdict(`data a call ${bytes.toFixed(0)} bytes`, bytes <= MAX_DATA_BYTES_A_CALL);
}

function bytesPerCall(samples: readonly Sample[]): number {
  const [from, to] = [samples[0]!, samples.at(-1)!];
  return ((to.dataMb - from.dataMb) * 2 ** 20) / Math.max(1, to.calls - from.calls);
}

function verdict(text: string, isFlat: boolean): void {
  console.log(`${text.padEnd(50)} ${isFlat ? 'flat' : 'GROWS'}`);
  if (!isFlat) process.exitCode = 1;
}

function lineOf({ calls, memoryMb, descriptors, processes, temporaryFiles, dataMb }: Sample): string {
  return `${calls} calls: ${memoryMb.toFixed(0)} MB, ${descriptors} descriptors, ${processes} processes, ${temporaryFiles} temporary files, ${dataMb.toFixed(1)} MB of data`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
