import { readFile } from 'node:fs/promises';

const LOOK_EVERY_MS = 500;

/**
 * Calls `end` once when npm, or the shell that npm puts between itself and a script, is gone: neither passes its own end
 * on. Only under npm: who starts the program in the background of a script that ends means it to stay.
 */
export async function endWithNpm(end: () => void): Promise<void> {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const npm = await parentOfShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
    clearInterval(timer);
    end();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** Undefined where the parent is not a shell, or where this is not to be had: outside Linux. */
async function parentOfShell(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+) /s.exec(stat) ?? [];
  return /^(ba|da|z)?sh$/.test(name) ? Number(parent) : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
