import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, extractCall, extractWhenFree, uploadCall } from '../helpers/api.ts';
import { login } from '../helpers/auth.ts';
import { batchCall, finishedJob } from '../helpers/batch.ts';
import { complete, createApplication } from '../helpers/chat.ts';
import { shortPage } from '../helpers/page-images.ts';
import { type ServiceProcess, startServiceProcess } from '../helpers/service.ts';

const PUBLIC_URL = 'https://tripod.hospital.example';
const RECORDER = fileURLToPath(new URL('../helpers/outgoing-connections.mjs', import.meta.url));
const LOOPBACK = /^tcp (127\.0\.0\.1|localhost|::1):\d+$|^dns (127\.0\.0\.1|localhost)$/;

let directory: string;
let stores: ChildProcess;
let env: Record<string, string>;
let service: ServiceProcess;
let image: string;

const start = () => startServiceProcess({ dataDir: join(directory, 'service'), env });
const outgoing = async () => (await readFile(env.OUTGOING!, 'utf8')).split('\n').filter((line) => line !== '');

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-external-'));
  image = (await shortPage()).toString('base64');
  stores = spawn(process.execPath, ['test/helpers/stores-main.ts', join(directory, 'stores')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(stores.stdout!), 'line')) as [string];
  const given = JSON.parse(line) as Record<string, string>;
  const secretFile = join(directory, 'secret');
  await writeFile(secretFile, `${given.AWS_SECRET_ACCESS_KEY}\n`);
  const { AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_SQS, AWS_ACCESS_KEY_ID } = given;
  env = {
    ...{ AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_SQS },
    ...{ STORES: 'external', STORES_KEY_ID: AWS_ACCESS_KEY_ID, STORES_SECRET_FILE: secretFile, PUBLIC_URL },
    ...{ OUTGOING: join(directory, 'outgoing'), NODE_OPTIONS: `--import=${RECORDER}` },
  } as Record<string, string>;
  service = await start();
});

afterAll(async () => {
  await service?.stop();
  if (stores?.exitCode === null) {
    const gone = once(stores, 'exit');
    stores.kill('SIGTERM');
    await gone;
  }
  await rm(directory, { recursive: true, force: true });
});

describe('a service on external stores, behind a reverse proxy', () => {
  it('starts no embedded stores, and announces the public address', async () => {
    expect((await call(service, 'GET', '/api/v1/health')).status).toBe(200);
    expect(existsSync(join(service.dataDir, 'dynamodb'))).toBe(false);
    const credentials = JSON.parse(await readFile(join(service.dataDir, 'credentials.json'), 'utf8'));
    expect(credentials.baseUrl).toBe(PUBLIC_URL);
    // Cookies are for TLS alone.
    const answer = await login(service, credentials);
    expect(answer.headers.getSetCookie().every((cookie) => /; Secure/.test(cookie))).toBe(true);
  });

  it('reads a page, an upload and a batch, and chats', async () => {
    const answer = await extractWhenFree(service, service, { image }, 'page-1');
    expect([answer.status, answer.json]).toMatchObject([200, { foundTable: true }]);
    const upload = await uploadCall(service, service, { contentType: 'image/png', contentLength: 3 });
    expect(upload.status).toBe(200);
    const { uploadUrl } = upload.json as { uploadUrl: string };
    expect(
      (await fetch(uploadUrl, { method: 'PUT', body: 'png', headers: { 'content-type': 'image/png' } })).status,
    ).toBe(200);
    const batch = await batchCall(service, service, { images: [image] });
    const { jobId } = batch.json as { jobId: string };
    expect(await finishedJob(service, service, jobId)).toMatchObject({ status: 'completed', completed: 1 });
    const { id } = await createApplication(service);
    expect((await complete(service, id, { messages: [{ role: 'user', content: 'hello' }] })).status).toBe(200);
  });

  it('lets the operator make a workspace by a command, in the same stores', async () => {
    const { NODE_OPTIONS: _, ...own } = env;
    const command = ['bin/workspace-create.ts', '--email', 'ward@hospital.example', '--data-dir', service.dataDir];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...process.env, ...own } });
    const { apiKey } = JSON.parse(stdout) as { apiKey: string };
    expect((await call({ ...service, apiKey }, 'GET', '/api/v1/balance')).status).toBe(200);
  });

  it('loses nothing to kill -9: balance and replay are the same after a restart', async () => {
    const before = await call(service, 'GET', '/api/v1/balance');
    await service.kill();
    service = await start();
    expect((await call(service, 'GET', '/api/v1/balance')).json).toEqual(before.json);
    const replay = await extractCall(service, service, { image }, 'page-1');
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  });

  it('connects to nothing but loopback, from its start to a read page', async () => {
    const lines = await outgoing();
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !LOOPBACK.test(line))).toEqual([]);
  });

  it('does not let a second service use its data directory', async () => {
    await expect(start()).rejects.toThrow(/is in use by the service at /);
  });

  it('says which store cannot be used, and does not start', async () => {
    const elsewhere = { ...env, AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9' };
    await expect(startServiceProcess({ dataDir: join(directory, 'other'), env: elsewhere })).rejects.toThrow(
      /The store at http:\/\/127\.0\.0\.1:9 cannot be used/,
    );
  });
});
