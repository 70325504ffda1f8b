import { expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, runWorkflow } from '../../helpers/workflows/calls.ts';
import type { Imported } from '../../helpers/workflows/dify.ts';

const service = useService();

const DSL = `
app: { name: Orders, mode: workflow, description: Sorts orders }
kind: app
version: 0.1.5
workflow:
  graph:
    nodes:
      - id: '17001'
        position: { x: 0, y: 0 }
        data:
          type: start
          title: Start
          variables:
            - { variable: amount, label: Amount, type: number, required: true }
            - { variable: note, type: paragraph, required: false, max_length: 100 }
      - id: '17002'
        data:
          type: if-else
          title: Large?
          cases:
            - case_id: 'true'
              logical_operator: and
              conditions: [{ variable_selector: ['17001', amount], comparison_operator: '>', value: '100' }]
      - id: '17003'
        data:
          type: template-transform
          title: Words
          template: 'Large order of {{ amount }}'
          variables: [{ variable: amount, value_selector: ['17001', amount] }]
      - id: '17004'
        data: { type: teleport, title: Papers }
      - id: '17005'
        data:
          type: variable-aggregator
          title: Either
          variables: [['17003', output], ['17004', text]]
      - id: '17006'
        data: { type: end, title: End, outputs: [{ variable: result, value_selector: ['17005', output] }] }
    edges:
      - { id: e1, source: '17001', target: '17002', sourceHandle: source }
      - { id: e2, source: '17002', target: '17003', sourceHandle: 'true' }
      - { id: e3, source: '17002', target: '17004', sourceHandle: 'false' }
      - { id: e4, source: '17003', target: '17005', sourceHandle: source }
      - { id: e5, source: '17004', target: '17005', sourceHandle: source }
      - { id: e6, source: '17005', target: '17006', sourceHandle: source }
`;

it('takes over a Dify workflow, names what it has no counterpart for, and runs the rest', async () => {
  const { status, json } = await envelope<Imported>(service, 'POST', '/workflows/import', { dsl: DSL });
  expect([status, json.data?.unsupported]).toEqual([
    201,
    [
      {
        node_id: 'n17004',
        type: 'teleport',
        title: 'Papers',
        code: 'node_type',
        message: expect.stringContaining('have no counterpart'),
      },
    ],
  ]);
  const { id, graph } = json.data.workflow;
  expect(graph.nodes.map(({ type }) => type)).toEqual([
    ...['start', 'condition', 'template', 'variable_assign', 'variable_assign', 'answer'],
  ]);
  const large = await runWorkflow(service, id, { version: 'draft', inputs: { amount: 500 } });
  expect(large.json.data.outputs).toEqual({ result: 'Large order of 500' });
  const small = await runWorkflow(service, id, { version: 'draft', inputs: { amount: 5 } });
  expect([small.json.data.status, small.json.data.outputs]).toEqual(['succeeded', { result: null }]);
});

it.each([
  ['no YAML', '{ a: [', /^The text is not YAML/],
  ['no application', 'just text', /must be a mapping with app and workflow/],
  ['another mode', 'app: { mode: pipeline }', /app.mode is "pipeline". Applications of the modes/],
  [
    'a bomb of aliases',
    `a: &a [1,2,3,4,5,6,7,8,9]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]`,
    /./,
  ],
])('refuses %s', async (_, dsl, message) => {
  const { status, json } = await envelope(service, 'POST', '/workflows/import', { dsl });
  expect([status, json.message]).toEqual([422, expect.stringMatching(message)]);
});

it('a workflow is checked, changed under its ETag, published, restored, listed and removed', async () => {
  const graphOf = (text: string) => ({
    nodes: [
      { id: 'start', type: 'start', data: {} },
      { id: 'end', type: 'answer', data: { config: { text } } },
    ],
    edges: [{ source: 'start', target: 'end' }],
  });
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    call(service, method, `/api/v1/workflows${path}`, { ...(body && { body }), headers });
  const data = <T>(json: unknown) => (json as { data: T }).data;
  const name = `Lifecycle ${Math.random()}`;
  const created = await send('POST', '', { name, graph: graphOf('one') });
  expect(created.status).toBe(201);
  const { id } = data<{ id: string }>(created.json);
  expect((await send('POST', '', { name, graph: graphOf('x') })).status).toBe(409);
  const bad = await send('POST', `/${id}/validate`, { graph: { ...graphOf('{{ghost.v}}'), edges: [] } });
  expect([bad.status, data<{ valid: boolean }>(bad.json).valid]).toEqual([200, false]);
  expect((await send('PATCH', `/${id}`, { graph: graphOf('{{ghost.v}}') })).status).toBe(200);
  expect((await send('POST', `/${id}/versions`, {})).status).toBe(422);
  expect((await send('POST', `/${id}/run`, { version: 'draft' })).status).toBe(422);
  expect((await send('PATCH', `/${id}`, { graph: graphOf('one') })).status).toBe(200);
  expect((await send('POST', `/${id}/versions`, {})).status).toBe(201);
  const etag = (await send('GET', `/${id}`)).headers.get('etag')!;
  expect((await send('PATCH', `/${id}`, { graph: graphOf('two') }, { 'if-match': etag })).status).toBe(200);
  expect((await send('PATCH', `/${id}`, { graph: graphOf('three') }, { 'if-match': etag })).status).toBe(409);
  expect((await send('POST', `/${id}/versions/1/restore`)).status).toBe(200);
  expect(JSON.stringify((await send('GET', `/${id}`)).json)).toContain('"text":"one"');
  expect(data<{ versions: object[] }>((await send('GET', `/${id}/versions`)).json).versions).toHaveLength(1);
  const first = await send('GET', `/${id}/versions/1`);
  expect([first.status, JSON.stringify(first.json)]).toEqual([200, expect.stringContaining('"text":"one"')]);
  expect((await send('GET', `/${id}/versions/2`)).status).toBe(404);
  expect(JSON.stringify((await send('GET', '')).json)).toContain(id);
  expect((await send('DELETE', `/${id}`)).status).toBe(204);
  expect((await send('GET', `/${id}`)).status).toBe(404);
});
