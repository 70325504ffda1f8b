import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRoot } from './hostile/kept-in.ts';
import { notInstalled, type RunnerProcess, startRunner } from './runner-process.ts';

/** Names and places that programs see. */

let runner: RunnerProcess | string = 'this is not root';
beforeAll(async () => {
  if (isRoot) runner = await startRunner();
});
afterAll(async () => {
  if (typeof runner !== 'string') await runner.stop();
});

const started = (skip: (note: string) => never): RunnerProcess => {
  if (typeof runner === 'string') return skip(runner);
  return runner;
};

it('the user of a program has a name, and so has its group', async ({ skip }) => {
  const run = started(skip);
  if (!run.confinement.ownFiles) skip('this machine does not allow the mount');
  const code = 'whoami; id -gn; getent passwd root | cut -d: -f1; echo >>/etc/passwd; ls -l /etc/passwd | cut -c1-10';
  expect(await run.run({ language: 'bash', code })).toMatchObject({
    stdout: 'program\nprogram\nroot\n-r--r--r--\n',
    stderr: expect.stringContaining('/etc/passwd: Permission denied'),
  });
  if (!run.languages.has('python')) notInstalled('python', skip);
  const python =
    'import getpass, os, pwd; print(getpass.getuser(), pwd.getpwuid(os.getuid()).pw_name, os.path.expanduser("~program") == os.environ["HOME"])';
  expect(await run.run({ language: 'python', code: python })).toMatchObject({ stdout: 'program program True\n' });
  // The machine's own list stays as it was.
  expect(existsSync('/etc/passwd')).toBe(true);
});

it('stacks name no place of the machine’s packages or runs', async ({ skip }) => {
  const run = started(skip);
  const programs = [
    { language: 'python', code: 'def f(): raise ValueError("no")\nf()' },
    { language: 'javascript', code: 'function f() { throw new Error("no") }\nf()' },
    { language: 'ruby', code: 'def f = raise("no")\nf' },
  ] as const;
  for (const program of programs) {
    if (!run.languages.has(program.language)) notInstalled(program.language, skip);
    const outcome = await run.run(program);
    expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no') });
    expect((outcome as { stderr: string }).stderr).not.toContain('tripod');
  }
});

it('a program that looks for a network gets a line that there is none', async ({ skip }) => {
  const run = started(skip);
  if (!run.languages.has('python')) notInstalled('python', skip);
  const code = 'import urllib.request; urllib.request.urlopen("http://example.com")';
  expect(await run.run({ language: 'python', code })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /Programs have no network\. Send the data that they need as files of the request\.\n$/,
    ),
  });
});
