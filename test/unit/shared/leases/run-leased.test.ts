import { describe, expect, it } from 'vitest';
import { LeaseLost } from '../../../../functions/shared/leases/lease.ts';
import { type LeasedRun, runLeased } from '../../../../functions/shared/leases/run-leased.ts';

const passing = new Error('throttled');
const final = new Error('unreadable');

/**
 * Runs leased work with a scripted course.
 * @returns the calls, and the verdict or the error.
 */
async function runWith(given: Partial<LeasedRun<string, string>>) {
  const calls: string[] = [];
  const verdict = await runLeased<string, string>({
    acquire: async () => ({ kind: 'acquired', work: 'work' }),
    run: async (work) => ({ kind: 'ended', ending: `end of ${work}` }),
    endingOf: (error) => (error === final ? 'failed' : null),
    end: async (ending) => calls.push(ending),
    release: async () => calls.push('released'),
    ...given,
  }).catch((error: Error) => error);
  return { verdict, calls };
}

describe('leased work', () => {
  it('is run, and its end recorded', async () => {
    expect(await runWith({})).toEqual({ verdict: 'ack', calls: ['end of work'] });
  });

  it('is left alone where another run holds the lease, and when it has ended', async () => {
    expect(await runWith({ acquire: async () => ({ kind: 'busy' }) })).toEqual({ verdict: 'retry', calls: [] });
    expect(await runWith({ acquire: async () => ({ kind: 'ended' }) })).toEqual({ verdict: 'ack', calls: [] });
  });

  it('is not ended again when its run has recorded the end, or has lost the lease', async () => {
    expect(await runWith({ run: async () => ({ kind: 'recorded' }) })).toEqual({ verdict: 'ack', calls: [] });
    expect(await runWith({ run: () => Promise.reject(new LeaseLost()) })).toEqual({ verdict: 'ack', calls: [] });
  });

  it('is released for another delivery when it could not start, or failed for a passing reason', async () => {
    expect(await runWith({ run: async () => ({ kind: 'not_begun' }) })).toEqual({
      verdict: 'retry',
      calls: ['released'],
    });
    expect(await runWith({ run: () => Promise.reject(passing) })).toEqual({ verdict: passing, calls: ['released'] });
    const release = () => Promise.reject(new Error('unavailable'));
    expect(await runWith({ run: () => Promise.reject(passing), release })).toEqual({ verdict: passing, calls: [] });
  });

  it('is ended when it failed for a reason that will not pass', async () => {
    expect(await runWith({ run: () => Promise.reject(final) })).toEqual({ verdict: 'ack', calls: ['failed'] });
  });

  it('is never released once it has run: its end may be recorded though the response was lost', async () => {
    const end = () => Promise.reject(passing);
    expect(await runWith({ end })).toEqual({ verdict: passing, calls: [] });
    expect(await runWith({ run: () => Promise.reject(final), end })).toEqual({ verdict: passing, calls: [] });
  });
});
