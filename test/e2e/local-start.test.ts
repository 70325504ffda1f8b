import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../helpers/service.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-start-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const credentialsOf = async (dataDir: string) =>
  JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Record<string, string>;

const balance = async ({ baseUrl, apiKey }: ServiceProcess) => {
  const response = await fetch(`${baseUrl}/api/v1/balance`, { headers: { 'x-api-key': apiKey } });
  return { status: response.status, body: (await response.json()) as { balanceKrw: number } };
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs `bin/local.js` until it ends by itself. */
async function runToEnd(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['bin/local.js'], { env: { ...process.env, ...env } });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: Buffer.concat(chunks).toString() };
}

describe('a service that runs', () => {
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await startServiceProcess({ dataDir: directory });
  });

  afterAll(() => service.stop());

  it('is healthy when it says that it is ready', async () => {
    const response = await fetch(`${service.baseUrl}/api/v1/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: expect.any(String), checks: expect.any(Object) });
  });

  it('a start prints suggestions for its user, but not the key', async () => {
    expect(service.output()).toContain(`curl -H "x-api-key: $KEY" ${service.baseUrl}/api/v1/balance`);
    expect(service.output()).toContain(join(directory, 'credentials.json'));
    expect(service.output()).not.toContain(service.apiKey);
  });

  it('a first start makes a demo workspace with 10,000 KRW, and a private file with its credentials', async () => {
    const credentials = await credentialsOf(directory);
    expect(credentials).toEqual({
      baseUrl: service.baseUrl,
      workspaceId: service.workspaceId,
      email: expect.stringContaining('@'),
      password: expect.stringMatching(/.{20}/),
      apiKey: service.apiKey,
    });
    expect((await stat(join(directory, 'credentials.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'service.json'))).mode & 0o777).toBe(0o600);
    expect(await balance(service)).toMatchObject({ status: 200, body: { balanceKrw: 10_000 } });
  });

  it('refuses a second start on its data directory, and says who has it', async () => {
    const { code, output } = await runToEnd({ PORT: '0', TRIPOD_DATA_DIR: directory });
    expect(code).toBe(1);
    expect(output).toContain(`The data directory ${directory} is in use by the service at ${service.baseUrl}`);
    expect((await balance(service)).status).toBe(200);
  });

  it('refuses a second start on its port', async () => {
    const other = await mkdtemp(join(tmpdir(), 'tripod-start-'));
    const { code, output } = await runToEnd({ PORT: new URL(service.baseUrl).port, TRIPOD_DATA_DIR: other });
    await rm(other, { recursive: true, force: true });
    expect(code).toBe(1);
    expect(output).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use by another program\. .*PORT/);
  });
});

describe('its first start', () => {
  it('is healthy only when the key of its credentials works', async () => {
    const dataDir = join(directory, 'first-start');
    const port = await freePort();
    const child = spawn(process.execPath, ['bin/local.js'], {
      env: { ...process.env, PORT: String(port), TRIPOD_DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const gone = once(child, 'exit');
    try {
      const baseUrl = `http://127.0.0.1:${port}`;
      const statusOf = (path: string, headers = {}) =>
        fetch(`${baseUrl}/api/v1/${path}`, { headers }).then(
          ({ status }) => status,
          () => 0,
        );
      while ((await statusOf('health')) !== 200 && child.exitCode === null) await sleep(1);
      const { apiKey = '' } = await credentialsOf(dataDir);
      expect(await statusOf('balance', { 'x-api-key': apiKey })).toBe(200);
    } finally {
      child.kill('SIGTERM');
      await gone;
    }
  });
});

describe('its end', () => {
  it('SIGTERM ends it cleanly, and the next start has the same data', async () => {
    const first = await startServiceProcess({ dataDir: directory });
    const before = await credentialsOf(directory);
    await first.stop();
    expect(first.output()).not.toContain('could not end cleanly');
    expect(await readdir(directory)).not.toContain('service.json');
    await expect(fetch(first.baseUrl)).rejects.toThrow();

    const second = await startServiceProcess({ dataDir: directory });
    expect(await credentialsOf(directory)).toEqual({ ...before, baseUrl: second.baseUrl });
    expect((await balance(second)).status).toBe(200);
    await second.stop();
  });

  it('SIGTERM ends it while texts are parsed that take their parsers long', { timeout: 60_000 }, async () => {
    const service = await startServiceProcess({ dataDir: directory });
    const send = (method: string, path: string, body: object) =>
      fetch(`${service.baseUrl}/api/v1/${path}`, {
        method,
        headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => undefined);
    const rows = gzipSync(`code,name\n${',\n'.repeat(8_000_000)}`).toString('base64');
    const sent = [
      send('PUT', 'drug-master/own', { file: rows }),
      send('POST', 'workflows/import', { dsl: '['.repeat(1_000_000) }),
      send('POST', 'workflows/import', { dsl: `a: "${'x\n'.repeat(500_000)}"` }),
    ];
    // All have arrived, and others are served meanwhile.
    expect((await balance(service)).status).toBe(200);
    const beganAt = performance.now();
    await service.stop();
    expect(performance.now() - beganAt).toBeLessThan(15_000);
    expect(service.output()).not.toContain('could not end cleanly');
    await Promise.all(sent);
  });

  it('loses nothing by kill -9, and leaves no lock behind', async () => {
    const first = await startServiceProcess({ dataDir: directory });
    const before = await balance(first);
    await first.kill();
    const second = await startServiceProcess({ dataDir: directory });
    expect(second.apiKey).toBe(first.apiKey);
    expect(await balance(second)).toEqual(before);
    await second.stop();
  });

  it.each(['dynamodb', 'credentials.json', 'service.json'])(
    'by kill -9 in its first start, at the moment when %s appears, leaves what the next start completes',
    async (file) => {
      const fresh = join(directory, `killed-at-${file}`);
      const env = { ...process.env, PORT: '0', TRIPOD_DATA_DIR: fresh };
      const child = spawn(process.execPath, ['bin/local.js'], { env, stdio: 'ignore' });
      const gone = once(child, 'exit');
      while (!existsSync(join(fresh, file)) && child.exitCode === null) await sleep(1);
      child.kill('SIGKILL');
      await gone;
      const service = await startServiceProcess({ dataDir: fresh });
      expect(await balance(service)).toMatchObject({ status: 200, body: { balanceKrw: 10_000 } });
      await service.stop();
    },
  );
});

describe('settings', () => {
  it('are refused by name, without a stack trace', async () => {
    const { code, output } = await runToEnd({ TRIPOD_DATA_DIR: directory, PORT: 'eighty', DEBUG: 'perhaps' });
    expect(code).toBe(1);
    expect(output).toMatch(/^PORT is "eighty"; it must be .*\nDEBUG is "perhaps"; it must be .*\n$/);
  });

  it('name the data directory when it cannot be made', async () => {
    const { code, output } = await runToEnd({ PORT: '0', TRIPOD_DATA_DIR: '/dev/null/data' });
    expect(code).toBe(1);
    expect(output).toMatch(/^TRIPOD_DATA_DIR: \/dev\/null\/data cannot be made/);
  });

  it('keep a developer’s own AWS settings away from the embedded servers', async () => {
    const foreign = createServer((_, response) => response.writeHead(500).end());
    foreign.listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const service = await startServiceProcess({
      env: {
        AWS_PROFILE: 'production',
        AWS_SESSION_TOKEN: 'token',
        AWS_REGION: 'us-east-1',
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`,
      },
    });
    expect((await balance(service)).status).toBe(200);
    await service.stop();
    foreign.close();
  });
});
