import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Language } from '../../sandbox/runner/languages/language.ts';
import { PrestartedInterpreter } from '../../sandbox/runner/prestarted-interpreter.ts';
import { testedConfinement } from './tested-confinement.ts';

const confinement = testedConfinement();

const INPUT = { stdin: 'a word', timeoutMs: 60_000 };

/** An interpreter that is found by its last parameter, told apart from those of other tests. */
function interpreter(mark: string, ...options: string[]): Language {
  const command = [process.execPath, ...options, 'main.mjs', mark] as const;
  return {
    name: 'javascript',
    version: process.versions.node,
    file: 'main.mjs',
    readable: [process.execPath],
    environment: {},
    reservedMb: 2048,
    run: () => command,
    prestart: { command: () => command },
    preparing: () => [],
  };
}

async function started(mark: string): Promise<PrestartedInterpreter> {
  const program = await PrestartedInterpreter.start(interpreter(mark), confinement());
  if (program === null) throw new Error('The interpreter did not come to its pipe.');
  return program;
}

function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(`\0${mark}\0`));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

it('waits confined, and runs the program that it is given from the file in the place of the pipe', async () => {
  const program = await started('waits-and-runs');
  try {
    expect(program.isWaiting()).toBe(true);
    expect(processesWith('waits-and-runs').length).toBeGreaterThan(0);
    const code = `
import { readFileSync, writeFileSync } from 'node:fs';
let outside = 'written';
try { writeFileSync('/tmp/prestarted-interpreter-test', ''); } catch ({ code }) { outside = code; }
console.log(readFileSync(0, 'utf8'), readFileSync('main.mjs', 'utf8').length, outside);`;
    const { exitCode, stdout, stderr } = await program.run({ code }, INPUT);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { landlock, ownFiles } = confinement();
    expect(stdout).toBe(`a word ${code.length} ${landlock && !ownFiles ? 'EACCES' : 'written'}\n`);
    // With private files, its writes exist nowhere else.
    expect(existsSync('/tmp/prestarted-interpreter-test')).toBe(!landlock && !ownFiles);
    expect(program.isWaiting()).toBe(false);
  } finally {
    await program.directory.remove();
  }
});

it('leaves neither process nor directory when it is not wanted any more', async () => {
  const program = await started('not-wanted');
  const { path } = program.directory;
  await program.discard();
  expect(program.isWaiting()).toBe(false);
  expect(processesWith('not-wanted')).toEqual([]);
  expect(existsSync(path)).toBe(false);
});

it('is ended when it cannot be given its program', async () => {
  const program = await started('cannot-be-given');
  const pipe = processesWith('cannot-be-given')
    .map((pid) => `/proc/${pid}/cwd/main.mjs`)
    .find((path) => existsSync(path));
  unlinkSync(pipe ?? 'nowhere');
  mkdirSync(pipe ?? 'nowhere');
  await expect(program.run({ code: 'console.log(1)' }, INPUT)).rejects.toThrow('EISDIR');
  expect(processesWith('cannot-be-given')).toEqual([]);
  await program.directory.remove();
});

it('an interpreter that ends before it comes to its pipe is not used, and leaves nothing', async () => {
  const before = readdirSync(confinement().directory);
  expect(await PrestartedInterpreter.start(interpreter('ends-early', '--no-such-option'), confinement())).toBe(null);
  expect(processesWith('ends-early')).toEqual([]);
  expect(readdirSync(confinement().directory)).toEqual(before);
});

it('fits only runs with nothing that had to be known before', async () => {
  const language = interpreter('fits');
  const resources = { cpu: 1, memoryMb: 512, diskMb: 100 };
  const run = { language: 'javascript', code: '1', stdin: '', environment: {}, timeoutSeconds: 5, resources } as const;
  expect(PrestartedInterpreter.fits(run, language)).toBe(true);
  expect(PrestartedInterpreter.fits({ ...run, environment: { A: '' } }, language)).toBe(false);
  expect(PrestartedInterpreter.fits({ ...run, resources: { ...resources, memoryMb: 513 } }, language)).toBe(false);
  const unfit = {
    ...language,
    prestart: { ...language.prestart!, isUnfit: (code: string) => code.includes('uptime') },
  };
  expect(PrestartedInterpreter.fits({ ...run, code: 'process.uptime()' }, unfit)).toBe(false);
});
