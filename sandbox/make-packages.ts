/**
 * Installs the packages that programs can import, from sandbox/packages/*.txt, into a folder that runs can only read: RUNNER_PACKAGES, or
 * the user's default folder. The new folder replaces the old one only when it is complete. Their dependencies have the versions of the lock
 * files there; `--lock` chooses new ones and writes those.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPython } from './runner/languages/python.ts';
import {
  defaultPackagesFolder,
  type InstalledPackage,
  LIST_FILE,
  minorVersion,
  PYTHON_VERSION_FILE,
} from './runner/packages.ts';

const run = promisify(execFile);
const MB = 1024 * 1024;
const lists = process.env.PACKAGE_LISTS ?? fileURLToPath(new URL('./packages', import.meta.url));
const uid = process.getuid?.();
const LOCK_HEAD = '# All that python.txt needs, by `npm run sandbox:packages -- --lock`.\n';
const folder = process.env.RUNNER_PACKAGES ?? defaultPackagesFolder(uid);
const draft = `${folder}.new`;
const locks = process.argv.includes('--lock');
/** Its glyphs of Chinese and Japanese follow those of the Korean font. */
const CJK_FONT = { name: '@expo-google-fonts/noto-sans-sc', file: '400Regular/NotoSansSC_400Regular.ttf' } as const;

async function linesOf(name: string): Promise<string[]> {
  const text = await readFile(join(lists, name), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Runs a pip that installs for the interpreter of programs. @returns its output */
async function pip(python: string, ...parameters: string[]): Promise<string> {
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
    return (await run(program, [...first, ...parameters], { maxBuffer: 16 * MB })).stdout;
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
  const lock = join(lists, 'python.lock');
  await pip(python, 'install', ...options, ...(locks ? [] : ['--constraint', lock]), '--target', target, ...wanted);
  if (locks) await writeFile(lock, LOCK_HEAD + (await pip(python, 'list', '--path', target, '--format', 'freeze')));
  await rm(join(target, 'bin'), { recursive: true, force: true });
  await removeTests(target);
  for (const file of ['sitecustomize.py', 'tripod_figures.py', 'matplotlibrc'])
    await cp(join(lists, 'python', file), join(target, file));
  await cp(join(draft, 'javascript', 'node_modules', CJK_FONT.name, CJK_FONT.file), join(target, 'tripod-cjk.ttf'));
  const fonts = join(target, 'tripod-fonts');
  await mkdir(fonts);
  const env = { PATH: '/usr/bin:/bin', PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1', HOME: fonts };
  await run(python, [join(lists, 'python', 'make_fonts.py'), fonts], { env });
  await run(python, ['-I', '-m', 'compileall', '-q', '-j', '0', target], { maxBuffer: 16 * MB }).catch(() => undefined);
  const { stdout } = await run(python, ['-I', '-c', 'import platform; print(platform.python_version(), end="")']);
  await writeFile(join(target, PYTHON_VERSION_FILE), minorVersion(stdout));
  await writeList(
    target,
    wanted.map((line) => line.split('==')),
  );
}

/** Tests of the packages are a tenth of them, and no program imports them. */
async function removeTests(target: string): Promise<void> {
  const entries = await readdir(target, { withFileTypes: true, recursive: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name === 'tests');
  for (const { parentPath, name } of folders) await rm(join(parentPath, name), { recursive: true, force: true });
}

async function installJavascript(): Promise<void> {
  const target = join(draft, 'javascript');
  const wanted = await linesOf('javascript.txt');
  await mkdir(target, { recursive: true });
  const pairs = wanted.map((line) => [line.slice(0, line.lastIndexOf('@')), line.slice(line.lastIndexOf('@') + 1)]);
  const manifest = { private: true, dependencies: Object.fromEntries(pairs) };
  await writeFile(join(target, 'package.json'), JSON.stringify(manifest));
  const lock = join(lists, 'javascript.lock.json');
  if (!locks) await cp(lock, join(target, 'package-lock.json'));
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const options = [locks ? 'install' : 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', target];
  await run(program!, [...first, ...options], { cwd: target, maxBuffer: 16 * MB });
  if (locks) await cp(join(target, 'package-lock.json'), lock);
  await writeList(
    target,
    pairs.filter(([name]) => name !== CJK_FONT.name),
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
console.log('Installing packages for programs: about 300 MB to download, 1.1 GB on the disk.');
await installJavascript();
await installPython();
await rm(join(draft, 'javascript', 'node_modules', CJK_FONT.name), { recursive: true });
const sizes: string[] = [];
for (const language of await readdir(draft))
  sizes.push(`${language} ${Math.round((await sizeOf(join(draft, language))) / MB)} MB`);
await rm(folder, { recursive: true, force: true });
await rename(draft, folder);
console.log(`Packages for programs are in ${folder}: ${sizes.join(', ')}. Restart the service to use them.`);
