import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, type RunResponse, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
const start = node('start', 'start', { fields: [{ name: 'n', type: 'number' }] });
const template = (id: string, text: string, inputs: object, more = {}) =>
  node(id, 'template', { template: text }, { inputs: inputs as never, ...more });

const runNode = async (workflow: string, id: string, body: object = {}) => {
  const { status, json } = await envelope<RunResponse>(service, 'POST', `/workflows/${workflow}/nodes/${id}/run`, body);
  return {
    status,
    message: json.message,
    run: json.data,
    outputs: json.data?.nodes?.find((each) => each.execution_key === id)?.outputs,
  };
};

it('one node runs with given outputs, with those of a former run, and with none', async () => {
  const id = await publishedWorkflow(
    service,
    graph(
      [
        start,
        template('a', 'a{{ n }}', { n: '{{start.n}}' }),
        template('b', 'b', {}),
        template('c', '{{ a }}-{{ b }}-{{ n }}', { a: '{{a.text}}', b: '{{b.text}}', n: '{{start.n}}' }),
        node('end', 'answer', { text: '{{c.text}}' }),
      ],
      ['start > a', 'a > b', 'b > c', 'c > end'],
    ),
  );
  const former = (await runWorkflow(service, id, { inputs: { n: 1 } })).json.data;
  expect((await runNode(id, 'c')).outputs).toEqual({ text: '--' });
  const given = await runNode(id, 'c', {
    outputs: { b: { text: 'x {{a.text}}' } },
    from_run: former.id,
    inputs: { n: 7 },
  });
  expect([given.status, given.run.status, given.outputs]).toEqual([200, 'succeeded', { text: 'a1-x {{a.text}}-7' }]);
  expect((await runNode(id, 'ghost')).message).toMatch(
    /no node "ghost" that can be run alone. Its nodes are a, b, c, end/,
  );
  expect((await runNode(id, 'start')).status).toBe(404);
  expect((await runNode(id, 'c', { from_run: 'run_01KB2Q3R4S5T6V7W8X9Y0Z1A2B' })).status).toBe(404);
});

it('an iteration runs with its body, and a node of a body with an item that is given', async () => {
  const id = await publishedWorkflow(
    service,
    graph(
      [
        start,
        node('list', 'code', { language: 'python', code: 'print(1)', outputs: { items: 'list' } }),
        node('each', 'iteration', { items: '{{list.items}}', output: '{{say.text}}' }),
        template('say', '{{ item }}!', { item: '{{each.item}}' }, { parentId: 'each' }),
        node('end', 'answer', { text: '{{each.results}}' }),
      ],
      ['start > list', 'list > each', 'each > end'],
    ),
  );
  const whole = await runNode(id, 'each', { outputs: { list: { items: ['a', 'b'] } } });
  expect(whole.outputs).toMatchObject({ results: ['a!', 'b!'], count: 2 });
  expect((await runNode(id, 'say', { outputs: { each: { item: 'x', index: 4 } } })).outputs).toEqual({ text: 'x!' });
});
