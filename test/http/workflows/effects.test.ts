import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node as graphNode } from '../../helpers/workflows/graphs.ts';

const service = useService();

const requests: { headers: http.IncomingHttpHeaders; body: string }[] = [];
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    requests.push({ headers: request.headers, body });
    response.statusCode = request.url === '/busy' && requests.length === 1 ? 503 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ said: body.length }));
  });
});
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const start = graphNode('start', 'start');
/** Runs one node behind the start. */
async function runNode(type: Parameters<typeof graphNode>[1], config: object, more: object = {}) {
  const one = graphNode('one', type, config as never, more);
  const id = await publishedWorkflow(service, graph([start, one], ['start > one']));
  return (await runWorkflow(service, id)).json.data;
}
const outputsOf = (run: Awaited<ReturnType<typeof runNode>>) =>
  run.nodes.find((each) => each.execution_key === 'one')?.outputs;

it('posts JSON with a key of its own, and asks again with the same one', async () => {
  requests.length = 0;
  const retry = { maxAttempts: 2, delayMs: 1 };
  const run = await runNode('http_request', { method: 'POST', url: `${address}/busy`, body: { a: [1] } }, { retry });
  expect([run.status, outputsOf(run)]).toMatchObject(['succeeded', { status: 200, body: { said: 9 } }]);
  expect(requests.map(({ body }) => body)).toEqual(['{"a":[1]}', '{"a":[1]}']);
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(requests[0]?.headers['idempotency-key']).toBe(`${run.id}:one`);
});

it.each(['http://169.254.169.254/latest/meta-data', 'https://10.0.0.1/', 'https://[fd00::1]/', 'file:///etc/passwd'])(
  'requests nothing at %s',
  async (url) => {
    const { failure } = await runNode('http_request', { url });
    expect(failure?.code).toMatch(/^fetch_(not_public|invalid_request)$/);
    expect(failure?.node_id).toBe('one');
  },
);

it('what takes more than a template may is stopped', async () => {
  const bombs = [
    '{% for a in (1..100000000) %}{% endfor %}',
    '{% assign x = "ab" %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{ x }}',
    '{% for a in (1..3000) %}{% for b in (1..3000) %}{% for c in (1..3000) %}x{% endfor %}{% endfor %}{% endfor %}',
  ];
  for (const template of bombs) expect((await runNode('template', { template })).failure?.code).toBe('template_limit');
  expect((await runNode('template', { template: '{% if %}' })).failure?.code).toBe('template_failed');
  expect((await runNode('template', { template: '{% include "/etc/passwd" %}' })).failure?.code).toBe(
    'template_failed',
  );
});

it('two megabytes of inputs are refused before anything runs', async () => {
  const field = { name: 'all', type: 'object' };
  const id = await publishedWorkflow(service, graph([graphNode('start', 'start', { fields: [field] })], []));
  const { status, json } = await runWorkflow(service, id, { inputs: { all: { text: 'x'.repeat(2_000_000) } } });
  expect([status, json.message]).toEqual([422, expect.stringContaining('a run begins with at most 200000')]);
});

it('a program gets its inputs as JSON, and gives out what it prints', async () => {
  const config = {
    language: 'python',
    code: 'import json,sys\nd=json.load(sys.stdin)\nprint(json.dumps({"sum": sum(d["numbers"])}))',
    outputs: { sum: 'number' },
  };
  const run = await runNode('code', config, { inputs: { numbers: [1, 2, 39] } });
  expect([run.status, outputsOf(run)]).toEqual(['succeeded', { sum: 42 }]);
  expect(run.usage.sandbox_seconds).toBeGreaterThan(0);
});

it.each([
  ['fails', 'raise Exception("no")', 'code_failed', /ended with 1.*Exception: no/s],
  ['prints no JSON', 'print("hello")', 'invalid_output', /must print one JSON object and nothing else. It printed 6/],
  ['floods', 'print("x" * 3_000_000)', 'invalid_output', /It printed \d+ characters/],
  ['prints another type', 'print(\'{"n": "1"}\')', 'invalid_output', /must print n as a number/],
  ['takes too long', 'while True: pass', 'timeout', /./],
])('a program that %s fails its node, and says why', async (_, code, expected, message) => {
  const { failure } = await runNode('code', { language: 'python', code, outputs: { n: 'number' }, timeout_seconds: 2 });
  expect([failure?.code, failure?.message]).toEqual([expected, expect.stringMatching(message)]);
});
