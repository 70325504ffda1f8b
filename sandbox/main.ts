/**
 * The runner: runs one program at a time for a dispatcher that it trusts, and trusts no program. A Fargate task runs it, and
 * so does local mode. RUNNER_TOKEN is required; RUNNER_HOST (127.0.0.1), RUNNER_PORT (0: any), RUNNER_DIRECTORY and
 * RUNNER_GO_CACHE have defaults; RUNNER_LANDLOCK=0 does without Landlock, RUNNER_AHEAD names the languages whose interpreters
 * are started before their first use (python,ruby), or none, which are not started ahead after it either,
 * and with RUNNER_ENDS_WITH_STDIN=1 it ends when its standard input does. Lines of JSON on stdout say that it is ready and what
 * it can run, or why nothing can be run here. It works for one workspace, for RUNNER_MOST_USES (20) runs and RUNNER_MOST_AGE_SECONDS
 * (600), and ends then; RUNNER_MOST_USES=0 lets it go on for anybody, which is for tests. SIGTERM lets the run under way end.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Confinement, claimConfinement, NoConfinement } from './runner/confinement.ts';
import { findLanguages } from './runner/installed-languages.ts';
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
  RUNNER_LANDLOCK,
  RUNNER_ENDS_WITH_STDIN,
  RUNNER_AHEAD = '',
  RUNNER_MOST_USES = '20',
  RUNNER_MOST_AGE_SECONDS = '600',
} = process.env;

const AGE_LOOK_MS = 10_000;

// Whoever started this may have died meanwhile.
process.stdout.on('error', () => undefined);

/** Sent to whoever started this. */
function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

let confinement: Confinement | undefined;
try {
  if (!token) throw new NoConfinement('RUNNER_TOKEN is not set.');
  confinement = await claimConfinement({
    ...(RUNNER_DIRECTORY !== undefined && { base: RUNNER_DIRECTORY }),
    landlock: RUNNER_LANDLOCK !== '0',
  });
  const claimed = await selfTest(confinement);
  const userId = process.getuid?.();
  const finding = findLanguages({
    forOtherUsers: userId === 0,
    goCache: RUNNER_GO_CACHE ?? join(tmpdir(), `tripod-go-${userId}`),
  });
  // A cache that was given holds Go's library already: what is asked first is answered in full.
  await (RUNNER_GO_CACHE === undefined ? finding.ready : finding.settled);
  const tenancy = new Tenancy(
    { mostUses: Number(RUNNER_MOST_USES), mostAgeMs: Number(RUNNER_MOST_AGE_SECONDS) * 1000 },
    () => performance.now(),
  );
  const runnable = () => finding.installed().languages.map(({ name, version }) => ({ name, version }));
  const programs = new ProgramRunner(() => finding.installed().languages, claimed, {
    startsAhead: RUNNER_AHEAD !== 'none',
  });
  programs.expect(RUNNER_AHEAD.split(','));
  let underWay: Promise<unknown> = Promise.resolve();
  const server = runnerServer({
    languages: runnable,
    run: (run, signal) => {
      const running = programs.run(run, signal);
      underWay = running.catch(() => undefined);
      return running;
    },
    token,
    tenancy,
    onOver: () => end(),
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
      await claimed.release();
      process.exit(0);
    });
    server.closeAllConnections();
  };
  const endWhenIdle = () => {
    if (tenancy.isOver && !tenancy.isBusy) end();
  };
  process.on('SIGINT', end).on('SIGTERM', () => {
    // Who cannot wait says it twice.
    if (tenancy.isOver) return end();
    tenancy.retire();
    endWhenIdle();
  });
  // Nobody may ask again when it has become too old.
  setInterval(endWhenIdle, AGE_LOOK_MS).unref();
  // Whoever started this may die without a word.
  if (RUNNER_ENDS_WITH_STDIN === '1') process.stdin.once('end', end).resume();
  tell({ ready: `http://${RUNNER_HOST}:${(server.address() as AddressInfo).port}`, languages: runnable() });
  await finding.settled;
  tell({ missing: finding.installed().missing, languages: runnable() });
} catch (error) {
  tell({ cannot: error instanceof NoConfinement ? error.message : String(error) });
  await confinement?.release();
  process.exitCode = 1;
}
