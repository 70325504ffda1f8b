import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBase, indexText } from '../../helpers/knowledge.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node as graphNode } from '../../helpers/workflows/graphs.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

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
    if (request.url === '/much') response.end('x'.repeat(190_000));
    else if (request.url === '/large')
      response
        .setHeader('content-type', 'application/json')
        .end('{"id": 9007199254740993, "n": 9007199254740992, "f": 1.5}');
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ said: body.length }));
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
async function runNode(
  type: Parameters<typeof graphNode>[1],
  config: object,
  more: object = {},
  caller: Pick<typeof service, 'baseUrl' | 'apiKey'> = service,
) {
  const one = graphNode('one', type, config as never, more);
  const id = await publishedWorkflow(caller, graph([start, one], ['start > one']));
  return (await runWorkflow(caller, id)).json.data;
}
const outputsOf = (run: Awaited<ReturnType<typeof runNode>>) =>
  run.nodes.find((each) => each.execution_key === 'one')?.outputs;

it('a request posts JSON with a unique key, and a retry uses the same one', async () => {
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
    expect(failure?.message.includes('LAN_HOSTS')).toBe(failure?.code === 'fetch_not_public');
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
  expect((await runNode('template', { template: '{% include "/etc/passwd" %}' })).failure?.code).toBe(
    'template_failed',
  );
});

it('a Jinja2 template is bounded too, and reaches nothing but its values', async () => {
  const render = (template: string, inputs = {}) => runNode('template', { template, syntax: 'jinja2' }, { inputs });
  const shown = await render("{{ list }} {{ flag }} {{ 'x' ~ n }} {{ text | upper }} {{ {'a': 'b'} }}", {
    ...{ list: [1, 'a'], flag: true, n: 2, text: '가a' },
  });
  expect(outputsOf(shown)).toEqual({ text: "[1, 'a'] True x2 가A {'a': 'b'}" });
  const loop = '{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}';
  expect((await render(loop)).failure?.code).toBe('template_limit');
  const doubling =
    '{% set s = namespace(v="ab") %}{% for i in range(40) %}{% set s.v = s.v ~ s.v %}{% endfor %}{{ s.v }}';
  expect((await render(doubling)).failure?.code).toMatch(/^template_(limit|failed)$/);
  const jailbreak = '{{ "".constructor.constructor("return process")() }}';
  expect((await render(jailbreak)).failure?.code).toBe('template_failed');
  expect(outputsOf(await render('still {{ 1 + 1 }}'))).toEqual({ text: 'still 2' });
});

it.each(['liquid', 'jinja2'])('a broken %s template is found when it is saved', async (syntax) => {
  const broken = graphNode('one', 'template', { template: '{% if %}', syntax }, { title: 'Letter' });
  await expect(publishedWorkflow(service, graph([start, broken], ['start > one']))).rejects.toThrow(
    /Node "Letter": config.template is no (Liquid|Jinja2) template/,
  );
});

it('a whole number above 2^53 is refused by name in a program, and kept as its digits in a response', async () => {
  const code = 'print(\'{"id": 9007199254740993}\')';
  const { failure } = await runNode('code', { language: 'python', code, outputs: { id: 'number' } }, { title: 'Ids' });
  expect(failure).toMatchObject({
    code: 'unsafe_number',
    message: expect.stringContaining('The program of Ids printed id as 9007199254740993'),
  });
  const run = await runNode('http_request', { url: `${address}/large` });
  expect(outputsOf(run)).toMatchObject({ body: { id: '9007199254740993', n: 9007199254740992, f: 1.5 } });
});

it('a response of 200 KB is kept once', async () => {
  const run = await runNode('http_request', { url: `${address}/much` });
  expect(run.failure).toBeNull();
  expect(outputsOf(run)?.body).toHaveLength(190_000);
});

it('finds passages of a knowledge base, by documents and as one text', async () => {
  const { id: base } = await createBase(service);
  const { id: document } = await indexText(service, base, '환불은 결제한 날부터 7일 안에 신청할 수 있습니다.', {
    title: '환불 안내',
  });
  await indexText(service, base, 'Parcels are delivered within two days.', { title: 'Delivery' });
  const config = { knowledge_base_ids: [base], query: '환불을 언제까지 받나요?', top_k: 1 };
  const run = await runNode('knowledge_search', config);
  expect([run.status, outputsOf(run)]).toMatchObject([
    'succeeded',
    {
      documents: [{ id: document, title: '환불 안내', snippet: expect.stringContaining('7일') }],
      text: expect.stringMatching(/^\[환불 안내\]\n환불은/),
    },
  ]);
  // Another workspace's base gives nothing.
  const stranger = await createWorkspace();
  const theirs = await runNode('knowledge_search', config, {}, { ...service, apiKey: stranger.apiKey });
  expect([theirs.status, outputsOf(theirs)]).toEqual(['succeeded', { documents: [], text: '' }]);
});

