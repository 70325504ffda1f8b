import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { DEFAULT_RESOURCES } from '../../functions/sandbox/domain/run.ts';
import { launcherArguments } from '../../sandbox/runner/launcher-arguments.ts';
import { RunDirectory } from '../../sandbox/runner/run-directory.ts';
import { testedConfinement } from './tested-confinement.ts';

const confinement = testedConfinement();
const BYTES = 8_000_000;
const isRoot = process.getuid?.() === 0;

it.skipIf(!isRoot)('no process of a run can end the one that collects its files', async () => {
  const separated = { ...confinement(), landlock: false, ownFiles: false };
  const directory = await RunDirectory.make(separated, {});
  const uid = directory.uid as number;
  const options = launcherArguments(
    {
      ...{ confinement: separated, directory, resources: DEFAULT_RESOURCES, reservedMb: 0, readable: [] },
      ...{ environment: {}, collects: true },
      command: ['/bin/sh', '-c', `mkdir out && head -c ${BYTES} /dev/zero >out/file`],
    },
    null,
  );
  const launcher = spawn(separated.launcher, options, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], env: {} });
  try {
    const report = launcher.stdio[3] as Socket;
    const ended = once(launcher, 'close');
    await text(report, /^P .*\n/m);
    report.write('.');
    // It blocks in the middle of the file, since no one reads on.
    const begun = await text(report, /^F 4 8000000\n/m);
    const pid = await vi.waitUntil(() => collectorOf(launcher), { timeout: 10_000 });
    const { status } = spawnSync('/bin/sh', ['-c', `kill -9 ${pid}`], { uid, gid: uid });
    expect(status).not.toBe(0);
    let received = begun.length;
    for await (const chunk of report) received += (chunk as Buffer).length;
    await ended;
    expect(received).toBeGreaterThan(BYTES);
  } finally {
    launcher.kill('SIGKILL');
    await directory.remove();
  }
});

/** Reads until a pattern has come, and no further. */
async function text(stream: Socket, awaited: RegExp): Promise<Buffer> {
  const chunks: Buffer[] = [];
  while (!awaited.test(Buffer.concat(chunks).toString('latin1'))) {
    const chunk = stream.read() as Buffer | null;
    if (chunk === null) await once(stream, 'readable');
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The only child that is left once the program has ended. */
function collectorOf({ pid }: ChildProcess): number | null {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return children.length === 1 ? Number(children[0]) : null;
}
