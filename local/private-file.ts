import { open, rename } from 'node:fs/promises';

/** Writes a JSON file that only its owner can read: whole or not at all, also when the machine stops half-way. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    // The mode above counts only for a new file, and only as far as the umask lets it.
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
