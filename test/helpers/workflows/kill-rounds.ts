import { setTimeout as sleep } from 'node:timers/promises';
import type { Graph } from '../../../functions/workflows/domain/graph/graph.ts';
import { Random } from '../random.ts';
import type { TestService } from '../service.ts';
import { envelope, publishedWorkflow, type RunResponse, runThat } from './calls.ts';
import { graph, node } from './graphs.ts';
import { startReceiver } from './receiver.ts';

type Service = Pick<TestService, 'baseUrl' | 'apiKey'>;

export interface KillOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Starts the service on the same data each time. */
  readonly start: () => Promise<Service & { kill(): Promise<void> }>;
  readonly log?: (line: string) => void;
}

interface ListedRun {
  readonly id: string;
  readonly status: string;
  readonly trigger: { readonly planned_at: string | null };
}

const RUNS_A_ROUND = 2;
const MINUTE_MS = 60_000;
const retry = { maxAttempts: 11, delayMs: 0 };

function effect(id: string, origin: string, path: string, body: string) {
  return node(id, 'http_request', { method: 'POST', url: `${origin}${path}`, body, body_type: 'text' }, { retry });
}

const start = node('start', 'start', { fields: [{ name: 'n', type: 'number' }] });
const inner = (origin: string) =>
  graph(
    [start, effect('tell', origin, '/inner', '{{start.n}}'), node('end', 'answer', { text: 'inner {{start.n}}' })],
    ['start > tell', 'tell > end'],
  );
const outer = (origin: string, innerId: string) =>
  graph(
    [
      start,
      effect('first', origin, '/first', '{{start.n}}'),
      node(
        'double',
        'code',
        {
          language: 'python',
          code: 'import json, sys\nprint(json.dumps({"n": json.load(sys.stdin)["n"] * 2}))',
          outputs: { n: 'number' },
        },
        { inputs: { n: '{{start.n}}' }, retry },
      ),
      node('call', 'sub_workflow', { workflow_id: innerId, inputs: { n: '{{start.n}}' } }),
      node('ask', 'approval', { message: 'Send {{double.n}}?' }),
      effect('last', origin, '/last', '{{start.n}}'),
      node('end', 'answer', { text: '{{double.n}} {{call.answer}}' }),
    ],
    [
      'start > first',
      'first > double',
      'first > call',
      'double > ask',
      'call > ask',
      'ask:approved > last',
      'last > end',
    ],
  );
const scheduled = (origin: string) =>
  graph(
    [
      node('start', 'start', { fields: [{ name: 'at', type: 'text' }] }),
      effect('tick', origin, '/tick', '{{start.at}}'),
    ],
    ['start > tick'],
  );

/** Runs of the graph wait in line for each other. */
const withPlaces = (maxRuns: number, plain: Graph): Graph => ({ ...plain, settings: { ...plain.settings, maxRuns } });

/**
 * Kills a service with `kill -9` at random moments while it has runs with requests, programs, sub-workflows, approvals and a schedule.
 * @returns the counts
 * @throws Error that names a repeated effect, or a lost or stuck run
 */
