import { describe, expect, it } from 'vitest';
import { Dispatcher } from '../../../functions/sandbox/domain/dispatcher.ts';
import type { Run, RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import type {
  KeptRunner,
  Runner,
  RunnerAnswer,
  RunnerRefusal,
} from '../../../functions/sandbox/domain/runner-ports.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { HELLO, program } from '../../helpers/execution-flow.ts';

const run = program() as unknown as Run;
const RAN: RunnerAnswer = { kind: 'ran', outcome: HELLO, retires: false };
const refuses = (reason: RunnerRefusal): RunnerAnswer => ({ kind: 'refused', reason });
const lost = new Error('the connection broke');

const runner = (id: string, workspaceId: string | null = null): Runner => ({ id, url: `http://${id}`, workspaceId });

interface Situation {
  /** Candidates at each read of the registry; the last ones for good. */
  readonly reads: readonly (readonly Runner[] | Error)[];
  /** The successive answers of each runner; the last one repeats. */
  readonly answers?: Readonly<Record<string, readonly (RunnerAnswer | Error)[]>>;
  /** Duration of an offer. */
  readonly offerMs?: number;
  /** The error of every offer before the runner has taken it. */
  readonly untaken?: Error;
  readonly maxPerWorkspace?: number;
  readonly maxInBackground?: number;
  readonly reserve?: number;
  /** Runners that keep sessions. */
  readonly kept?: KeptRunner[];
  readonly program?: Run;
}

/** A dispatcher of runners that answer as configured; time passes only where it says so. */
function dispatching({
  reads,
  answers = {},
  offerMs = 0,
  maxPerWorkspace = 9,
  maxInBackground = 9,
  reserve = 0,
  untaken,
  kept = [],
  program: sent = run,
}: Situation) {
  const events: string[] = [];
  let nowMs = 0;
  let read = 0;
  const offers = new Map<string, number>();
  const note = (what: string) => async (of: Runner) => void events.push(`${what} ${of.id}`);
  const dispatcher = new Dispatcher(
    {
      registry: {
        candidates: async () => {
          const found = reads[Math.min(read++, reads.length - 1)] ?? [];
          if (found instanceof Error) throw found;
          return found;
        },
        languages: async () => [{ name: 'python', version: '3' }],
        keptBy: async () => kept,
        markKept: async ({ id, url }, workspaceId, session) => {
          events.push(`kept ${id}`);
          kept.push({ id, url, workspaceId, session });
        },
        markTaken: note('taken'),
        markIdle: note('idle'),
        markDraining: async ({ id }) => {
          events.push(`draining ${id}`);
          kept.splice(0, kept.length, ...kept.filter((each) => each.id !== id));
        },
        waitForChange: async (maxMs) => {
          nowMs += Math.min(300, maxMs);
          events.push('waits');
        },
      },
      client: {
        endSession: async ({ id }) => void events.push(`ends ${id}`),
        async run({ id }, _run, _caller, taken) {
          events.push(`asks ${id}`);
          nowMs += offerMs;
          if (untaken) throw untaken;
          const times = offers.get(id) ?? 0;
          offers.set(id, times + 1);
          const all = answers[id] ?? [RAN];
          const answer = all[Math.min(times, all.length - 1)] as RunnerAnswer | Error;
          if (answer instanceof Error || answer.kind === 'ran') taken();
          if (answer instanceof Error) throw answer;
          return answer;
        },
      },
      clock: { now: () => nowMs },
      random: () => 0.5,
      onNoRunner: async () => void events.push('no runner'),
      onRegistryError: (error) => events.push(`registry error ${(error as Error).message}`),
    },
    { maxPerWorkspace, maxInBackground, reserve, maxKept: 2 },
  );
  const send = (signal?: AbortSignal, untilMs?: number): Promise<RunOutcome | Error> =>
    dispatcher
      .run(sent, { workspaceId: 'a', ...(untilMs !== undefined && { untilMs }), ...(signal && { signal }) })
      .catch((error: Error) => error);
  return { send, events, dispatcher };
}

describe('a program', () => {
  it('goes to a runner of its workspace before an unassigned one, and never to one of another workspace', async () => {
    const { send, events } = dispatching({
      reads: [[runner('other', 'b'), runner('new'), runner('own', 'a')]],
      answers: { own: [refuses('busy')], new: [RAN] },
    });
    expect(await send()).toEqual(HELLO);
    expect(events).toEqual(['asks own', 'asks new', 'taken new', 'idle new']);
  });

  it.each<[RunnerRefusal, string[]]>([
    ['busy', []],
    ['other_workspace', []],
    ['retired', ['draining first']],
    ['unreachable', ['draining first']],
  ])('goes to the next one where the first is %s', async (reason, notes) => {
    const { send, events } = dispatching({
      reads: [[runner('first', 'a'), runner('second')]],
      answers: { first: [refuses(reason)] },
    });
    expect(await send()).toEqual(HELLO);
    expect(events).toEqual(['asks first', ...notes, 'asks second', 'taken second', 'idle second']);
  });

  it('is never offered again when it was lost on the way', async () => {
    const { send, events } = dispatching({ reads: [[runner('first'), runner('second')]], answers: { first: [lost] } });
    expect(await send()).toBe(lost);
    expect(events).toEqual(['asks first', 'taken first', 'draining first']);
  });

  it('leaves the runner as it was when its caller gives up before it is taken', async () => {
    const { send, events } = dispatching({ reads: [[runner('first')]], untaken: lost });
    expect(await send()).toBe(lost);
    expect(events).toEqual(['asks first']);
  });

  it('is the last one of a runner that says so', async () => {
    const { send, events } = dispatching({
      reads: [[runner('first')]],
      answers: { first: [{ kind: 'ran', outcome: HELLO, retires: true }] },
    });
    expect(await send()).toEqual(HELLO);
    expect(events).toEqual(['asks first', 'taken first', 'draining first']);
  });

  it('waits for a runner, and takes the one that comes', async () => {
    const { send, events } = dispatching({ reads: [[], [], [runner('new')]] });
    expect(await send()).toEqual(HELLO);
    expect(events).toEqual(['waits', 'waits', 'asks new', 'taken new', 'idle new']);
  });

  it('is refused after a second without a runner, and the miss is reported', async () => {
    const { send, events } = dispatching({ reads: [[]] });
    expect(await send()).toEqual(new SandboxUnavailable('All runners are busy. Please try again.'));
    expect(events).toEqual(['waits', 'waits', 'waits', 'waits', 'no runner']);
  });

  it('waits in line for as long as it may run itself, where its caller has the time', async () => {
    const patient = dispatching({ reads: [...Array.from({ length: 90 }, () => []), [runner('new')]] });
    expect(await patient.send(undefined, 300_000)).toEqual(HELLO);
    const { send, events } = dispatching({ reads: [[]] });
    expect(await send(undefined, 300_000)).toBeInstanceOf(SandboxUnavailable);
    expect(events.filter((what) => what === 'waits')).toHaveLength(100);
    const hurried = dispatching({ reads: [[]] });
    // Thirty seconds are the program's own, and ten cover the overhead.
    expect(await hurried.send(undefined, 45_000)).toBeInstanceOf(SandboxUnavailable);
    expect(hurried.events.filter((what) => what === 'waits')).toHaveLength(17);
  });

  it('runs in the order of the line', async () => {
    const { send, events } = dispatching({ reads: [[runner('only', 'a')]], maxPerWorkspace: 1 });
    const order: number[] = [];
    await Promise.all([0, 1, 2].map((n) => send(undefined, 900_000).then(() => order.push(n))));
    expect(order).toEqual([0, 1, 2]);
    expect(events.filter((what) => what === 'asks only')).toHaveLength(3);
  });

  it('is refused at once if the line is full, with the time to come back', async () => {
    const { send } = dispatching({ reads: [[]] });
    const all = await Promise.all(Array.from({ length: 201 }, () => send(undefined, 300_000)));
    expect(all[199]).not.toHaveProperty('retryAfterSeconds', 5);
    expect(all[200]).toMatchObject({ name: 'SandboxUnavailable', retryAfterSeconds: 5 });
  });

  it('is offered to three runners of the workspace and three unassigned ones before the registry is read again', async () => {
    const many = ['1', '2', '3', '4', '5'].flatMap((n) => [runner(`own${n}`, 'a'), runner(`new${n}`)]);
    const answers = Object.fromEntries(many.map(({ id }) => [id, [refuses('busy')]]));
    const { send, events } = dispatching({ reads: [many, []], answers });
    expect(await send()).toBeInstanceOf(SandboxUnavailable);
    expect(events.slice(0, 7)).toEqual([
      ...['own1', 'own2', 'own3', 'new1', 'new2', 'new3'].map((id) => `asks ${id}`),
      'waits',
    ]);
  });

  it('does not ask for long where no runner answers', async () => {
    const silent = ['1', '2', '3'].map((id) => runner(id));
    const answers = Object.fromEntries(silent.map(({ id }) => [id, [refuses('unreachable')]]));
    const { send, events } = dispatching({ reads: [silent], answers, offerMs: 600 });
    expect(await send()).toBeInstanceOf(SandboxUnavailable);
    expect(events.filter((what) => what.startsWith('asks'))).toHaveLength(2);
  });

  it('gets no unassigned runner where its workspace has as many as it may', async () => {
    const { send, events } = dispatching({
      reads: [[runner('own', 'a'), runner('new')]],
      answers: { own: [refuses('busy')] },
      maxPerWorkspace: 1,
    });
    expect(await send()).toMatchObject({
      name: 'SandboxUnavailable',
      message: expect.stringMatching(/^All 1 runners/),
    });
    expect(events).not.toContain('asks new');
    expect(events).not.toContain('no runner');
  });

  it('leaves the last unassigned runner to a workspace that has none', async () => {
    const known = [runner('own', 'a'), runner('last')];
    const { send, events } = dispatching({ reads: [known], answers: { own: [refuses('busy')] }, reserve: 1 });
    expect(await send()).toBeInstanceOf(SandboxUnavailable);
    expect(events).not.toContain('asks last');
    expect(await dispatching({ reads: [[runner('last')]], reserve: 1 }).send()).toEqual(HELLO);
  });

  it('is refused where the runner lacks its language', async () => {
    const { send } = dispatching({ reads: [[runner('first')]], answers: { first: [refuses('no_language')] } });
    expect(await send()).toMatchObject({ name: 'SandboxUnavailable', message: expect.stringContaining('python') });
  });

  it('is refused, to be sent again later, where the runner is still preparing its language', async () => {
    const { send } = dispatching({ reads: [[runner('first')]], answers: { first: [refuses('preparing')] } });
    expect(await send()).toMatchObject({
      name: 'SandboxUnavailable',
      message: expect.stringContaining('being prepared'),
      retryAfterSeconds: 15,
    });
  });

  it('is refused, and not lost, where the registry fails', async () => {
    const { send } = dispatching({ reads: [new Error('no such table')] });
    expect(await send()).toMatchObject({ name: 'SandboxUnavailable', cause: new Error('no such table') });
    const why = new SandboxUnavailable('There is no Linux here.');
    expect(await dispatching({ reads: [why] }).send()).toBe(why);
  });

  it('is not offered once its signal is aborted', async () => {
    const stopped = AbortSignal.abort(new Error('cancelled'));
    const { send, events } = dispatching({ reads: [[runner('first')]] });
    expect(await send(stopped)).toEqual(new Error('cancelled'));
    expect(events).toEqual([]);
  });
});

describe('a kept session', () => {
  const inSession: Run = { ...run, language: 'python', keptSession: 's' };
  const keeps = (id: string, session: string): KeptRunner => ({ ...runner(id, 'a'), workspaceId: 'a', session });

  it('starts on any runner, which is recorded as its own, and continues there', async () => {
    const { send, events } = dispatching({ reads: [[runner('first')]], program: inSession });
    expect(await send()).toEqual(HELLO);
    expect(await send()).toEqual(HELLO);
    const call = ['asks first', 'taken first', 'kept first', 'idle first'];
    expect(events).toEqual([...call, ...call]);
  });

  it('starts anew elsewhere when its runner has ended', async () => {
    const { send, events } = dispatching({
      reads: [[runner('second')]],
      kept: [keeps('first', 'python/s')],
      answers: { first: [refuses('unreachable')] },
      program: inSession,
    });
    expect(await send()).toEqual(HELLO);
    expect(events.filter((event) => !event.startsWith('waits'))).toEqual([
      ...['asks first', 'draining first'],
      ...['asks second', 'taken second', 'kept second', 'idle second'],
    ]);
  });

  it('is refused when the workspace keeps the maximum, and another of its sessions continues', async () => {
    const kept = [keeps('first', 'python/s'), keeps('second', 'python/t')];
    const reads = [[runner('third')]];
    expect(await dispatching({ reads, kept: [...kept], program: inSession }).send()).toEqual(HELLO);
    const refused = await dispatching({ reads, kept, program: { ...inSession, keptSession: 'u' } }).send();
    expect(refused).toBeInstanceOf(SandboxUnavailable);
    expect((refused as Error).message).toContain('may keep 2 sessions');
  });

  it('is ended in every language, and no other one is', async () => {
    const kept = [keeps('first', 'python/s'), keeps('second', 'javascript/s'), keeps('third', 'python/t')];
    const { dispatcher, events } = dispatching({ reads: [[]], kept });
    expect(await dispatcher.endSessions('a', 's')).toBe(true);
    expect(events.toSorted()).toEqual(['draining first', 'draining second', 'ends first', 'ends second']);
    expect(await dispatcher.endSessions('a', 's')).toBe(false);
  });
});

it('reports failed updates of the registry, and gives the result all the same', async () => {
  const failures: unknown[] = [];
  const broken = () => Promise.reject(new Error('throttled'));
  const dispatcher = new Dispatcher(
    {
      registry: {
        candidates: async () => [runner('first')],
        languages: async () => [],
        keptBy: async () => [],
        markKept: broken,
        markTaken: broken,
        markIdle: broken,
        markDraining: broken,
        waitForChange: async () => undefined,
      },
      client: {
        endSession: broken,
        run: async (_runner, _run, _caller, taken) => {
          taken();
          return RAN;
        },
      },
      clock: { now: () => 0 },
      random: () => 0,
      onNoRunner: async () => undefined,
      onRegistryError: (error) => failures.push(error),
    },
    { maxPerWorkspace: 1, maxInBackground: 1, reserve: 0, maxKept: 1 },
  );
  expect(await dispatcher.run(run, { workspaceId: 'a' })).toEqual(HELLO);
  expect(failures).toEqual([new Error('throttled'), new Error('throttled')]);
});
