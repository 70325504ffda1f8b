import { mkdir } from 'node:fs/promises';
import { routes } from '../functions/routes.ts';
import { type EmbeddedAws, startEmbeddedAws } from './embedded/aws.ts';
import { applyEnvironment, localEnvironment } from './environment.ts';
import { type Gateway, startGateway } from './gateway/gateway.ts';
import { announce, announced, withdraw } from './running-service.ts';
import type { LocalSettings } from './settings.ts';

export interface LocalService {
  readonly url: string;
  readonly aws: EmbeddedAws;
  stop(): Promise<void>;
}

/** Why the service cannot start, in words for the person who started it. */
export class CannotStart extends Error {}

/**
 * The whole service in this process: embedded AWS, gateway and handlers. It owns the data directory until it stops, and
 * makes the process's environment that of the functions. @throws CannotStart
 */
export async function startLocalService(settings: LocalSettings): Promise<LocalService> {
  const { dataDirectory } = settings;
  await makeDirectory(dataDirectory);
  const aws = await openAws(dataDirectory);
  try {
    const environment = { ...aws.environment, ...localEnvironment(settings) };
    applyEnvironment(environment);
    const gateway = await openGateway(settings);
    const url = urlOf(settings.host, gateway.port);
    await announce(dataDirectory, { pid: process.pid, url, environment });
    return {
      url,
      aws,
      async stop() {
        await gateway.stop();
        await aws.stop();
        await withdraw(dataDirectory);
      },
    };
  } catch (error) {
    await aws.stop();
    throw error;
  }
}

async function makeDirectory(dataDirectory: string): Promise<void> {
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CannotStart(`TRIPOD_DATA_DIR: ${dataDirectory} cannot be made: ${(error as Error).message}`);
  }
}

async function openAws(dataDirectory: string): Promise<EmbeddedAws> {
  try {
    return await startEmbeddedAws(dataDirectory);
  } catch (error) {
    if (!isLocked(error)) throw error;
    const other = await announced(dataDirectory);
    const who = other === undefined ? 'another process' : `the service at ${other.url} (process ${other.pid})`;
    throw new CannotStart(
      `The data directory ${dataDirectory} is in use by ${who}. Stop that one, or set TRIPOD_DATA_DIR to another directory.`,
    );
  }
}

async function openGateway({ host, port }: LocalSettings): Promise<Gateway> {
  try {
    return await startGateway({ routes, host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    switch (code) {
      case 'EADDRINUSE':
        throw new CannotStart(
          `Port ${port} on ${host} is in use by another program. Stop that one, or set PORT to a free port.`,
        );
      case 'EACCES':
        throw new CannotStart(`PORT: this user may not listen on port ${port}. Set PORT to one above 1023.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new CannotStart(`HOST: ${host} is no address of this machine (${message}).`);
      default:
        throw error;
    }
  }
}

/** LevelDB's lock, which the operating system drops when the process dies: a crash leaves nothing to clean up. */
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === 'LEVEL_LOCKED' || isLocked(error.cause);
}

/** Where a client on this machine reaches the service. */
function urlOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}
