import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchedProcess } from './launch.ts';

/** Time in which an interpreter must have opened its pipe. */
const MAX_START_MS = 10_000;
const RETRY_INTERVAL_MS = 2;

/** The writing end of the pipe, as soon as the interpreter has opened the other. */
export async function pipeTo(name: string, launched: LaunchedProcess): Promise<Socket | null> {
  for (let waitedMs = 0; waitedMs < MAX_START_MS && !launched.hasEnded(); waitedMs += RETRY_INTERVAL_MS) {
    const directory = launched.directory();
    const pipe = directory === null ? null : opened(join(directory, name));
    if (pipe !== null) return pipe;
    await sleep(RETRY_INTERVAL_MS);
  }
  return null;
}

function opened(path: string): Socket | null {
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    // A program that ends early does not read it.
    return new Socket({ fd, readable: false, writable: true }).on('error', () => undefined);
  } catch (error) {
    // The pipe does not exist yet, or has no reader.
    if (['ENOENT', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
