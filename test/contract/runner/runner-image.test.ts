import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunnerHttp } from '../../../functions/adapters/runner/runner-http.ts';
import { DEFAULT_RESOURCES, type LanguageName, type Run } from '../../../functions/sandbox/domain/run.ts';
import type { RunnerAnswer } from '../../../functions/sandbox/domain/runner-ports.ts';
import { sandboxDockerfile, sandboxFiles } from '../../../lib/packaging/sandbox-image.ts';
import packageFile from '../../../package.json' with { type: 'json' };
import { defaultGoCache } from '../../../sandbox/runner/languages/go-toolchain.ts';
import { IMAGE_PATH, inImageRoot, removeImageRoots, whyNoImageRoot, writablePlaces } from '../../helpers/image-root.ts';
import { killRunners, RUNNER_TOKEN, startRunner } from '../../helpers/started-runner.ts';

const dockerfile = readFileSync(sandboxDockerfile, 'utf8');
const isListed = (path: string) =>
  sandboxFiles.some((line) => line.startsWith('!') && `${path}/`.startsWith(`${line.slice(1)}/`));

describe('what the image is built from', () => {
  it('is listed as far as the Dockerfile copies it', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(([, paths]) =>
      (paths ?? '').split(' '),
    );
    expect(copied).toContain('sandbox/health.sh');
    for (const path of copied.filter((each) => each !== '.'))
      expect({ path, exists: existsSync(path), isListed: isListed(path) }).toEqual({
        path,
        exists: true,
        isListed: true,
      });
  });

  it('is listed as far as the runner imports it', async () => {
    const [, ...words] = packageFile.scripts['build:runner'].split(' ');
    const entryPoints = words.filter((word) => word.endsWith('.ts'));
    const { metafile } = await build({
      entryPoints,
      bundle: true,
      platform: 'node',
      format: 'esm',
      metafile: true,
      write: false,
      outdir: 'nowhere',
    });
    const own = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
    expect(own).toContain('sandbox/main.ts');
    for (const path of own) expect({ path, isListed: isListed(path) }).toEqual({ path, isListed: true });
  });
});

/** The capabilities that the task definition leaves of Docker's defaults. */
const CAPABILITIES = '-all,+chown,+dac_override,+kill,+setgid,+setuid';
const LIMITED = ['setpriv', '--inh-caps=-all', `--bounding-set=${CAPABILITIES}`];
const isLimitable = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

