/**
 * `npm run bench workflow`: the costs of the workflow engine. A graph of ten nodes without model calls, without and with
 * the embedded DynamoDB; two hundred parallel passes over a template; ten thousand of them, with the memory after each
 * thousand; the writes of a run; and a program in a node compared with the same by POST /execute, in turn through the local service.
 *
 * With a folder that has @langchain/langgraph it compares ten nodes over HTTP with LangGraph and a checkpointer.
 *
 *     npm run bench workflow -- --rounds 50 --langgraph <folder>
 */

import { randomBytes } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA_SETTINGS } from '../functions/accounts/domain/data-settings.ts';
import { newDynamoClient } from '../functions/adapters/dynamodb/client.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../functions/adapters/shared/system-ports.ts';
import { DynamoRunLeases } from '../functions/adapters/workflows/dynamo-run-leases.ts';
import { DynamoRunPlaces } from '../functions/adapters/workflows/dynamo-run-places.ts';
import { DynamoRuns } from '../functions/adapters/workflows/dynamo-runs.ts';
import { RunContents } from '../functions/adapters/workflows/run-contents.ts';
import { ThreadedTemplates } from '../functions/adapters/workflows/threaded-templates.ts';
import {
  DEFAULT_HANDLE,
  DEFAULT_SETTINGS,
  type Graph,
  type GraphNode,
  type JsonObject,
  NO_RETRY,
  type NodeType,
} from '../functions/workflows/domain/graph/graph.ts';
import { type BeginPorts, beginRun, checkedRun } from '../functions/workflows/domain/run/begin-run.ts';
import type { NodeEffects } from '../functions/workflows/domain/run/node-effects.ts';
import { toGraphResponse } from '../functions/workflows/graph-wire.ts';
import { openDynamoDatabase } from '../local/embedded/dynamodb/database.ts';
import { serveDynamoDb } from '../local/embedded/dynamodb/server.ts';
import { createTables } from '../local/embedded/tables.ts';
import { startLocalService } from './local-service.ts';
import { againstLangGraph } from './workflow/against-langgraph.ts';

const KEY = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, langgraph: { type: 'string' } },
});
const rounds = Number(values.rounds);

function node(id: string, type: NodeType, config: JsonObject, more: Partial<GraphNode> = {}): GraphNode {
  const rest = { parentId: null, title: id, inputs: {}, onError: 'fail', defaultOutput: null, position: null } as const;
  return { id, type, config, retry: NO_RETRY, ...rest, ...more };
}

function graphOf(nodes: readonly GraphNode[], ways: readonly (readonly [string, string, string?])[]): Graph {
  const edges = ways.map(([source, target, sourceHandle = DEFAULT_HANDLE], i) => ({
    id: `e${i}`,
    source,
    target,
    sourceHandle,
  }));
  return { version: 1, nodes, edges, settings: { ...DEFAULT_SETTINGS, maxSteps: 20_000, concurrency: 20 } };
}

const condition = { left: '{{start.n}}', operator: 'gt', right: 3 };
const template = (id: string, of: string, more: Partial<GraphNode> = {}) =>
  node(id, 'template', { template: 'Value {{ v | plus: 1 }}' }, { inputs: { v: of }, ...more });
const ten = graphOf(
  [
    node('start', 'start', { fields: [{ name: 'n', type: 'number' }] }),
    node('check', 'condition', { cases: [{ id: 'big', conditions: [condition] }] }),
    template('a', '{{start.n}}'),
    template('b', '{{start.n}}'),
    node('set', 'variable_assign', { values: { v: '{{a.text}} {{b.text}}' } }),
    template('c', '{{set.v}}'),
    template('d', '{{c.text}}'),
    node('join', 'variable_assign', { values: { v: '{{d.text}}' } }),
    node('end', 'answer', { text: '{{join.v}}' }),
    node('small', 'answer', { text: 'small' }),
  ],
  [
    ['start', 'check'],
    ...[['check', 'a', 'big'] as const, ['check', 'b', 'big'] as const, ['check', 'small', 'else'] as const],
    ...[['a', 'set'] as const, ['b', 'set'] as const, ['set', 'c'] as const, ['c', 'd'] as const],
    ...[['d', 'join'] as const, ['join', 'end'] as const],
  ],
);
const iteration = (count: number) =>
  graphOf(
    [
      node('start', 'start', { fields: [{ name: 'items', type: 'list' }] }),
      node('each', 'iteration', {
        items: '{{start.items}}',
        output: '{{line.text}}',
        concurrency: Math.min(50, count),
      }),
      template('line', '{{each.index}}', { parentId: 'each' }),
      node('end', 'answer', { text: '{{each.count}}' }),
    ],
    [
      ['start', 'each'],
      ['each', 'end'],
    ],
  );

