/**
 * The runner: runs one program at a time for a dispatcher that it trusts, and trusts no program. Fargate tasks and local mode start it.
 * Its environment:
 * - RUNNER_TOKEN: required.
 * - RUNNER_HOST (127.0.0.1), RUNNER_PORT (0: any), RUNNER_DIRECTORY, RUNNER_GO_CACHE and RUNNER_PACKAGES have defaults.
 * - RUNNER_LANDLOCK=0, RUNNER_MEMORY_GROUPS=0, RUNNER_OWN_FILES=0: without Landlock, memory groups, a file system for each run.
 * - RUNNER_OWNS_FILE_SYSTEM=1: nothing else writes to the file system of RUNNER_DIRECTORY.
 * - RUNNER_PREWARM: languages whose interpreters start before their first use (python,ruby); `none`: no interpreter is pre-started.
 * - RUNNER_ENDS_WITH_STDIN=1: it ends when its standard input ends.
 * - RUNNER_MAX_USES (20), RUNNER_MAX_AGE_SECONDS (600): it serves one workspace and ends after these; RUNNER_MAX_USES=0, for tests:
 *   it serves every workspace.
 * JSON lines on stdout report that it is ready, its languages and its confinement, or why nothing can run here. SIGTERM lets the current
 * run finish.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { acquireConfinement, type Confinement, NoConfinement, requireUnsharedPath } from './runner/confinement.ts';
import { findLanguages } from './runner/languages/find-languages.ts';
import { defaultGoCache } from './runner/languages/go-toolchain.ts';
import { defaultPackagesFolder } from './runner/packages.ts';
import { ProgramRunner } from './runner/runner.ts';
import { selfTest } from './runner/self-test.ts';
import { runnerServer } from './runner/server.ts';
import { Tenancy } from './runner/tenancy.ts';

const {
  RUNNER_TOKEN: token,
  RUNNER_HOST = '127.0.0.1',
  RUNNER_PORT = '0',
  RUNNER_DIRECTORY,
  RUNNER_GO_CACHE,
  RUNNER_PACKAGES,
  RUNNER_LANDLOCK,
  RUNNER_MEMORY_GROUPS,
  RUNNER_OWN_FILES,
  RUNNER_OWNS_FILE_SYSTEM,
  RUNNER_ENDS_WITH_STDIN,
  RUNNER_PREWARM = '',
  RUNNER_MAX_USES = '20',
  RUNNER_MAX_AGE_SECONDS = '600',
} = process.env;

const AGE_CHECK_INTERVAL_MS = 10_000;

// The parent may have died meanwhile.
process.stdout.on('error', () => undefined);

/** Sends a line to the parent process. */
function report(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

let confinement: Confinement | undefined;
try {
  if (!token) throw new NoConfinement('RUNNER_TOKEN is not set.');
  confinement = await acquireConfinement({
    ...(RUNNER_DIRECTORY !== undefined && { base: RUNNER_DIRECTORY }),
    landlock: RUNNER_LANDLOCK !== '0',
    memoryGroups: RUNNER_MEMORY_GROUPS !== '0',
    ownFiles: RUNNER_OWN_FILES !== '0',
    ownsFileSystem: RUNNER_OWNS_FILE_SYSTEM === '1',
  });
  const tested = await selfTest(confinement);
  await requireUnsharedPath(tested);
  const userId = process.getuid?.();
  const finding = findLanguages({
    forOtherUsers: userId === 0,
    goCache: RUNNER_GO_CACHE ?? defaultGoCache(userId),
    packages: RUNNER_PACKAGES ?? defaultPackagesFolder(userId),
    directory: tested.directory,
  });
  // A given cache already holds Go's library: wait for it, so that the first request is answered in full.
  await (RUNNER_GO_CACHE === undefined ? finding.ready : finding.settled);
  const tenancy = new Tenancy(
    { maxUses: Number(RUNNER_MAX_USES), maxAgeMs: Number(RUNNER_MAX_AGE_SECONDS) * 1000 },
    () => performance.now(),
  );
  const runnable = () => {
    const { languages, preparing } = finding.installed();
    return languages.map(({ name, version, packages }) => ({
      name,
      version,
      ...(packages && { packages }),
      ...(preparing.has(name) && { preparing: true }),
    }));
  };
  const programs = new ProgramRunner(() => finding.installed().languages, tested, {
    prestarts: RUNNER_PREWARM !== 'none',
    onLeftover: (error) => {
      console.error(error.message);
      tenancy.drain();
    },
    onSessionEnd: () => {
      tenancy.endSession();
      endWhenIdle();
    },
  });
  programs.prewarm(RUNNER_PREWARM.split(','));
  let underWay: Promise<unknown> = Promise.resolve();
  const server = runnerServer({
    languages: runnable,
    run: (...run) => {
      const running = programs.run(...run);
      underWay = running.catch(() => undefined);
      return running;
    },
    token,
    // What keeps programs apart otherwise needs no turns.
    ...(!tested.landlock && !tested.ownFiles && { takeTurn: tested.takeTurn }),
    endSession: () => programs.endSession(),
    keepsSessions: tested.landlock || tested.ownFiles || tested.freeWhenEmpty !== null,
    tenancy,
    onDrained: () => end(),
  });
  server.listen(Number(RUNNER_PORT), RUNNER_HOST);
  await once(server, 'listening');
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    server.close(async () => {
      await underWay;
      await programs.release();
      await tested.release();
      process.exit(0);
    });
    server.closeAllConnections();
  };
  const endWhenIdle = () => {
    if (tenancy.isDraining && !tenancy.isBusy) end();
  };
  process.on('SIGINT', end).on('SIGTERM', () => {
    // A second signal ends it at once.
    if (tenancy.isDraining) return end();
    tenancy.drain();
    endWhenIdle();
  });
  // No further request may come when it has become too old.
  setInterval(endWhenIdle, AGE_CHECK_INTERVAL_MS).unref();
  // The parent may die without sending a signal.
  if (RUNNER_ENDS_WITH_STDIN === '1') process.stdin.once('end', end).resume();
  report({
    ready: `http://${RUNNER_HOST}:${(server.address() as AddressInfo).port}`,
    languages: runnable(),
    confinement: {
      landlock: tested.landlock,
      ownFiles: tested.ownFiles,
      ownUsers: userId === 0,
      memoryGroups: tested.memoryGroups !== null,
    },
  });
  await finding.settled;
  report({ missing: finding.installed().missing, languages: runnable() });
} catch (error) {
  report({ cannot: error instanceof NoConfinement ? error.message : String(error) });
  await confinement?.release();
  process.exitCode = 1;
}
