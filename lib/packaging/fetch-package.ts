import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A package that npm does not install here, because it is for another platform, from the registry that npm is set up for.
 * @param integrity as in package-lock.json, `sha512-...`
 * @returns the folder it is unpacked in
 */
export async function fetchPackage(wanted: { name: string; version: string; integrity: string }): Promise<string> {
  const { name, version, integrity } = wanted;
  const folder = await mkdtemp(join(tmpdir(), 'tripod-package-'));
  const archive = await download(`${name}@${version}`, folder);
  const [algorithm = ''] = integrity.split('-', 1);
  const actual = `${algorithm}-${createHash(algorithm)
    .update(await readFile(archive))
    .digest('base64')}`;
  if (actual !== integrity)
    throw new Error(`${name}@${version} has the checksum ${actual}; package-lock.json says ${integrity}.`);
  await run('tar', ['-xzf', archive, '-C', folder]);
  return join(folder, 'package');
}

async function download(spec: string, folder: string): Promise<string> {
  try {
    const { stdout } = await run('npm', ['pack', spec, '--json', '--prefer-offline', '--pack-destination', folder], {
      cwd: folder,
      // npm is a script there.
      shell: process.platform === 'win32',
    });
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    return join(folder, packed!.filename);
  } catch (error) {
    throw new Error(`${spec} is not installed here and could not be fetched with npm. Is the registry within reach?`, {
      cause: error,
    });
  }
}
