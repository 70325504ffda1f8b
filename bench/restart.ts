/**
 * `npm run bench restart`: how long the local service takes from its start, after `kill -9`, to the answer of its first GET
 * /api/v1/balance, with a ledger of one entry and with one of ten thousand. The limit is a second, the start of the service included.
 *
 *     npm run bench restart -- --entries 10000 --rounds 5
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { accountsStore, paymentPorts } from '../bin/deployment.ts';
import { SYSTEM_ORIGIN } from '../functions/accounts/domain/audit.ts';
import { topUpByOperator } from '../functions/accounts/domain/top-up.ts';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { readCredentials } from '../local/credentials.ts';
import { wholeNumber } from './arguments.ts';
import { readyUrl } from './local-service.ts';

const LIMIT_MS = 1_000;

const { values } = parseArgs({
  options: { entries: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
});
const entries = wholeNumber(values.entries, '--entries');
const rounds = wholeNumber(values.rounds, '--rounds');
const dataDirectory = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
try {
  // What a service has compiled is kept a moment after its first requests: one that failed had run for longer than that.
  await restart({ afterMs: 5_000 });
  console.log(`${rounds} restarts each; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  const before = await medianRestart();
  await postPayments();
  const after = await medianRestart();
  console.log(`ledger of one entry: ${before.toFixed(0)} ms`);
  console.log(`${entries} entries: ${after.toFixed(0)} ms, ${(after / before).toFixed(2)} x`);
  console.log(`the ledger adds ${(after - before).toFixed(0)} ms`);
  console.log(`${after.toFixed(0)} of ${LIMIT_MS} ms: ${after <= LIMIT_MS ? 'met' : 'missed'}`);
} finally {
  await rm(dataDirectory, { recursive: true, force: true });
}

/** From the start of the service to its first answer; it is killed so long thereafter, as a machine that fails would. */
async function restart({ afterMs = 0 } = {}): Promise<number> {
  const begun = performance.now();
  const service = spawn(process.execPath, ['bin/local.js'], {
    env: { ...process.env, PORT: '0', TRIPOD_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(service, 'exit');
  try {
    const url = await readyUrl(service);
    const { apiKey = '' } = (await readCredentials(dataDirectory)) ?? {};
    const response = await fetch(`${url}/api/v1/balance`, { headers: { 'x-api-key': apiKey } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`GET /api/v1/balance answered ${response.status}`);
    const took = performance.now() - begun;
    await sleep(afterMs);
    return took;
  } finally {
    service.kill('SIGKILL');
    await gone;
  }
}

async function medianRestart(): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) durations.push(await restart());
  return durations.sort((a, b) => a - b)[rounds >> 1]!;
}

/** One entry of the ledger for each. */
async function postPayments(): Promise<void> {
  const { workspaceId = '' } = (await readCredentials(dataDirectory)) ?? {};
  const store = await accountsStore(undefined, dataDirectory);
  try {
    const ports = paymentPorts(newDynamoClient(), store.table);
    for (let n = 0; n < entries; n += 1)
      await topUpByOperator({ amountKrw: 1, reference: `payment ${n}`, workspaceId, origin: SYSTEM_ORIGIN }, ports);
  } finally {
    await store.close();
  }
}
