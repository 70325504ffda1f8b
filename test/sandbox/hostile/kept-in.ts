import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { leftovers } from '../leftovers.ts';
import {
  notInstalled,
  PRESTARTED,
  prewarmAll,
  type ReportedConfinement,
  type RunnerProcess,
  type RunnerProcessOptions,
  startRunner,
} from '../runner-process.ts';
import { attackSnippets } from './attack-snippets.ts';
import { holderSnippets } from './holder-snippets.ts';
import { hostileSnippets } from './hostile-snippets.ts';

export const isRoot = process.getuid?.() === 0;

/** A runner's environment, and whether it has rights. */
export interface Surroundings {
  readonly name: string;
  readonly options: RunnerProcessOptions;
  readonly landlock: boolean;
  readonly asRoot: boolean;
  /** The confinement that the runner must report for this place to be tried. */
  readonly needs?: Partial<ReportedConfinement>;
  /** True where confinement is that of another place, and only how the runner gets to know differs: some programs of each kind suffice. */
  readonly isSampled?: boolean;
  /**
   * True where every program is also tried in pre-started interpreters. Elsewhere one in a number is: the place and the pre-start confine
   * independently, and each program is tried in each place, and pre-started in one.
   */
  readonly triesAllPrestarted?: boolean;
}

/** One program in this number. */
const SAMPLED = 5;

const withoutPrestart = ({ environment, ...options }: RunnerProcessOptions): RunnerProcessOptions => ({
  ...options,
  environment: { ...environment, RUNNER_PREWARM: 'none' },
});

const STREW =
  "for place in /tmp /var/tmp /dev/shm; do for name in deep $'\\xff\\xfe'; do mkdir -p $place/$name-$$/er && echo x >$place/$name-$$/er/file && echo x >$place/$name-$$-file && echo strewn; done; done";

/**
 * Tests that hostile programs are confined, also in pre-started interpreters. Each place has a separate file, so that no worker is left
 * alone with all of them.
 */
export function keepsIn(place: Surroundings): void {
  suite(place, false);
  suite({ ...place, name: `${place.name}, pre-started` }, true);
}

function suite(
  { name: surroundings, options, landlock, asRoot, needs = {}, isSampled, triesAllPrestarted }: Surroundings,
  prestarted: boolean,
): void {
  describe(`programs that want out, ${surroundings}`, () => {
    let runner: RunnerProcess;
    let cannot = process.platform === 'linux' ? '' : 'this is not Linux';
    if (asRoot && !isRoot) cannot = 'this is not root';
    let descriptors = 0;
    const cannotBecause = (reason: string) => {
      cannot = reason;
      console.warn(`NOT TRIED: programs that want out, ${surroundings}: ${reason}`);
    };

    beforeAll(async () => {
      if (cannot !== '') return cannotBecause(cannot);
      const started = await startRunner(prestarted ? options : withoutPrestart(options));
      if (typeof started === 'string') {
        // A machine may lack Landlock or rights, but never what the launcher brings itself.
        if (started.includes('seccomp table')) throw new Error(started);
        return cannotBecause(started);
      }
      runner = started;
      const missing = Object.entries({ landlock, ...needs }).filter(
        ([means, isNeeded]) => runner.confinement[means as keyof ReportedConfinement] !== isNeeded,
      );
      if (missing.length > 0)
        return cannotBecause(`this machine differs in ${missing.map(([means]) => means).join(', ')}`);
      await prewarmAll(runner);
      descriptors = leftovers(runner).descriptors;
    });
    afterAll(() => runner?.stop());

    const triesAll = prestarted ? triesAllPrestarted : !isSampled;
    for (const [index, { language, name, code, only }] of hostileSnippets.entries()) {
      if (only !== undefined && !landlock && !(only === 'with Landlock or own files' && needs.ownFiles)) continue;
      if (only === 'with Landlock alone' && needs.ownFiles) continue;
      if (!triesAll && index % SAMPLED !== 0) continue;
      if (prestarted && !PRESTARTED.has(language)) continue;
      it(`${language}: ${name} is kept in`, async ({ skip }) => {
        if (cannot !== '') skip(cannot);
        if (!runner.languages.has(language)) notInstalled(language, skip);
        const outcome = await runner.run({ language, code, timeoutSeconds: 60 });
        expect(outcome).toMatchObject({ kind: 'finished', stdout: expect.stringContaining('kept in:') });
        expect(JSON.stringify(outcome)).not.toContain('ESCAPED');
      });
    }

    const sampled = <T>(all: readonly T[]) => all.filter((_, index) => triesAll || index % SAMPLED === 0);
    // What programs hold does not depend on who waited for whom.
    const holders = prestarted ? [] : sampled(Object.entries(holderSnippets));
    const attacks = [...sampled(Object.entries(attackSnippets)), ...holders];
    for (const [name, { gives, varies: _, ...run }] of attacks) {
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
        // A program may also write to world-writable places, while it runs.
        const strewn = await runner.run({ language: 'bash', code: STREW });
        expect(strewn).toMatchObject({ stdout: expect.stringContaining('strewn') });
      }
      // A large tree is removed while the next programs run.
      const isClean = () => runner.runDirectories().length <= (prestarted ? PRESTARTED.size : 0);
      await vi.waitUntil(isClean, { timeout: 90_000, interval: 100 });
      if (!prestarted) expect(leftovers(runner)).toMatchObject({ processes: [], files: [] });
      // Those of the interpreters that wait, and of a connection.
      expect(leftovers(runner).descriptors).toBeLessThanOrEqual(descriptors + 5 * PRESTARTED.size + 1);
      await runner.stop();
      expect(leftovers(runner)).toMatchObject({ processes: [], files: [] });
    });
  });
}
