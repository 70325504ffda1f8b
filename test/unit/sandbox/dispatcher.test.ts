import { describe, expect, it } from 'vitest';
import { Dispatcher } from '../../../functions/sandbox/domain/dispatcher.ts';
import type { Run, RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import type { Runner, RunnerAnswer, RunnerRefusal } from '../../../functions/sandbox/domain/runner-ports.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { HELLO, program } from '../../helpers/execution-flow.ts';

const run = program() as unknown as Run;
const RAN: RunnerAnswer = { kind: 'ran', outcome: HELLO, retires: false };
const refuses = (reason: RunnerRefusal): RunnerAnswer => ({ kind: 'refused', reason });
const lost = new Error('the connection broke');

const runner = (id: string, workspaceId: string | null = null): Runner => ({ id, url: `http://${id}`, workspaceId });

interface Situation {
  /** What each look into the registry finds; the last one for good. */
  readonly looks: readonly (readonly Runner[] | Error)[];
  /** What each runner answers, time after time; the last one for good. */
  readonly answers?: Readonly<Record<string, readonly (RunnerAnswer | Error)[]>>;
  /** What an offer takes. */
  readonly offerMs?: number;
  /** What every offer fails with before the runner has taken it. */
  readonly untaken?: Error;
  readonly mostPerWorkspace?: number;
}

/** A dispatcher of runners that answer as they are told; time passes only where it says so. */
function dispatching({ looks, answers = {}, offerMs = 0, mostPerWorkspace = 9, untaken }: Situation) {
  const told: string[] = [];
  let nowMs = 0;
  let look = 0;
  const offers = new Map<string, number>();
  const note = (what: string) => async (of: Runner) => void told.push(`${what} ${of.id}`);
  const dispatcher = new Dispatcher(
    {
      registry: {
        candidates: async () => {
          const found = looks[Math.min(look++, looks.length - 1)] ?? [];
          if (found instanceof Error) throw found;
          return found;
        },
        languages: async () => [{ name: 'python', version: '3' }],
        taken: note('taken'),
        freed: note('freed'),
        ended: note('ended'),
        change: async (atMostMs) => {
          nowMs += Math.min(300, atMostMs);
          told.push('waits');
        },
      },
      client: {
        async run({ id }, _run, _caller, taken) {
          told.push(`asks ${id}`);
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
      missed: async () => void told.push('missed'),
      unnoted: (error) => told.push(`unnoted ${(error as Error).message}`),
    },
    { mostPerWorkspace },
  );
  const send = (signal?: AbortSignal): Promise<RunOutcome | Error> =>
    dispatcher.run(run, { workspaceId: 'a', ...(signal && { signal }) }).catch((error: Error) => error);
  return { send, told };
}

describe('a program', () => {
  it('goes to a runner of its workspace before one of nobody, and never to one of others', async () => {
    const { send, told } = dispatching({
      looks: [[runner('other', 'b'), runner('new'), runner('own', 'a')]],
      answers: { own: [refuses('busy')], new: [RAN] },
    });
    expect(await send()).toEqual(HELLO);
    expect(told).toEqual(['asks own', 'asks new', 'taken new', 'freed new']);
  });

  it.each<[RunnerRefusal, string[]]>([
    ['busy', []],
    ['other_workspace', []],
    ['retired', ['ended first']],
    ['unreachable', ['ended first']],
  ])('goes to the next one where the first is %s', async (reason, notes) => {
    const { send, told } = dispatching({
      looks: [[runner('first', 'a'), runner('second')]],
      answers: { first: [refuses(reason)] },
    });
    expect(await send()).toEqual(HELLO);
    expect(told).toEqual(['asks first', ...notes, 'asks second', 'taken second', 'freed second']);
  });

  it('is never offered again when it was lost on the way', async () => {
    const { send, told } = dispatching({ looks: [[runner('first'), runner('second')]], answers: { first: [lost] } });
    expect(await send()).toBe(lost);
    expect(told).toEqual(['asks first', 'taken first', 'ended first']);
  });

  it('leaves the runner as it was when its caller gives up before it is taken', async () => {
    const { send, told } = dispatching({ looks: [[runner('first')]], untaken: lost });
    expect(await send()).toBe(lost);
    expect(told).toEqual(['asks first']);
  });

  it('is the last one of a runner that says so', async () => {
    const { send, told } = dispatching({
      looks: [[runner('first')]],
      answers: { first: [{ kind: 'ran', outcome: HELLO, retires: true }] },
    });
    expect(await send()).toEqual(HELLO);
    expect(told).toEqual(['asks first', 'taken first', 'ended first']);
  });

  it('waits for a runner, and takes the one that comes', async () => {
    const { send, told } = dispatching({ looks: [[], [], [runner('new')]] });
    expect(await send()).toEqual(HELLO);
    expect(told).toEqual(['waits', 'waits', 'asks new', 'taken new', 'freed new']);
  });

  it('is refused after a second without a runner, and somebody hears of it', async () => {
    const { send, told } = dispatching({ looks: [[]] });
    expect(await send()).toEqual(new SandboxUnavailable('All runners are busy. Please try again.'));
    expect(told).toEqual(['waits', 'waits', 'waits', 'waits', 'missed']);
  });

  it('asks three of its own and three of nobody before it looks again', async () => {
    const many = ['1', '2', '3', '4', '5'].flatMap((n) => [runner(`own${n}`, 'a'), runner(`new${n}`)]);
    const answers = Object.fromEntries(many.map(({ id }) => [id, [refuses('busy')]]));
    const { send, told } = dispatching({ looks: [many, []], answers });
    expect(await send()).toBeInstanceOf(SandboxUnavailable);
    expect(told.slice(0, 7)).toEqual([
      ...['own1', 'own2', 'own3', 'new1', 'new2', 'new3'].map((id) => `asks ${id}`),
      'waits',
    ]);
  });

  it('does not ask for long where no runner answers', async () => {
    const silent = ['1', '2', '3'].map((id) => runner(id));
    const answers = Object.fromEntries(silent.map(({ id }) => [id, [refuses('unreachable')]]));
    const { send, told } = dispatching({ looks: [silent], answers, offerMs: 600 });
    expect(await send()).toBeInstanceOf(SandboxUnavailable);
    expect(told.filter((what) => what.startsWith('asks'))).toHaveLength(2);
  });

  it('gets no runner of nobody where its workspace has as many as it may', async () => {
    const { send, told } = dispatching({
      looks: [[runner('own', 'a'), runner('new')]],
      answers: { own: [refuses('busy')] },
      mostPerWorkspace: 1,
    });
    expect(await send()).toMatchObject({
      name: 'SandboxUnavailable',
      message: expect.stringMatching(/^All 1 runners/),
    });
    expect(told).not.toContain('asks new');
    expect(told).not.toContain('missed');
  });

  it('is refused where the runner lacks its language', async () => {
    const { send } = dispatching({ looks: [[runner('first')]], answers: { first: [refuses('no_language')] } });
    expect(await send()).toMatchObject({ name: 'SandboxUnavailable', message: expect.stringContaining('python') });
  });

  it('is refused, to be sent again later, where the runner is still preparing its language', async () => {
    const { send } = dispatching({ looks: [[runner('first')]], answers: { first: [refuses('preparing')] } });
    expect(await send()).toMatchObject({
      name: 'SandboxUnavailable',
      message: expect.stringContaining('being prepared'),
      retryAfterSeconds: 15,
    });
  });

  it('is refused, and not lost, where the registry fails', async () => {
    const { send } = dispatching({ looks: [new Error('no such table')] });
    expect(await send()).toMatchObject({ name: 'SandboxUnavailable', cause: new Error('no such table') });
    const why = new SandboxUnavailable('There is no Linux here.');
    expect(await dispatching({ looks: [why] }).send()).toBe(why);
  });

  it('is offered to nobody when nobody wants it any more', async () => {
    const stopped = AbortSignal.abort(new Error('cancelled'));
    const { send, told } = dispatching({ looks: [[runner('first')]] });
    expect(await send(stopped)).toEqual(new Error('cancelled'));
    expect(told).toEqual([]);
  });
});

it('tells what the registry could not be told, and gives the result all the same', async () => {
  const unnoted: unknown[] = [];
  const broken = () => Promise.reject(new Error('throttled'));
  const dispatcher = new Dispatcher(
    {
      registry: {
        candidates: async () => [runner('first')],
        languages: async () => [],
        taken: broken,
        freed: broken,
        ended: broken,
        change: async () => undefined,
      },
      client: {
        run: async (_runner, _run, _caller, taken) => {
          taken();
          return RAN;
        },
      },
      clock: { now: () => 0 },
      random: () => 0,
      missed: async () => undefined,
      unnoted: (error) => unnoted.push(error),
    },
    { mostPerWorkspace: 1 },
  );
  expect(await dispatcher.run(run, { workspaceId: 'a' })).toEqual(HELLO);
  expect(unnoted).toEqual([new Error('throttled'), new Error('throttled')]);
});
