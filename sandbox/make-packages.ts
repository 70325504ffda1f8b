/**
 * Installs the packages that programs can import, from sandbox/packages/*.txt, into a folder that runs can only read: RUNNER_PACKAGES, or
 * the user's default folder. The new folder replaces the old one only when it is complete.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPython } from './runner/installed-languages.ts';
import { defaultPackagesFolder, type InstalledPackage, LIST_FILE } from './runner/packages.ts';

const run = promisify(execFile);
const MB = 1024 * 1024;
const lists = process.env.PACKAGE_LISTS ?? fileURLToPath(new URL('./packages', import.meta.url));
const uid = process.getuid?.();
const folder = process.env.RUNNER_PACKAGES ?? defaultPackagesFolder(uid);
const draft = `${folder}.new`;

async function linesOf(name: string): Promise<string[]> {
  const text = await readFile(join(lists, name), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Runs a pip that installs for the interpreter of programs. */
async function pip(python: string, ...parameters: string[]): Promise<void> {
  const attempts: (readonly [string, readonly string[]])[] = [
    [python, ['-m', 'pip']],
    ['python3', ['-m', 'pip', '--python', python]],
    ['pip3', ['--python', python]],
  ];
  for (const [program, first] of attempts) {
    const hasPip = await run(program, [...first, '--version']).then(
      () => true,
      () => false,
    );
    if (!hasPip) continue;
    await run(program, [...first, ...parameters], { maxBuffer: 16 * MB });
    return;
  }
  throw new Error('pip is not there: apt-get install python3-pip');
}

async function installPython(): Promise<void> {
  const python = await findPython({ forOtherUsers: uid === 0 });
  if (python === null) return console.log('Python is not installed here, so no packages for it are.');
  const target = join(draft, 'python');
  const wanted = await linesOf('python.txt');
  const options = [
    '--quiet',
    '--no-compile',
    '--only-binary=:all:',
    '--disable-pip-version-check',
    '--root-user-action=ignore',
  ];
  await pip(python, 'install', ...options, '--target', target, ...wanted);
  await rm(join(target, 'bin'), { recursive: true, force: true });
  for (const file of ['sitecustomize.py', 'tripod_figures.py', 'matplotlibrc'])
    await cp(join(lists, 'python', file), join(target, file));
  const fonts = join(target, 'tripod-fonts');
  await mkdir(fonts);
  const env = { PATH: '/usr/bin:/bin', PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1', HOME: fonts };
  await run(python, [join(lists, 'python', 'make_fonts.py'), fonts], { env });
  await run(python, ['-I', '-m', 'compileall', '-q', '-j', '0', target], { maxBuffer: 16 * MB }).catch(() => undefined);
  await writeList(
    target,
    wanted.map((line) => line.split('==')),
  );
}

async function installJavascript(): Promise<void> {
  const target = join(draft, 'javascript');
  const wanted = await linesOf('javascript.txt');
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'package.json'), '{"private":true}');
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const options = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--save-exact',
    '--prefix',
    target,
  ];
  await run(program!, [...first, ...options, ...wanted], { cwd: target, maxBuffer: 16 * MB });
  await writeList(
    target,
    wanted.map((line) => [line.slice(0, line.lastIndexOf('@')), line.slice(line.lastIndexOf('@') + 1)]),
  );
}

async function writeList(target: string, pairs: readonly (readonly string[])[]): Promise<void> {
  const packages: InstalledPackage[] = pairs.map(([name = '', version = '']) => ({ name, version }));
  await writeFile(join(target, LIST_FILE), JSON.stringify(packages));
}

async function sizeOf(place: string): Promise<number> {
  const entries = await readdir(place, { withFileTypes: true, recursive: true });
  let bytes = 0;
  for (const entry of entries) if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

process.umask(0o022);
await mkdir(dirname(folder), { recursive: true });
await rm(draft, { recursive: true, force: true });
await mkdir(draft);
await installPython();
await installJavascript();
await rm(folder, { recursive: true, force: true });
await rename(draft, folder);
console.log(
  `Packages for programs are in ${folder}: ${Math.round((await sizeOf(folder)) / MB)} MB. Restart the service to use them.`,
);