const effect = (id: string, more: Partial<GraphNode> = {}) =>
  node(id, 'http_request', { url: 'https://example.com' }, more);
const inARow = (count: number) => {
  const ids = Array.from({ length: count }, (_, i) => `n${i}`);
  return graphOf(
    [node('start', 'start', {}), ...ids.map((id) => effect(id))],
    [...ids.map((id, i) => [i === 0 ? 'start' : ids[i - 1]!, id] as const)],
  );
};
const map = (count: number): Graph => {
  const whole = iteration(count);
  return {
    ...whole,
    nodes: whole.nodes.map((each) => (each.id === 'line' ? effect('line', { parentId: 'each' }) : each)),
  };
};

const templates = new ThreadedTemplates();
const effects: NodeEffects = {
  perform: async ({ config, inputs }) => ({
    outputs: {
      text: config.template
        ? await templates.render(String(config.template), inputs, 'liquid', { tenant: 'bench' })
        : 'done',
    },
  }),
};
const rest = {
  effects,
  ids: ulidIds,
  random: randomBytes,
  serviceUrl: '',
  dataSettings: { dataSettings: async () => DEFAULT_DATA_SETTINGS },
  clock: systemClock,
  queue: { send: async () => undefined },
  pause: { wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined) },
  onFault: (_: string, error: unknown) => {
    throw error;
  },
};
const memory: BeginPorts = {
  ...rest,
  runs: { create: async () => undefined },
  places: { enter: async () => null, countWithin: async () => true, leave: async () => [] },
  leases: {
    append: async (_: unknown, entry: number) => entry + 1,
    rest: async (_: unknown, entry: number) => entry + 1,
    requests: async () => null,
    decide: async () => true,
  },
};

async function run(graph: Graph, inputs: JsonObject, ports: BeginPorts): Promise<number> {
  const trigger = { kind: 'api', caller: { kind: 'key', id: 'k' }, applicationId: null, sessionId: null } as const;
  const request = { workspaceId: 'ws', workflowId: 'wf', workflowVersion: 1, graph, inputs, trigger };
  const started = performance.now();
  const checked = checkedRun({ ...request, query: '', files: [], history: [] }, ports);
  const { machine } = await beginRun(checked, { deadlineMs: Date.now() + 290_000 }, ports);
  if (machine.status !== 'succeeded') throw new Error(JSON.stringify(machine.failure));
  return performance.now() - started;
}

async function timed(graph: Graph, inputs: JsonObject, ports: BeginPorts, count = rounds): Promise<string> {
  for (let i = 0; i < 5; i++) await run(graph, inputs, ports);
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await run(graph, inputs, ports));
  times.sort((a, b) => a - b);
  return `p50 ${times[times.length >> 1]!.toFixed(2)} ms, p99 ${times[Math.floor(times.length * 0.99)]!.toFixed(2)} ms`;
}

console.log(`${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}, ${rounds} rounds`);
console.log(`ten nodes without storage      ${await timed(ten, { n: 5 }, memory)}`);
const items = (count: number) => ({ items: Array.from({ length: count }, (_, i) => i) });
console.log(`200 parallel passes            ${await timed(iteration(200), items(200), memory, Math.min(20, rounds))}`);
const before = process.memoryUsage().heapUsed;
const peaks: number[] = [];
const sampling = setInterval(() => peaks.push(process.memoryUsage().heapUsed - before), 20);
const tenThousandMs = await run(iteration(10_000), items(10_000), memory);
clearInterval(sampling);
const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
const third = Math.ceil(peaks.length / 3);
const mean = (some: readonly number[]) => some.reduce((sum, each) => sum + each, 0) / Math.max(1, some.length);
console.log(
  `10,000 passes                  ${tenThousandMs.toFixed(0)} ms, heap over the start in thirds of the run: ` +
    `${[0, 1, 2].map((i) => mb(mean(peaks.slice(i * third, (i + 1) * third)))).join(', ')} MB`,
);

