import { expect, it } from 'vitest';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { diffWorkflow, pullWorkflow, pushWorkflow, writeWorkflowFile } from '../../../local/workflow-file.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
const local = () => ({ url: service.baseUrl, apiKey: service.apiKey });

it('a workflow is written as a file, changed there, compared and stored again, with its secrets', async () => {
  const drawn = graph(
    [
      node('start', 'start'),
      node('code', 'code', {
        language: 'python',
        code: 'import json\nprint(json.dumps({"n": 1}))',
        outputs: { n: 'number' },
      }),
      node('end', 'answer', { text: 'n is {{code.n}}' }),
    ],
    ['start > code', 'code > end'],
  );
  const described = {
    ...toGraphResponse(drawn),
    environment_variables: [{ name: 'key', type: 'secret', value: 'sk-in-no-file' }],
  };
  const name = `As a file ${Math.random()}`;
  const { text: pushed } = await pushWorkflow(
    local(),
    writeWorkflowFile({ id: null, name, description: '', graph: described }),
  );
  expect(pushed).not.toContain('sk-in-no-file');
  expect(pushed).toContain('code: |-\n            import json\n            print');
  const id = /^id: (\S+)$/m.exec(pushed)![1]!;
  expect([await pullWorkflow(local(), id), await diffWorkflow(local(), pushed)]).toEqual([pushed, '']);
  const changed = pushed.replace('n is {{code.n}}', 'n was {{code.n}}');
  expect(await diffWorkflow(local(), changed)).toMatch(
    /^@@ line \d+ @@\n- {11}text: n is {{code.n}}\n\+ {11}text: n was {{code.n}}$/,
  );
  expect(await pushWorkflow(local(), changed)).toEqual({ text: changed, faults: [] });
  expect((await runWorkflow(service, id, { version: 'draft' })).json.data.answer).toBe('n was 1');
  const { json } = await envelope<{ graph: { environment_variables: object[] } }>(service, 'GET', `/workflows/${id}`);
  expect(json.data.graph.environment_variables).toEqual([{ name: 'key', type: 'secret', is_set: true }]);
});

it('a file with another form is refused, one of a graph with a fault is stored with the fault', async () => {
  await expect(pushWorkflow(local(), 'name: x')).rejects.toThrow('not a workflow: its form must be');
  const file = `form: tripod-workflow/1\nname: Faulty ${Math.random()}\ngraph: { nodes: [], edges: [] }`;
  const { text, faults } = await pushWorkflow(local(), file);
  expect(text).toMatch(/^id: [0-9a-f-]{36}$/m);
  expect(faults).toContainEqual(expect.stringContaining('The graph has no nodes'));
});

it.each([
  ['form: tripod-workflow/1\nname: X\ngraph: { nodes: [], edges: 1 }', 400, 'graph.edges'],
  ['form: other/1\nname: X', 400, 'form'],
  ['form: tripod-workflow/1\nname: X\nname: Y', 422, 'not YAML'],
  ['a: &a [x]\nb: &b [*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]', 422, 'not YAML'],
])('the source %j is refused with %i and the fault', async (source, status, fault) => {
  const { json } = await envelope<{ id: string }>(service, 'POST', '/workflows', {
    name: `Source ${Math.random()}`,
    graph: toGraphResponse(graph([node('start', 'start')], [])),
  });
  const answer = await envelope(service, 'PUT', `/workflows/${json.data.id}/source`, { source });
  expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(fault)]);
});
