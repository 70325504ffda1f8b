import { readdir, readFile } from 'node:fs/promises';

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All processes of this machine that have not ended; Linux only. */
export async function listProcesses(): Promise<readonly ListedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const listed = await Promise.all(pids.map(listedProcess));
  return listed.filter((each) => each !== undefined);
}

/** All descendants of a process. */
export async function descendantsOf(pid: number): Promise<readonly ListedProcess[]> {
  const all = await listProcesses();
  const found = new Set([pid]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const each of all) if (found.has(each.parent)) found.add(each.pid);
  }
  return all.filter((each) => each.pid !== pid && found.has(each.pid));
}

async function listedProcess(name: string): Promise<ListedProcess | undefined> {
  const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
  const [stat, commandLine] = await Promise.all([read('stat'), read('cmdline')]);
  const [, state, parent] = /^\d+ \(.*\) (\S) (\d+) /s.exec(stat) ?? [];
  // A zombie has ended; only its parent has not asked yet.
  if (parent === undefined || state === 'Z') return undefined;
  return { pid: Number(name), parent: Number(parent), command: commandLine.replaceAll('\0', ' ').trim() };
}