const database = await openDynamoDatabase();
await createTables(database, { RUNS_TABLE: 'runs', USAGE_TABLE: 'usage' });
const server = await serveDynamoDb(database, KEY);
const client = newDynamoClient({ endpoint: server.url, region: 'ap-northeast-2', credentials: KEY });
const contents = new RunContents(() => Promise.reject(new Error('These runs have no large values.')));
const stored: BeginPorts = {
  ...rest,
  runs: new DynamoRuns(client, 'runs', contents, systemClock),
  places: new DynamoRunPlaces(client, 'runs', jitteredBackoff),
  leases: new DynamoRunLeases(client, 'runs', 'usage', { contents, backoff: jitteredBackoff, clock: systemClock }),
};
console.log(`ten nodes, embedded DynamoDB   ${await timed(ten, { n: 5 }, stored)}`);
let writes = 0;
client.middlewareStack.add(
  (next, { commandName }) =>
    (sent) => {
      if (/^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(commandName ?? '')) writes += 1;
      return next(sent);
    },
  { step: 'initialize' },
);
/** Requests to the database that change something, during one run. */
async function writesOf(graph: Graph, inputs: JsonObject, nodes: number): Promise<string> {
  writes = 0;
  await run(graph, inputs, stored);
  return `${writes} for ${nodes} nodes: ${(writes / nodes).toFixed(2)} a node`;
}
console.log(`writes, ten nodes              ${await writesOf(ten, { n: 5 }, 10)}`);
console.log(`writes, ten effects in a row   ${await writesOf(inARow(10), {}, 11)}`);
console.log(`writes, 100 effects in a map   ${await writesOf(map(100), items(100), 103)}`);
client.destroy();
await server.stop();
await database.close();

/** Of each way; a minute allows 100 programs and 120 runs. */
const PROGRAMS = Math.min(40, rounds);
const CODE_BAR_MS = 15;
const program = {
  language: 'python',
  code: 'import json, sys\nprint(json.dumps({"sum": sum(json.load(sys.stdin)["numbers"])}))',
};
const numbers = [1, 2, 39];
const service = await startLocalService();
try {
  if (values.langgraph !== undefined)
    console.log(`ten nodes over HTTP, p50         ${await compareTen(values.langgraph)}`);
  await compareProgram();
} finally {
  await service.end();
}

interface ShownRun {
  readonly status: string;
  readonly nodes: readonly { readonly outputs: { readonly sum?: number } | null; readonly elapsed_ms: number }[];
}

/** A minute allows 120 runs. */
async function compareTen(folder: string): Promise<string> {
  const created = await post<{ data: { id: string } }>('/workflows', {
    name: `Ten ${Date.now()}`,
    graph: toGraphResponse(ten),
  });
  return againstLangGraph(folder, Math.min(50, rounds), async () => {
    const ran = await post<{ data: { answer: string } }>(`/workflows/${created.data.id}/run`, {
      version: 'draft',
      inputs: { n: 5 },
    });
    return ran.data.answer;
  });
}

async function compareProgram(): Promise<void> {
  const graph = {
    nodes: [
      { id: 'start', type: 'start', data: {} },
      { id: 'code', type: 'code', data: { inputs: { numbers }, config: { ...program, outputs: { sum: 'number' } } } },
    ],
    edges: [{ source: 'start', target: 'code' }],
  };
  const { data } = await post<{ data: { id: string } }>('/workflows', { name: `Bench ${Date.now()}`, graph });
  const stdin = JSON.stringify({ numbers });
  const times = { execute: [] as number[], node: [] as number[], run: [] as number[] };
  // Once each before: runners start on first use.
  for (let round = -1; round < PROGRAMS; round++) {
    const startedMs = performance.now();
    const executed = await post<{ stdout: string }>('/execute', { ...program, stdin });
    const executedMs = performance.now();
    const ran = await post<{ data: ShownRun }>(`/workflows/${data.id}/run`, { version: 'draft' });
    const ranMs = performance.now();
    const [, code] = ran.data.nodes;
    if (executed.stdout !== '{"sum": 42}\n' || code?.outputs?.sum !== 42)
      throw new Error(JSON.stringify([executed, ran]));
    if (round < 0) continue;
    times.execute.push(executedMs - startedMs);
    times.node.push(code.elapsed_ms);
    times.run.push(ranMs - executedMs);
  }
  const [execute, inNode, whole] = [p50(times.execute), p50(times.node), p50(times.run)];
  console.log(
    `a program, p50 of ${PROGRAMS}         POST /execute ${execute.toFixed(1)} ms, in a node ${inNode.toFixed(1)} ms ` +
      `(${(inNode - execute).toFixed(1)} more; bar ${CODE_BAR_MS}), POST /run as a whole ${whole.toFixed(1)} ms`,
  );
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-api-key': service.apiKey };
  const response = await fetch(`${service.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered with ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

function p50(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
