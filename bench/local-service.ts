import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readCredentials } from '../local/credentials.ts';

export interface LocalService {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly dataDirectory: string;
  /** Ends the service and removes its data. */
  end(): Promise<void>;
}

/**
 * Starts the service as `npm start` does, on a free port, with its own data.
 * @param nodeOptions of its process alone.
 * @param environment in addition to this process's.
 */
export async function startLocalService(
  nodeOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<LocalService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
  const service = spawn(process.execPath, [...nodeOptions, 'bin/local.js'], {
    // Limits are for people's programs: a benchmark asks as fast as it can.
    env: { USER_LIMIT_PER_MINUTE: '0', ...process.env, PORT: '0', TRIPOD_DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async () => {
    await endProcess(service);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = await readyUrl(service);
    const { apiKey = '' } = (await readCredentials(dataDir)) ?? {};
    return { url, apiKey, pid: service.pid!, dataDirectory: dataDir, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A new workspace with a balance. @param name unique in the service */
export async function registered(baseUrl: string, name: string) {
  const email = `${name}@example.com`;
  const { data } = await posted(`${baseUrl}/api/v1/auth/register`, null, {
    ...{ email, password: 'correct horse battery', workspace_name: name },
  });
  const apiKey: string = data.api_key.key;
  await posted(`${baseUrl}/api/v1/balance/top-ups`, apiKey, { amountKrw: 10_000_000, reference: name });
  return { baseUrl, apiKey, workspaceId: String(data.workspace?.id ?? '') };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several forms.
export async function posted(url: string, key: string | null, body: object): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { 'x-api-key': key }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${url} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The committed pages, as base64. */
export async function fixturePages(): Promise<string[]> {
  const folder = new URL('../test/fixtures/pages/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => /\.(png|jpe?g)$/.test(name)).sort();
  if (names.length === 0) throw new Error(`There is no page in ${folder.pathname}`);
  return Promise.all(names.map(async (name) => (await readFile(new URL(name, folder))).toString('base64')));
}

/** Extracts one page. @returns the status of the answer. */
export async function readPage({ url, apiKey }: LocalService, page: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/edi-extract-lite/extract`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ image: page }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Where a server says that it is ready; what it says afterwards is thrown away. */
export async function readyUrl(child: ChildProcess, name = 'Tripod'): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no output');
  for await (const line of createInterface(child.stdout)) {
    const [subject, url] = line.split(' is ready: ');
    if (subject !== name || url === undefined) continue;
    // What it says from now on is thrown away, lest the pipe fill and stop it.
    child.stdout.resume();
    return url;
  }
  throw new Error('the server ended before it was ready');
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