it('an exhausted balance fails the run at that node; paid results are kept and shown', async () => {
  const workspace = await createWorkspace({ balanceKrw: 300, freeCallsUsed: 10 });
  const caller = { baseUrl: service.baseUrl, apiKey: workspace.apiKey };
  const bytes = await readFile(new URL('../../../docs/sample-page.png', import.meta.url));
  const image = `data:image/png;base64,${bytes.toString('base64')}`;
  const retry = { maxAttempts: 5, delayMs: 1_000 };
  const nodes = ['first', 'second', 'third'].map((id) =>
    graphNode(id, 'extract', { image: '{{page.image}}' }, { retry }),
  );
  const page = graphNode('page', 'variable_assign', { values: { image } });
  const id = await publishedWorkflow(
    caller,
    graph([start, page, ...nodes], ['start > page', 'page > first', 'first > second', 'second > third']),
  );
  const { json } = await runWorkflow(caller, id);
  const { status, failure, usage, nodes: shown } = json.data;
  expect([status, failure]).toMatchObject(['failed', { code: 'insufficient_balance', node_id: 'second' }]);
  expect(shown.map((each) => [each.execution_key, each.status, each.usage?.krw ?? 0])).toEqual([
    ['start', 'succeeded', 0],
    ['page', 'succeeded', 0],
    ['first', 'succeeded', 200],
    ['second', 'failed', 0],
  ]);
  expect(shown[2]?.outputs).toMatchObject({ found_table: true, cost_krw: 200 });
  expect(usage.krw).toBe(200);
  const { balanceKrw, charges } = await tracesOf(workspace.workspaceId);
  expect([balanceKrw, charges.map(({ amountKrw }) => amountKrw)]).toEqual([100, [-200]]);
});

it('nodes that give out more than a run may hold are stopped before they fill the memory', async () => {
  const ids = Array.from({ length: 8 }, (_, i) => `t${i}`);
  const nodes = ids.map((id) =>
    graphNode(id, 'template', { template: '{{ text }}' }, { inputs: { text: '{{start.text}}' } }),
  );
  const ways = ids.map((id, i) => `${i === 0 ? 'start' : ids[i - 1]} > ${id}`);
  const begin = graphNode('start', 'start', { fields: [{ name: 'text', type: 'list' }] });
  const workflow = await publishedWorkflow(service, graph([begin, ...nodes], ways));
  const { failure } = (await runWorkflow(service, workflow, { inputs: { text: ['x'.repeat(2_000_000)] } })).json.data;
  expect(failure).toMatchObject({ code: 'variables_too_large', node_id: 't3' });
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

it('entries of a list have the type that entry_types says, or are null', async () => {
  const code = (list: string) => `import json\nprint(json.dumps({"list": ${list}}))`;
  const config = { language: 'python', outputs: { list: 'list' }, entry_types: { list: 'text' } };
  const right = await runNode('code', { ...config, code: code('["a", None]') });
  expect(outputsOf(right)).toEqual({ list: ['a', null] });
  const wrong = await runNode('code', { ...config, code: code('["a", 1]') });
  expect(wrong.failure).toMatchObject({
    code: 'invalid_output',
    message: expect.stringContaining('Entry 1 is a number'),
  });
});

it('a program finds inputs that are data: URLs as files, and the files that it leaves are an output', async () => {
  const code = `
import os
open("out/copy.csv", "wb").write(open("inputs/sheet", "rb").read() + open("inputs/more-2", "rb").read())
print("{}")`;
  const data = (text: string) => `data:text/csv;base64,${btoa(text)}`;
  const sheet = { kind: 'file', url: data('a,b'), name: 'a.csv' };
  const inputs = { sheet, more: ['no file', data(';c')], '../up': data('x') };
  const run = await runNode('code', { language: 'python', code, outputs: { files: 'list' } }, { inputs });
  expect([run.status, run.failure ?? null]).toEqual(['succeeded', null]);
  const { files } = outputsOf(run) as { files: { path: string; size: number; media_type: string; url: string }[] };
  expect(files).toMatchObject([{ path: 'copy.csv', size: 5, media_type: 'text/csv' }]);
  expect(await (await fetch(files[0]!.url)).text()).toBe('a,b;c');
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
