/**
 * `npm run bench sockets [-- --requests 500] [--per-second 1000] [--message ping]`: what the others wait for GET /balance while one
 * principal sends a thousand WebSocket messages a second, with a new connection for each that it loses. Quiet and flooded in
 * turns, in one run. Ends with 1 where the p99 is more than twice its quiet self.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { USER_LIMIT_PER_MINUTE } from '../functions/shared/limits/base-limits.ts';
import { oneOf, wholeNumber } from './arguments.ts';
import { startLocalService } from './local-service.ts';
import type { SocketFlood, SocketFloodReport } from './sockets/flood.ts';

const MAX_RATIO = 2;
const TURNS = 4;
/** A quarter of what the limit of calls allows: none is refused. */
const PAUSE_MS = 40;
const MESSAGES = ['ping', 'chat', 'garbage'] as const;
const PASSWORD = 'correct horse battery';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '500' },
    'per-second': { type: 'string', default: '1000' },
    message: { type: 'string', default: 'ping' },
  },
});
const requests = wholeNumber(values.requests, '--requests');
const perSecond = wholeNumber(values['per-second'], '--per-second');
const message = oneOf(MESSAGES, values.message, '--message');

const service = await startLocalService([], { USER_LIMIT_PER_MINUTE: String(USER_LIMIT_PER_MINUTE) });
try {
  const [greedy, ...others] = await Promise.all(['greedy', 'one', 'two', 'three', 'four'].map(newKey));
  console.log(
    `${requests} requests each; ${perSecond} × ${message} a second; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  await timesOf(others[0]!, 50);
  const quiet: number[] = [];
  const flooded: number[] = [];
  const reports: SocketFloodReport[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    quiet.push(...(await timesOf(others[turn]!, requests / TURNS)));
    const child = fork(new URL('sockets/flood.ts', import.meta.url));
    const flood: SocketFlood = { url: service.url, key: greedy!, perSecond, message };
    child.send(flood);
    await sleep(1_000);
    flooded.push(...(await timesOf(others[turn]!, requests / TURNS)));
    const report = once(child, 'message');
    child.send('end');
    reports.push((await report)[0] as SocketFloodReport);
  }
  const sum = (name: keyof SocketFloodReport) => reports.reduce((total, report) => total + report[name], 0);
  console.log(
    `flood: ${sum('sent')} messages in ${sum('seconds').toFixed(0)} s (${(sum('sent') / sum('seconds')).toFixed(0)} a second), ` +
      `${sum('connections')} connections, ${sum('refused')} refused, ${sum('answers')} answers`,
  );
  const figure = (times: readonly number[]) =>
    `p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms`;
  const ratio = at(flooded, 0.99) / at(quiet, 0.99);
  console.log(`GET /balance quiet:   ${figure(quiet)}`);
  console.log(`GET /balance flooded: ${figure(flooded)}`);
  console.log(`p99 ${ratio.toFixed(2)} × (bar ${MAX_RATIO}) ${ratio <= MAX_RATIO ? 'ok' : 'MISSED'}`);
  if (ratio > MAX_RATIO) process.exitCode = 1;
} finally {
  await service.end();
}

async function timesOf(key: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const begun = performance.now();
    const response = await fetch(`${service.url}/api/v1/balance`, { headers: { 'x-api-key': key } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET /balance was answered with ${response.status}`);
    times.push(performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  return times;
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;
}

async function newKey(name: string): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: PASSWORD, workspace_name: name }),
  });
  if (!response.ok) throw new Error(`Registration was answered with ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { api_key: { key: string } } };
  return data.api_key.key;
}
