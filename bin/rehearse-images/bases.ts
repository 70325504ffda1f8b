import { cpSync, existsSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandFailed, finish, type Podman } from './podman.ts';

/** A base image of a Dockerfile, as the default of its argument names it. */
export interface Base {
  /** Name with its registry and tag, such as `public.ecr.aws/docker/library/node:24.21.0-bookworm-slim`. */
  readonly image: string;
  readonly version: string;
  /** Release of Debian. */
  readonly suite: string;
}

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** @throws Error if the Dockerfile has no such argument with a version and a release of Debian. */
export function baseOf(dockerfile: string, argument: string): Base {
  const [, image, version, suite] =
    new RegExp(`^ARG ${argument}=(\\S+:(\\d+\\.\\d+\\.\\d+)-([a-z]+)\\S*)$`, 'm').exec(dockerfile) ?? [];
  if (image === undefined || version === undefined || suite === undefined)
    throw new Error(`The Dockerfile has no ARG ${argument}=…:<version>-<release of Debian>.`);
  return { image, version, suite };
}

/**
 * Makes the image of Node that a Dockerfile starts with, without a registry of images: Debian by debootstrap, and Node from npm.
 * @param folder an empty folder on a disk with 500 MB
 * @throws CommandFailed
 */
export async function makeNodeBase(podman: Podman, name: string, base: Base, folder: string): Promise<void> {
  const root = join(folder, 'root');
  await succeed('debootstrap', ['--variant=minbase', '--include=ca-certificates', base.suite, root]);
  const npm = dirname(dirname(realpathSync(process.env.npm_execpath ?? (await outputOf('which', 'npm')))));
  cpSync(await nodeBinary(base.version, folder), join(root, 'usr/local/bin/node'));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const command of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, join(root, 'usr/local/bin', command));
  // A network may have its own authority.
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(root, CERTIFICATES));
  await succeed('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
  for (const cache of ['var/cache/apt', 'var/lib/apt/lists']) rmSync(join(root, cache), { recursive: true });
  await importFolder(podman, name, root, ['.'], [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, 'CMD ["node"]']);
  rmSync(root, { recursive: true });
}

/**
 * Makes the image that the runner's Dockerfile copies Go from, out of the Go of this machine.
 * @throws CommandFailed if Go is not installed
 */
export async function makeGoBase(podman: Podman, name: string): Promise<void> {
  const go = process.env.GO ?? 'go';
  const root = await outputOf(go, 'env', 'GOROOT').catch(() => {
    throw new CommandFailed('The image of the runner requires Go: apt-get install golang-go');
  });
  const prefix = realpathSync(root).replace(/^\//, '');
  await importFolder(podman, name, '/', ['--dereference', `--transform=s,^${prefix},usr/local/go,`, prefix], []);
}

/** Node from npm's package of its binary, of exactly this version. */
async function nodeBinary(version: string, folder: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const installed = join('node_modules', name);
  const manifest = join(installed, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version)
    return join(installed, 'bin/node');
  await succeed('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', folder, `${name}@${version}`]);
  return join(folder, 'node_modules', name, 'bin/node');
}

async function importFolder(
  podman: Podman,
  name: string,
  folder: string,
  parameters: readonly string[],
  changes: readonly string[],
): Promise<void> {
  const options = [...podman.means.global, 'import', ...changes.flatMap((change) => ['--change', change]), '-', name];
  const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');
  const pipe = `tar -C '${folder}' -c ${quoted(parameters)} | podman ${quoted(options)}`;
  await succeed('bash', ['-o', 'pipefail', '-c', pipe]);
}

async function outputOf(command: string, ...parameters: readonly string[]): Promise<string> {
  return (await succeed(command, parameters)).trim();
}

async function succeed(command: string, parameters: readonly string[]): Promise<string> {
  const { status, text } = await finish(command, parameters);
  if (status !== 0) throw new CommandFailed(`${command} ended with ${status}: ${text.trimEnd().slice(-600)}`);
  return text;
}
