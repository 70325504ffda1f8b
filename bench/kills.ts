/**
 * `npm run bench kills`: kills the local service with `kill -9` at random moments while it has workflow runs, and checks that nothing
 * was done twice, lost, or stuck.
 *
 *     npm run bench kills -- --rounds 30 --seed 1
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCredentials } from '../local/credentials.ts';
import { killRounds } from '../test/helpers/workflows/kill-rounds.ts';
import { wholeNumber } from './arguments.ts';
import { readyUrl } from './local-service.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
});
const dataDirectory = await mkdtemp(join(tmpdir(), 'tripod-bench-'));

/** A machine that is busy with other work may take too long for a start. */
async function start(triesLeft = 3): ReturnType<typeof startOnce> {
  return startOnce().catch((error: unknown) => {
    if (triesLeft === 0) throw error;
    return start(triesLeft - 1);
  });
}

async function startOnce() {
  const service = spawn(process.execPath, ['bin/local.js'], {
    env: { ...process.env, USER_LIMIT_PER_MINUTE: '0', PORT: '0', TRIPOD_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(service, 'exit');
  const baseUrl = await readyUrl(service);
  const { apiKey = '' } = (await readCredentials(dataDirectory)) ?? {};
  const kill = async () => {
    service.kill('SIGKILL');
    await gone;
  };
  return { baseUrl, apiKey, kill };
}

try {
  const rounds = wholeNumber(values.rounds, '--rounds');
  const seed = wholeNumber(values.seed, '--seed');
  const { restarts, runs, requests, minutes } = await killRounds({
    rounds,
    seed,
    start: () => start(),
    log: console.log,
  });
  console.log(
    `${restarts} times kill -9: all of ${runs} runs succeeded, each effect under one key (${requests} requests in all), ` +
      `${minutes} scheduled minutes, once each`,
  );
} finally {
  await rm(dataDirectory, { recursive: true, force: true });
}
