import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attackSnippets } from './attack-snippets.ts';
import { hostileSnippets } from './hostile-snippets.ts';
import { leftovers } from './leftovers.ts';
import {
  notInstalled,
  PRESTARTED,
  prewarmAll,
  type RunnerProcess,
  type RunnerProcessOptions,
  startRunner,
} from './runner-process.ts';

const isRoot = process.getuid?.() === 0;

/** What Docker leaves to root in a container, and Fargate too. */
const DOCKER_CAPABILITIES =
  '-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap';

/** Starts a command whose Landlock calls all give ENOSYS. */
const WITHOUT_LANDLOCK = `
import ctypes, os, struct, sys
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x00050026), (0x06, 0, 0, 0x7fff0000)]
table = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(table)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
`;

interface Surroundings {
  readonly name: string;
  readonly options: RunnerProcessOptions;
  readonly landlock: boolean;
  readonly asRoot: boolean;
  /** True where confinement is that of another place, and only how the runner gets to know differs: some programs suffice. */
  readonly isSampled?: boolean;
}

/** One program of so many. */
const SAMPLED = 5;

const places: readonly Surroundings[] = [
  { name: 'as root', options: {}, landlock: true, asRoot: true },
  {
    name: 'as root without Landlock',
    options: { environment: { RUNNER_LANDLOCK: '0' } },
    landlock: false,
    asRoot: true,
    isSampled: true,
  },
  {
    name: 'with Docker’s capabilities, without Landlock',
    options: {
      prefix: ['setpriv', '--inh-caps=-all', `--bounding-set=${DOCKER_CAPABILITIES}`],
      // Containers see their control groups, and may make none.
      environment: { RUNNER_LANDLOCK: '0', RUNNER_MEMORY_GROUPS: '0' },
    },
    landlock: false,
    asRoot: true,
  },
  {
    name: 'on a kernel that has no Landlock',
    options: { prefix: ['python3', '-c', WITHOUT_LANDLOCK] },
    landlock: false,
    asRoot: true,
    isSampled: true,
  },
  { name: 'as an ordinary user', options: isRoot ? { uid: 54_321 } : {}, landlock: true, asRoot: false },
];

/** Programs in interpreters that have waited for them are kept in as others are. */
const surroundings = [
  ...places.map((place) => ({ ...place, prestarted: false })),
  ...places.map((place) => ({ ...place, name: `${place.name}, pre-started`, prestarted: true })),
];

const withoutPrestart = ({ environment, ...options }: RunnerProcessOptions): RunnerProcessOptions => ({
  ...options,
  environment: { ...environment, RUNNER_PREWARM: 'none' },
});

describe('the hostile suite', () => {
  it('has at least 120 snippets', () => {
    expect(hostileSnippets.length).toBeGreaterThanOrEqual(120);
  });
});

const STREW =
  "for place in /tmp /var/tmp /dev/shm; do for name in deep $'\\xff\\xfe'; do mkdir -p $place/$name-$$/er && echo x >$place/$name-$$/er/file && echo x >$place/$name-$$-file && echo strewn; done; done";

describe.each(surroundings)('programs that want out, $name', ({ options, landlock, asRoot, prestarted, isSampled }) => {
  let runner: RunnerProcess;
  let cannot = process.platform === 'linux' ? '' : 'this is not Linux';
  if (asRoot && !isRoot) cannot = 'this is not root';
  let descriptors = 0;

  beforeAll(async () => {
    if (cannot !== '') return;
    const started = await startRunner(prestarted ? options : withoutPrestart(options));
    if (typeof started === 'string') {
      // A machine may lack Landlock or rights, but never what the launcher brings itself.
      if (started.includes('seccomp table')) throw new Error(started);
      cannot = started;
      return;
    }
    runner = started;
    await prewarmAll(runner);
    descriptors = leftovers(runner).descriptors;
  });
  afterAll(() => runner?.stop());

  for (const [index, { language, name, code, only }] of hostileSnippets.entries()) {
    if (only !== undefined && !landlock) continue;
    if (isSampled && index % SAMPLED !== 0) continue;
    if (prestarted && !PRESTARTED.has(language)) continue;
    it(`${language}: ${name} is kept in`, async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has(language)) notInstalled(language, skip);
      const outcome = await runner.run({ language, code, timeoutSeconds: 60 });
      expect(outcome).toMatchObject({ kind: 'finished', stdout: expect.stringContaining('kept in:') });
      expect(JSON.stringify(outcome)).not.toContain('ESCAPED');
    });
  }

  for (const [name, { gives, varies: _, ...run }] of Object.entries(attackSnippets)) {
    if (prestarted && !PRESTARTED.has(run.language)) continue;
    it(`${run.language}: ${name}`, async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has(run.language)) notInstalled(run.language, skip);
      expect(await runner.run(run)).toMatchObject(gives);
    });
  }

  it('leave nothing behind, and the next program finds everything as before', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const outcome = await runner.run({ language: 'javascript', code: 'console.log("hello")' });
    expect(outcome).toMatchObject({ kind: 'finished', stdout: 'hello\n', stderr: '', exitCode: 0 });
    if (!landlock) {
      // What everybody may write to, a program may too, for as long as it runs.
      const strewn = await runner.run({ language: 'bash', code: STREW });
      expect(strewn).toMatchObject({ stdout: expect.stringContaining('strewn') });
    }
    // A large tree is removed beside the next programs.
    const isClean = () => runner.runDirectories().length <= (prestarted ? PRESTARTED.size : 0);
    await vi.waitUntil(isClean, { timeout: 90_000, interval: 100 });
    if (!prestarted) expect(leftovers(runner)).toMatchObject({ processes: [], files: [] });
    // Those of the interpreters that wait, and of a connection.
    expect(leftovers(runner).descriptors).toBeLessThanOrEqual(descriptors + 5 * PRESTARTED.size + 1);
    await runner.stop();
    expect(leftovers(runner)).toMatchObject({ processes: [], files: [] });
  });
});
