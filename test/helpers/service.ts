import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, test } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { readCredentials } from '../../local/credentials.ts';
import type { EmbeddedAws } from '../../local/embedded/aws.ts';
import { startLocalService } from '../../local/service.ts';
import { externalDatabase, externalStores } from './external-stores.ts';
import { refillLimits } from './limits.ts';
import { guardRights, type RightsGuard } from './rights/guard.ts';
import { createWorkspace } from './workspace.ts';

/** Time enough for a machine that runs several suites at once: no test is about time. */
const UNHURRIED_SECONDS = 110;

/** The whole service on a free port and a new data directory. */
export interface TestService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly dataDir: string;
}

interface Stoppable {
  /** Ends it as SIGTERM does, and removes the data directory unless the caller brought it. */
  stop(): Promise<void>;
}

/** In this process, handlers included: quick, and the embedded servers can be looked into. */
export interface UsedService extends TestService {
  readonly aws: EmbeddedAws;
}

export interface InProcessService extends UsedService, Stoppable {
  /** @throws Error where functions have wanted rights since the last check that they lack on AWS. `stop` checks too. */
  checkRights(): void;
}

/** As `npm start` runs it. */
export interface ServiceProcess extends TestService, Stoppable {
  readonly pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** kill -9; the data directory stays, for the next start. */
  kill(): Promise<void>;
}

interface Options {
  /** A directory to use and to keep; without one it is made, and removed by `stop`. */
  readonly dataDir?: string;
}

interface InProcessOptions extends Options {
  /** Time limit of every route, instead of the configured one. */
  readonly timeoutSeconds?: number;
}

let startedHere = false;

/**
 * Starts the service within the test's own process, each function under the rights that it has on AWS. Once a process: the handlers' modules keep their SDK clients, and
 * with them the endpoints, for as long as it lives.
 */
export async function startService(options: InProcessOptions = {}): Promise<InProcessService> {
  if (startedHere) throw new Error('startService works once a process; use startServiceProcess for a restart');
  startedHere = true;
  const { REHEARSAL } = process.env;
  const rehearsal = REHEARSAL ? await (await import('./rehearsal/rehearsal.ts')).rehearse(REHEARSAL) : null;
  const guard = rehearsal ?? (await guardRights());
  const { MEASURED_CALLS } = process.env;
  if (MEASURED_CALLS) (await import('./measured-calls.ts')).measureCalls(MEASURED_CALLS);
  const dataDir = options.dataDir ?? (await temporaryDirectory());
  const timeoutSeconds = options.timeoutSeconds ?? UNHURRIED_SECONDS;
  const service = await startLocalService(
    { dataDirectory: dataDir, host: '127.0.0.1', port: 0, debug: false, stores: externalStores },
    { served: routes.map((route) => ({ ...route, limits: { ...route.limits, timeoutSeconds } })) },
  );
  return {
    baseUrl: service.url,
    apiKey: service.credentials.apiKey,
    workspaceId: service.credentials.workspaceId,
    dataDir,
    aws: externalStores ? { ...service.aws, dynamodb: inTurn(externalDatabase(externalStores)) } : service.aws,
    checkRights: () => checkRights(guard),
    async stop() {
      await service.stop();
      await rehearsal?.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      checkRights(guard);
    },
  };
}

function inTurn(database: ReturnType<typeof externalDatabase>): EmbeddedAws['dynamodb'] {
  return { ...database, conflictNextTransactions: async (count) => database.conflictNextTransactions(count) };
}

function checkRights(guard: RightsGuard): void {
  const refusals = guard.takeRefusals();
  if (refusals.length > 0)
    throw new Error(
      `Functions lack rights on AWS (add them to \`access\` of the route or worker):\n${refusals.join('\n')}`,
    );
}

// biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern, and nothing in it is wanted here.
const withService = test.extend('started', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const service = await startService();
  onCleanup(() => service.stop());
  return service;
});

/**
 * The service of this process with a workspace for this file alone: its start takes longer than most files. What a file
 * changes of the service itself, it puts back. Which files share a process says vitest.config.ts.
 */
export function useService(started: (service: UsedService) => Promise<void> = async () => undefined): UsedService {
  let service: UsedService;
  withService.beforeAll(async ({ started: shared }) => {
    const { workspaceId, apiKey } = await createWorkspace();
    const { baseUrl, dataDir, aws } = shared;
    service = { baseUrl, dataDir, aws, workspaceId, apiKey };
    await refillLimits();
    await started(service);
  });
  withService.afterAll(({ started: shared }) => shared.checkRights());
  return whenStarted(() => service);
}

/** A separate service for a file that needs another environment or the demo workspace, with a hook after its start. */
export function useOwnService(started: (service: UsedService) => Promise<void> = async () => undefined): UsedService {
  let service: InProcessService;
  beforeAll(async () => {
    service = await startService();
    await started(service);
  });
  afterAll(() => service?.stop());
  return whenStarted(() => service);
}

/** Members that a file may name before its hooks have run. */
function whenStarted(service: () => UsedService): UsedService {
  return {
    get baseUrl() {
      return service().baseUrl;
    },
    get apiKey() {
      return service().apiKey;
    },
    get workspaceId() {
      return service().workspaceId;
    },
    get dataDir() {
      return service().dataDir;
    },
    get aws() {
      return service().aws;
    },
  };
}

/** Starts `bin/local.js` as a child and waits for its ready line: slower, but it can be killed and started again. */
export async function startServiceProcess(
  options: Options & {
    readonly env?: Readonly<Record<string, string>>;
    /** Folder of another version of the service; by default this one. */
    readonly root?: string;
  } = {},
): Promise<ServiceProcess> {
  const dataDir = options.dataDir ?? (await temporaryDirectory());
  const child = spawn(process.execPath, ['bin/local.js'], {
    ...(options.root !== undefined && { cwd: options.root }),
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', TRIPOD_DATA_DIR: dataDir, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  const baseUrl = await readyUrl(child, printed);
  const credentials = await readCredentials(dataDir);
  if (credentials === undefined) throw new Error('The service is ready, but has written no credentials');
  const exit = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    baseUrl,
    apiKey: credentials.apiKey,
    workspaceId: credentials.workspaceId,
    dataDir,
    pid: child.pid ?? 0,
    output: () => printed.join(''),
    kill: () => exit('SIGKILL'),
    async stop() {
      await exit('SIGTERM');
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function readyUrl(child: ChildProcess, printed: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`bin/local.js ended with ${code}:\n${printed.join('')}`)));
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      printed.push(`${line}\n`);
      const url = /^Tripod is ready: (\S+)$/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tripod-test-'));
}
