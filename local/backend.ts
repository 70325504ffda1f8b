import { mkdir } from 'node:fs/promises';
import { releaseDeadClaims } from '../functions/adapters/shared/release-dead-claims.ts';
import type { Credentials } from './credentials.ts';
import { demoWorkspace } from './demo-workspace.ts';
import { type EmbeddedAws, startEmbeddedAws } from './embedded/aws.ts';
import { applyEnvironment, localEnvironment } from './environment.ts';
import type { LocalSettings } from './settings.ts';

/** Everything behind the gateway, on one data directory. */
export interface Backend {
  readonly aws: EmbeddedAws;
  /** What has been made this process's environment, for others who want to work on the same data. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes the demo workspace unless it is there, and says where the service is to be found. */
  demoWorkspace(baseUrl: string): Promise<Credentials>;
  stop(): Promise<void>;
}

/** Another process has the data directory open. */
export class DataDirectoryInUse extends Error {}

/** Why the service cannot start, in words for the person who started it. */
export class CannotStart extends Error {}

/** @throws DataDirectoryInUse, CannotStart */
export async function startBackend(settings: Pick<LocalSettings, 'dataDirectory' | 'debug'>): Promise<Backend> {
  await makeDirectory(settings.dataDirectory);
  const aws = await openAws(settings.dataDirectory);
  const environment = { ...aws.environment, ...localEnvironment(settings) };
  applyEnvironment(environment);
  await releaseDeadClaims();
  return {
    aws,
    environment,
    demoWorkspace: (baseUrl) => demoWorkspace(settings.dataDirectory, baseUrl),
    stop: () => aws.stop(),
  };
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
    if (isLocked(error)) throw new DataDirectoryInUse();
    throw error;
  }
}

/** LevelDB's lock, which the operating system drops when the process dies: a crash leaves nothing to clean up. */
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === 'LEVEL_LOCKED' || isLocked(error.cause);
}
