import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The output of a Python program. */
export async function runPython(script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-c', script, ...args]);
  return stdout;
}
