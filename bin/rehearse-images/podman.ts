import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Finished {
  readonly status: number;
  /** Standard output and standard error. */
  readonly text: string;
}

/** Options that containers and builds need on this machine. */
export interface Means {
  readonly global: readonly string[];
  readonly run: readonly string[];
  readonly build: readonly string[];
  readonly hasInit: boolean;
  /** Whether memory, processors and processes can be limited. */
  readonly hasLimits: boolean;
}

const MINIMAL: Means = { global: [], run: [], build: [], hasInit: false, hasLimits: false };

/** Below what pids_limit of compose.yaml leaves any container. */
const PROCESSES = 4096;

export class CommandFailed extends Error {}

/** No timers of systemd for health checks: the rehearsal asks for them itself. */
const env = { ...process.env, DISABLE_HC_SYSTEMD: 'true' };

/** The end of a command and everything that it printed. */
export function finish(command: string, parameters: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'], env });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    child.on('error', (error) => resolve({ status: 127, text: error.message }));
    child.on('close', (status) => resolve({ status: status ?? 1, text }));
  });
}

/** Calls of podman with the options that this machine needs. */
export class Podman {
  readonly means: Means;

  constructor(means: Means = MINIMAL) {
    this.means = means;
  }

  try(parameters: readonly string[]): Promise<Finished> {
    return finish('podman', [...this.means.global, ...parameters]);
  }

  /** @throws CommandFailed with the last lines that podman printed. */
  async call(parameters: readonly string[]): Promise<string> {
    const { status, text } = await this.try(parameters);
    if (status !== 0)
      throw new CommandFailed(`podman ${parameters.slice(0, 2).join(' ')} ended with ${status}:\n${lastLines(text)}`);
    return text;
  }

  async build(parameters: readonly string[]): Promise<void> {
    // Docker's format: the other one has no HEALTHCHECK.
    await this.call(['build', '--format=docker', '--layers=false', ...this.means.build, ...parameters]);
  }

  run(parameters: readonly string[]): Promise<string> {
    return this.call(['run', ...this.means.run, ...parameters]);
  }

  exec(container: string, ...command: readonly string[]): Promise<string> {
    return this.call(['exec', container, ...command]);
  }
}

/** Podman with a storage that it can use here. @returns null if there is no podman */
export async function findPodman(): Promise<Podman | null> {
  if ((await finish('podman', ['--version'])).status !== 0) return null;
  for (const global of [[], ['--storage-driver=vfs']]) {
    const podman = new Podman({ ...MINIMAL, global });
    if ((await podman.try(['info'])).status === 0) return podman;
  }
  throw new CommandFailed(`podman finds no storage: ${lastLines((await finish('podman', ['info'])).text)}`);
}

/**
 * The first combination of options with which a confined container runs and an image is built here: some machines have only part of the
 * cgroups, of the name spaces, or of the rights to raise limits.
 * @param image with sh and npm
 * @param probe name of an image that is made for this
 */
export async function findMeans(podman: Podman, image: string, probe: string): Promise<Podman> {
  const { global } = podman.means;
  const { text } = await finish('sh', ['-c', 'ulimit -Hn']);
  const ulimits = ['--ulimit', `nofile=${text.trim()}:${text.trim()}`, '--ulimit', `nproc=${PROCESSES}:${PROCESSES}`];
  const limits = ['--memory=64m', '--pids-limit=64', `--cpus=${availableParallelism()}`];
  const confined = ['--rm', '--network=none', '--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'];
  const candidates = [true, false].flatMap((hasLimits) =>
    [[], ['--runtime=runc'], ['--runtime=crun']].flatMap((runtime) =>
      [[], ulimits].map((run): Means => {
        const options = hasLimits ? run : [...run, '--cgroups=disabled'];
        return { ...MINIMAL, global: [...global, ...runtime], run: options, hasLimits };
      }),
    ),
  );
  let refused = '';
  for (const means of candidates) {
    const tried = new Podman(means);
    const result = await tried.try([
      'run',
      ...means.run,
      ...confined,
      ...(means.hasLimits ? limits : []),
      image,
      'true',
    ]);
    if (result.status === 0) return withInitAndBuild(tried, [...confined, '--init', image, 'true'], image, probe);
    refused = lastLines(result.text);
  }
  throw new CommandFailed(`podman runs no container here: ${refused}`);
}

async function withInitAndBuild(
  podman: Podman,
  withInit: readonly string[],
  image: string,
  probe: string,
): Promise<Podman> {
  const { status } = await podman.try(['run', ...podman.means.run, ...withInit]);
  const build = await findBuildOptions(podman, image, probe);
  return new Podman({ ...podman.means, hasInit: status === 0, build });
}

async function findBuildOptions(podman: Podman, image: string, probe: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tripod-probe-'));
  const file = join(folder, 'Dockerfile');
  writeFileSync(file, `FROM ${image}\nRUN npm ping --fetch-retries=0\n`);
  try {
    let refused = '';
    for (const options of [[], ['--network=host'], ['--isolation=chroot', '--network=host']]) {
      const made = ['--layers=false', '--tag', probe, '--file', file, folder];
      const result = await podman.try(['build', ...options, ...made]);
      if (result.status === 0) return options;
      refused = lastLines(result.text);
    }
    throw new CommandFailed(`podman builds no image here that reaches a package registry: ${refused}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-15).join('\n');
}
