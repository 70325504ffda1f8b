import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writePrivateJson } from './private-file.ts';

/** The demo workspace, as `<data dir>/credentials.json` shows it to the user of the machine. */
const schema = z.object({
  baseUrl: z.string(),
  workspaceId: z.string(),
  email: z.string(),
  password: z.string(),
  apiKey: z.string(),
});

export type Credentials = z.infer<typeof schema>;

export function credentialsFile(dataDirectory: string): string {
  return join(dataDirectory, 'credentials.json');
}

/** @returns undefined when there is no such file. @throws Error that names the file when it cannot be understood. */
export async function readCredentials(dataDirectory: string): Promise<Credentials | undefined> {
  const path = credentialsFile(dataDirectory);
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read as credentials; put it right or delete it`, { cause: error });
  }
}

export function writeCredentials(dataDirectory: string, credentials: Credentials): Promise<void> {
  return writePrivateJson(credentialsFile(dataDirectory), credentials);
}
