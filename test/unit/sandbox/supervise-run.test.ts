import { expect, it } from 'vitest';
import type { Run, RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import type { RunCaller } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { superviseRun } from '../../../functions/sandbox/domain/supervise-run.ts';
import { testClock } from '../../helpers/clock.ts';

const lease = { workspaceId: 'ws_1', executionId: 'exec_1', fence: 'run_1' };
const FINISHED: RunOutcome = { kind: 'finished', stdout: '', stderr: '', exitCode: 0, seconds: 1 };

type FakeRun = (caller: RunCaller) => Promise<RunOutcome>;

/** A program that runs until its signal ends it. */
const untilAborted: FakeRun = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));

/** A supervised run whose watch polls at every turn of the event loop; every poll takes ten seconds of the clock. */
function supervise(run: FakeRun, isWanted: () => Promise<boolean> = async () => true, seconds = 300) {
  const clock = testClock();
  const callers: RunCaller[] = [];
  const lost: unknown[] = [];
  const ports = {
    pool: {
      languages: async () => [],
      run: (_: Run, caller: RunCaller) => {
        callers.push(caller);
        return run(caller);
      },
    },
    onLost: (error: unknown) => void lost.push(error),
    files: { put: async () => 'object' },
    leases: { isWanted },
    clock,
    pause: {
      wait: async () => {
        await new Promise(setImmediate);
        clock.advance(10);
      },
    },
  };
  const outcome = superviseRun(lease, {} as Run, clock.now() + seconds * 1000, ports);
  return { outcome, callers, lost };
}

it('runs the program once, for the workspace', async () => {
  const { outcome, callers } = supervise(async () => FINISHED);
  expect(await outcome).toEqual(FINISHED);
  expect(callers).toMatchObject([{ workspaceId: 'ws_1' }]);
});

it('ends a program that is not wanted any more', async () => {
  let looks = 0;
  const { outcome, lost } = supervise(untilAborted, async () => ++looks < 3);
  await expect(outcome).rejects.toThrow('Execution cancelled');
  expect(lost).toEqual([]);
});

it('continues while the record cannot be read, and ends before its function does', async () => {
  const { outcome } = supervise(untilAborted, () => Promise.reject(new Error('unavailable')), 100);
  await expect(outcome).rejects.toThrow('Its worker ran out of time.');
});

it('keeps the outcome of a program that ended all the same', async () => {
  const { outcome } = supervise(
    ({ signal }) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(FINISHED))),
    async () => false,
  );
  expect(await outcome).toEqual(FINISHED);
});

it('distinguishes runs that have not started from lost ones', async () => {
  const busy = supervise(() => Promise.reject(new SandboxUnavailable('busy')));
  await expect(busy.outcome).rejects.toThrow(SandboxUnavailable);
  const lost = supervise(() => Promise.reject(new Error('socket hang up')));
  await expect(lost.outcome).rejects.toThrow('The runner ended in the middle of it; it was not started again.');
  expect([busy.lost, lost.lost]).toEqual([[], [new Error('socket hang up')]]);
});