describe.runIf(process.platform === 'linux')('the runner as it lies in the image', () => {
  let temporary: string;
  let app: string;
  beforeAll(() => {
    temporary = mkdtempSync(join(process.getuid?.() === 0 ? '/var/lib' : tmpdir(), 'tripod-image-'));
    chmodSync(temporary, 0o755);
    app = join(temporary, 'app');
    const [program = '', ...parameters] = packageFile.scripts['build:runner'].split(' ');
    execFileSync(join('node_modules/.bin', program), [...parameters, `--outdir=${join(app, 'runner')}`]);
    mkdirSync(join(app, 'launcher'));
    for (const arch of ['x64', 'arm64'])
      cpSync(`sandbox/launcher/launch-linux-${arch}`, join(app, 'launcher', `launch-linux-${arch}`));
    cpSync('sandbox/health.sh', join(app, 'health.sh'));
  });
  afterAll(() => {
    killRunners();
    removeImageRoots();
    rmSync(temporary, { recursive: true });
  });

  /** With nothing but what the image and its task definition give it. */
  const start = () =>
    startRunner([...(isLimitable ? LIMITED : []), process.execPath, join(app, 'runner/main.mjs')], {
      RUNNER_MAX_USES: '3',
      RUNNER_DIRECTORY: temporary,
      RUNNER_GO_CACHE: defaultGoCache(process.getuid?.()),
    });

  it('says that it is well, runs programs, and ends when it has run enough', async ({ skip }) => {
    const runner = await start();
    if (typeof runner === 'string') return skip(runner);
    const { url, exit } = runner;
    const isWell = (port: string) =>
      spawnSync(join(app, 'health.sh'), { env: { PATH: process.env.PATH, RUNNER_PORT: port } }).status === 0;
    expect(isWell(new URL(url).port)).toBe(true);

    const client = new RunnerHttp({ token: async () => RUNNER_TOKEN, patienceMs: 20_000 });
    const hello = (language: LanguageName, code: string): Promise<RunnerAnswer> => {
      const run: Run = { language, code, stdin: '', environment: {}, timeoutSeconds: 30, resources: DEFAULT_RESOURCES };
      return client.run({ id: 'image', url, workspaceId: null }, run, { workspaceId: 'a' }, () => undefined);
    };
    const ran = (retires = false) => ({ kind: 'ran', outcome: { stdout: 'hello\n', exitCode: 0 }, retires });
    const languages = (await client.languages({ url })).map(({ name }) => name);
    expect(languages).toEqual(expect.arrayContaining(['bash', 'javascript', 'typescript']));
    expect(await hello('bash', 'echo hello')).toMatchObject(ran());
    expect(await hello('typescript', 'const text: string = "hello"; console.log(text)')).toMatchObject(ran());
    expect(await hello('javascript', 'console.log("hello")')).toMatchObject(ran(true));
    expect(await exit).toEqual([0, null]);
    expect(isWell(new URL(url).port)).toBe(false);
  });

  it('runs a program of each interpreter in a root that is read-only but for its memory disk, and ends on SIGTERM', async ({
    skip,
  }) => {
    const cannot = whyNoImageRoot();
    if (cannot !== '') return skip(cannot);
    const variables = [...dockerfile.matchAll(/^ENV ((?:.|\\\n)+)$/gm)].flatMap(([, line = '']) =>
      line.split(/[\s\\]+/).map((pair) => pair.split('=') as [string, string]),
    );
    const runner = await startRunner(
      // As large as the task definition has it.
      [
        ...inImageRoot({ app, tmpMib: 1100, places: ['tmp', 'programs'] }),
        ...LIMITED,
        'node',
        '--max-semi-space-size=1',
        '/app/runner/main.mjs',
      ],
      {
        ...Object.fromEntries(variables),
        PATH: IMAGE_PATH,
        RUNNER_HOST: '127.0.0.1',
        RUNNER_PORT: '0',
      },
    );
    if (typeof runner === 'string') {
      // If nothing can run on this machine, nothing can run here either.
      expect(typeof (await start()), runner).toBe('string');
      return skip(runner);
    }
    const { url, child, exit } = runner;
    expect(writablePlaces(child.pid!).filter((place) => !/^\/(dev|proc)(\/|$)/.test(place))).toEqual([
      '/tmp',
      '/programs',
    ]);
    const { port } = new URL(url);
    const nsenter = ['--target', String(child.pid), '--mount', '--root', '--wd', '/app/health.sh'];
    expect(spawnSync('nsenter', nsenter, { env: { PATH: IMAGE_PATH, RUNNER_PORT: port } }).status).toBe(0);
    const client = new RunnerHttp({ token: async () => RUNNER_TOKEN, patienceMs: 20_000 });
    const languages = (await client.languages({ url })).map(({ name }) => name);
    expect(languages).toEqual(expect.arrayContaining(['bash', 'javascript', 'typescript']));
    // Not Go: it needs its library compiled, which only the image holds.
    const programs: Partial<Record<LanguageName, string>> = {
      bash: 'echo hello > file && cat file',
      javascript:
        'const fs = process.getBuiltinModule("fs"); fs.writeFileSync("file", "hello"); console.log(fs.readFileSync("file", "utf8"))',
      typescript: 'const text: string = "hello"; console.log(text)',
      python: 'open("file", "w").write("hello"); print(open("file").read())',
      ruby: 'File.write("file", "hello"); puts File.read("file")',
    };
    for (const language of languages) {
      const code = programs[language];
      if (code === undefined) continue;
      const run: Run = {
        language,
        code,
        stdin: '',
        environment: {},
        timeoutSeconds: 30,
        resources: DEFAULT_RESOURCES,
      };
      const answer = await client.run(
        { id: 'image', url, workspaceId: null },
        run,
        { workspaceId: 'a' },
        () => undefined,
      );
      expect({ language, answer }).toMatchObject({
        answer: { kind: 'ran', outcome: { stdout: 'hello\n', exitCode: 0 } },
      });
    }
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it('ends by itself on the signal that ECS sends', async ({ skip }) => {
    const runner = await start();
    if (typeof runner === 'string') return skip(runner);
    runner.child.kill('SIGTERM');
    expect(await runner.exit).toEqual([0, null]);
  });
});
