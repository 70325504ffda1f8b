/**
 * `npm run bench login`: the cost of a login without its password hash, and whether the time of a refusal
 * distinguishes an unknown e-mail address from a wrong password. The domain's own code on the embedded DynamoDB; refusals of both kinds take turns.
 *
 *     npm run bench login -- --logins 50 --refusals 200
 */

import { randomBytes } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { AuthRefused } from '../functions/accounts/domain/auth-refused.ts';
import { type LoginPorts, logIn } from '../functions/accounts/domain/log-in.ts';
import { passwordHasher } from '../functions/accounts/domain/password.ts';
import { createWorkspace } from '../functions/accounts/domain/register.ts';
import { newSigningSecret } from '../functions/accounts/domain/signing-key.ts';
import { DynamoAccounts } from '../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoPublishedKeys } from '../functions/adapters/accounts/dynamo-published-keys.ts';
import { DynamoSessions } from '../functions/adapters/accounts/dynamo-sessions.ts';
import { DynamoUsers } from '../functions/adapters/accounts/dynamo-users.ts';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { systemClock, ulidIds } from '../functions/adapters/shared/system-ports.ts';
import { JoseSigner } from '../functions/adapters/tokens/jose-signer.ts';
import { openDynamoDatabase } from '../local/embedded/dynamodb/database.ts';
import { serveDynamoDb } from '../local/embedded/dynamodb/server.ts';
import { createTables } from '../local/embedded/tables.ts';
import { wholeNumber } from './arguments.ts';
import { mannWhitney } from './mann-whitney.ts';

const KEY = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const TABLE = 'accounts';
const BAR_MS = 15;

const { values } = parseArgs({
  options: { logins: { type: 'string', default: '50' }, refusals: { type: 'string', default: '200' } },
});
const logins = wholeNumber(values.logins, '--logins');
const refusals = wholeNumber(values.refusals, '--refusals');

const database = await openDynamoDatabase();
await createTables(database, { ACCOUNTS_TABLE: TABLE });
const server = await serveDynamoDb(database, KEY);
const client = newDynamoClient({ endpoint: server.url, region: 'ap-northeast-2', credentials: KEY });
const secret = newSigningSecret(randomBytes);
const keys = new DynamoPublishedKeys(client, TABLE);
const ports: LoginPorts = {
  users: new DynamoUsers(client, TABLE),
  sessions: new DynamoSessions(client, TABLE),
  signer: new JoseSigner({ secret: { read: async () => secret }, keys, clock: systemClock, issuer: 'bench' }),
  requiresSecondFactor: async () => false,
  requireCode: async () => undefined,
  mustUseProvider: async () => false,
  clock: systemClock,
  random: randomBytes,
  hasher: passwordHasher(randomBytes),
  lifetimes: { accessSeconds: 1800, refreshSeconds: 7 * 24 * 60 * 60 },
};
const account = { email: 'owner@example.com', password: 'correct horse battery' };
try {
  const workspaces = new DynamoAccounts(client, TABLE);
  await createWorkspace({ ...account, workspaceName: 'Bench' }, { ...ports, workspaces, ids: ulidIds });
  console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  await measureLogins();
  await compareRefusals();
} finally {
  client.destroy();
  await server.stop();
  await database.close();
}

async function measureLogins(): Promise<void> {
  const totals: number[] = [];
  const shares: number[] = [];
  for (let i = 0; i <= logins; i++) {
    const { totalMs, hashMs } = await timedLogin();
    // The first one loads the signing key.
    if (i === 0) continue;
    totals.push(totalMs);
    shares.push(totalMs - hashMs);
  }
  const share = median(shares);
  console.log(`${logins} logins, one after another`);
  console.log(`  whole             p50 ${median(totals).toFixed(1)} ms`);
  console.log(`  without the hash   p50 ${share.toFixed(1)} ms (bar: ${BAR_MS} ms)\n`);
  if (share > BAR_MS) process.exitCode = 1;
}

async function timedLogin(): Promise<{ readonly totalMs: number; readonly hashMs: number }> {
  let hashMs = Number.NaN;
  const hasher: LoginPorts['hasher'] = {
    hash: ports.hasher.hash,
    async verify(stored, password) {
      const began = performance.now();
      const isRight = await ports.hasher.verify(stored, password);
      hashMs = performance.now() - began;
      return isRight;
    },
  };
  const began = performance.now();
  await logIn({ ...account, isBrowser: false }, { ...ports, hasher });
  return { totalMs: performance.now() - began, hashMs };
}

async function compareRefusals(): Promise<void> {
  const unknown: number[] = [];
  const wrong: number[] = [];
  for (let i = 0; i < refusals; i++) {
    const attempts = [
      async () => unknown.push(await refusalMs({ email: `unknown-${i}@example.com`, password: account.password })),
      async () => wrong.push(await refusalMs({ email: account.email, password: `wrong password ${i}` })),
    ];
    // Neither kind always comes first.
    for (const attempt of Math.random() < 0.5 ? attempts : attempts.toReversed()) await attempt();
  }
  const { u, p } = mannWhitney(unknown, wrong);
  console.log(`${refusals} refusals of each kind, in turns`);
  console.log(`  unknown address   p50 ${median(unknown).toFixed(1)} ms`);
  console.log(`  wrong password    p50 ${median(wrong).toFixed(1)} ms`);
  console.log(`  Mann–Whitney      U ${u}, p ${p.toFixed(3)} (bar: above 0.05)`);
  if (p <= 0.05) process.exitCode = 1;
}

async function refusalMs(attempt: { readonly email: string; readonly password: string }): Promise<number> {
  const began = performance.now();
  const refused = await logIn({ ...attempt, isBrowser: false }, ports).catch((error: unknown) => error);
  const ms = performance.now() - began;
  if (!(refused instanceof AuthRefused)) throw refused;
  return ms;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