export async function killRounds({ rounds, seed, start: startService, log = () => undefined }: KillOptions) {
  const random = new Random(seed);
  // Slow enough to be killed in.
  const receiver = await startReceiver(async () => {
    await sleep(random.below(60));
    return 'taken';
  });
  let service = await startService();
  try {
    const innerId = await publishedWorkflow(service, withPlaces(1, inner(receiver.origin)));
    const outerId = await publishedWorkflow(service, withPlaces(2, outer(receiver.origin, innerId)));
    const scheduleId = await publishedWorkflow(service, scheduled(receiver.origin));
    const begunMs = Date.now();
    const trigger = { type: 'schedule', name: 'Each minute', cron: '* * * * *', time_zone: 'UTC' };
    const inputs = { at: '{{schedule.planned_at}}' };
    const made = await envelope(service, 'POST', `/workflows/${scheduleId}/triggers`, { ...trigger, inputs });
    if (made.status !== 201) throw new Error(made.json.message);

    const runs = new Map<number, string>();
    const wanted = () => Array.from({ length: runsBegun }, (_, n) => n).filter((n) => !runs.has(n));
    let runsBegun = 0;
    let restarts = 0;
    for (let round = 0; round < rounds; round++) {
      runsBegun += RUNS_A_ROUND;
      const killed = new AbortController();
      const working = work(service, killed.signal);
      await sleep(100 + random.below(2_400));
      await service.kill();
      killed.abort();
      await working;
      service = await startService();
      restarts += 1;
      log(`round ${round + 1}: ${runs.size} of ${runsBegun} runs were accepted`);
    }
    const finishing = new AbortController();
    const working = work(service, finishing.signal);
    await Promise.race([working, sleep(5_000)]);
    const ended: RunResponse[] = [];
    for (let n = 0; n < runsBegun; n++) {
      const isOver = ({ status }: RunResponse) => status === 'succeeded' || status === 'failed';
      ended.push(await runThat(service, runs.get(n)!, isOver));
    }
    finishing.abort();
    await working;
    // A planned minute may be under way.
    const minutes = await schedulesOf(scheduleId, begunMs);
    const innerRuns = await allRuns(innerId);

    for (const [n, { status, answer, failure }] of ended.entries())
      if (status !== 'succeeded' || answer !== `${2 * n} inner ${n}`)
        throw new Error(`Run ${n} is ${status} with ${answer}: ${JSON.stringify(failure)}`);
    for (const path of ['/first', '/last', '/inner'])
      requireOnce(
        path,
        ended.map((_, n) => `${n}`),
      );
    requireOnce('/tick', minutes);
    if (innerRuns.length !== ended.length) throw new Error(`${innerRuns.length} inner runs of ${ended.length}`);
    return { restarts, runs: ended.length, requests: receiver.received.length, minutes: minutes.length };

    /** Starts the runs that are not accepted yet, each under its key, and approves all that wait. */
    async function work(of: Service, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        try {
          for (const n of wanted()) {
            const body = { inputs: { n }, background: true };
            const response = await fetch(`${of.baseUrl}/api/v1/workflows/${outerId}/run`, {
              method: 'POST',
              headers: { 'x-api-key': of.apiKey, 'content-type': 'application/json', 'idempotency-key': `run-${n}` },
              body: JSON.stringify(body),
              signal,
            });
            const { data, message } = (await response.json()) as { data: RunResponse | null; message: string };
            if (response.status === 202) runs.set(n, data!.id);
            else if (response.status < 500 && response.status !== 409 && response.status !== 429)
              throw new Error(message);
          }
          for (const { id, status } of await allRuns(outerId, of))
            if (status === 'waiting') await envelope(of, 'POST', `/runs/${id}/approve`, {});
        } catch (error) {
          if (!signal.aborted && !isGone(error)) throw error;
        }
        await sleep(50, undefined, { signal }).catch(() => undefined);
      }
    }

    async function allRuns(workflow: string, of: Service = service): Promise<ListedRun[]> {
      const found: ListedRun[] = [];
      for (let cursor: string | null = null; ; ) {
        const path: string = `/workflows/${workflow}/runs?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { json } = await envelope<{ runs: ListedRun[]; next_cursor: string | null }>(of, 'GET', path);
        found.push(...json.data.runs);
        cursor = json.data.next_cursor;
        if (cursor === null) return found;
      }
    }

    /** The minutes that the schedule has started runs for: all between its making and now, once each. */
    async function schedulesOf(workflow: string, fromMs: number): Promise<string[]> {
      const firstMs = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
      const untilMs = Date.now();
      const planned = Array.from({ length: Math.max(0, Math.floor((untilMs - firstMs) / MINUTE_MS)) + 1 }, (_, i) =>
        new Date(firstMs + i * MINUTE_MS).toISOString(),
      ).filter((at) => Date.parse(at) <= untilMs);
      const lastMs = Date.now() + 20_000;
      for (;;) {
        const found = (await allRuns(workflow)).filter(({ trigger: { planned_at } }) =>
          planned.includes(planned_at ?? ''),
        );
        const isOver = found.every(({ status }) => status === 'succeeded');
        if (found.length >= planned.length && isOver) {
          if (new Set(found.map(({ trigger: { planned_at } }) => planned_at)).size !== found.length)
            throw new Error('A schedule has fired twice for one minute.');
          return planned;
        }
        if (Date.now() > lastMs) throw new Error(`Of ${planned.join(', ')} there are ${JSON.stringify(found)}`);
        await sleep(200);
      }
    }

    /** Requires one key for each body, however often it was sent. */
    function requireOnce(path: string, bodies: readonly string[]): void {
      const keys = new Map<string, Set<string>>();
      for (const { path: at, body, key } of receiver.received)
        if (at === path) keys.set(body, (keys.get(body) ?? new Set()).add(key ?? 'none'));
      for (const body of bodies)
        if (keys.get(body)?.size !== 1)
          throw new Error(`${path} was asked for ${body} under ${[...(keys.get(body) ?? [])].join(', ') || 'no key'}`);
    }
  } finally {
    await service.kill();
    receiver.stop();
  }
}

/** True where the service was killed meanwhile. */
function isGone(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError;
}
