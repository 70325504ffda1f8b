import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import { Tenancy } from '../../../sandbox/runner/tenancy.ts';

const finished = (exitCode: number): RunOutcome => ({ kind: 'finished', stdout: '', stderr: '', exitCode, seconds: 1 });

function tenancy(maxUses = 3) {
  const clock = { nowMs: 0 };
  return { clock, runner: new Tenancy({ maxUses, maxAgeMs: 600_000 }, () => clock.nowMs) };
}

/** Has a program run by it. */
function use(runner: Tenancy, outcome: Parameters<Tenancy['release']>[0] = finished(0), workspaceId = 'a') {
  const refusal = runner.acquire(workspaceId);
  if (refusal === null) runner.release(outcome);
  return refusal;
}

describe('a runner', () => {
  it('takes one program at a time', () => {
    const { runner } = tenancy();
    expect([runner.acquire('a'), runner.acquire('a'), runner.isBusy]).toEqual([null, 'busy', true]);
    runner.release(finished(0));
    expect([runner.isBusy, runner.acquire('a')]).toEqual([false, null]);
  });

  it('works for one workspace, the first one', () => {
    const { runner } = tenancy();
    expect([use(runner), use(runner, finished(0), 'b'), use(runner)]).toEqual([null, 'other_workspace', null]);
  });

  it('takes the given number of programs and no more', () => {
    const { runner } = tenancy();
    expect([use(runner), use(runner), use(runner), use(runner)]).toEqual([null, null, null, 'retired']);
    expect(use(tenancy(1).runner)).toBe(null);
  });

  it('does not count what it could not start', () => {
    const { runner } = tenancy(1);
    expect([use(runner, null), use(runner, null), use(runner), use(runner)]).toEqual([null, null, null, 'retired']);
  });

  it('grows old from its first program on, and not before', () => {
    const { runner, clock } = tenancy();
    clock.nowMs = 10_000_000;
    expect(use(runner)).toBe(null);
    clock.nowMs += 599_999;
    expect(use(runner)).toBe(null);
    clock.nowMs += 1;
    expect([use(runner), runner.isDraining]).toEqual(['retired', true]);
  });

  it.each<[string, Parameters<Tenancy['release']>[0]]>([
    ['ran out of time', { kind: 'timed_out', stdout: '', stderr: '', seconds: 1 }],
    ['was killed', finished(137)],
    ['was lost', new Error('cancelled')],
  ])('takes none after one that %s', (_, outcome) => {
    const { runner } = tenancy();
    expect([use(runner, outcome), use(runner)]).toEqual([null, 'retired']);
  });

  it.each<RunOutcome>([finished(1), finished(139), { kind: 'invalid_syntax', message: '', seconds: 0 }])(
    'continues after %o',
    (outcome) => {
      const { runner } = tenancy();
      expect([use(runner, outcome), use(runner)]).toEqual([null, null]);
    },
  );

  it('lets the program under way end when it drains', () => {
    const { runner } = tenancy();
    runner.acquire('a');
    runner.drain();
    expect([runner.isBusy, runner.isDraining, runner.acquire('a')]).toEqual([true, true, 'retired']);
    runner.release(finished(0));
    expect([runner.isBusy, runner.isDraining]).toEqual([false, true]);
  });

  it('continues for any workspace after any outcome, if tests want it', () => {
    const { runner, clock } = tenancy(0);
    expect([use(runner, new Error('lost')), use(runner, finished(137), 'b')]).toEqual([null, null]);
    clock.nowMs = 1e12;
    expect(use(runner)).toBe(null);
  });
});
