import { releaseDeadClaims } from '../functions/adapters/shared/release-dead-claims.ts';
import type { Credentials } from './credentials.ts';
import { openDataDirectory } from './data-directory.ts';
import { demoWorkspace } from './demo-workspace.ts';
import { type EmbeddedAws, startEmbeddedAws } from './embedded/aws.ts';
import type { Stores } from './embedded/stores.ts';
import { applyEnvironment, localEnvironment } from './environment.ts';
import type { LocalSettings } from './settings.ts';

/** Everything behind the gateway, on one data directory. */
export interface Backend {
  readonly aws: EmbeddedAws;
  /** This process's environment, for others that work on the same data. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes the demo workspace unless it is there, and says where the service is to be found. */
  demoWorkspace(baseUrl: string): Promise<Credentials>;
  stop(): Promise<void>;
}

/** @param stores those of the data directory. @throws DataDirectoryInUse, CannotStart */
export async function startBackend(
  settings: Omit<LocalSettings, 'host' | 'port'>,
  stores: Promise<Stores> = openDataDirectory(settings),
): Promise<Backend> {
  const aws = await startEmbeddedAws(await stores);
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
