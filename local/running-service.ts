import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateJson } from './private-file.ts';

/** How others on this machine find the service that has a data directory open. */
export interface RunningService {
  readonly pid: number;
  readonly url: string;
  /** Endpoints and names, for commands that work on the same data. */
  readonly environment: Readonly<Record<string, string>>;
}

const fileOf = (dataDirectory: string) => join(dataDirectory, 'service.json');

export function announce(dataDirectory: string, service: RunningService): Promise<void> {
  return writePrivateJson(fileOf(dataDirectory), service);
}

export function withdraw(dataDirectory: string): Promise<void> {
  return rm(fileOf(dataDirectory), { force: true });
}

/** The announcement of this directory's last service; after a crash it may no longer run. */
export async function announced(dataDirectory: string): Promise<RunningService | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(dataDirectory), 'utf8')) as RunningService;
  } catch {
    return undefined;
  }
}
