import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** moto's emulation of AWS on a port of loopback. */
export interface Moto {
  readonly url: string;
  /** Starts with a new account, which `cdk bootstrap` has prepared. */
  newAccount(): Promise<void>;
  /** The last lines of the server's log. */
  log(): string;
  stop(): Promise<void>;
}

export const REGION = 'ap-northeast-2';
/** Version of the resources of `cdk bootstrap`, which every template asks for. */
const BOOTSTRAP_PARAMETER = '/cdk-bootstrap/hnb659fds/version';
const COMMAND = 'moto_server';
const TRIES = 120;

/** @returns null if moto is not installed. @throws Error if its server does not start. */
export async function startMoto(): Promise<Moto | null> {
  if (spawnSync(COMMAND, ['--help']).status !== 0) return null;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(COMMAND, ['--host', '127.0.0.1', '--port', String(port)], {
    // Templates name the code of functions; nothing has uploaded it.
    env: { ...process.env, VALIDATE_LAMBDA_S3: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (part: string) => {
    log = (log + part).slice(-4_000);
  });
  for (let tries = 0; tries < TRIES; tries++) {
    const response = await fetch(`${url}/moto-api/data.json`).catch(() => null);
    if (response?.ok) return { url, newAccount: () => newAccount(url), log: () => log, stop: () => stop(server) };
    if (server.exitCode !== null) break;
    await sleep(500);
  }
  await stop(server);
  throw new Error(`moto's server does not start: ${log}`);
}

async function newAccount(url: string): Promise<void> {
  await post(`${url}/moto-api/reset`, {}, '');
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'AmazonSSM.PutParameter',
    authorization: `AWS4-HMAC-SHA256 Credential=emulated/20260101/${REGION}/ssm/aws4_request, SignedHeaders=host, Signature=0`,
  };
  await post(url, headers, JSON.stringify({ Name: BOOTSTRAP_PARAMETER, Type: 'String', Value: '30' }));
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`moto answered ${response.status}: ${await response.text()}`);
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const end = once(server, 'exit');
  server.kill('SIGTERM');
  await end;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port of loopback is free.');
  return address.port;
}
