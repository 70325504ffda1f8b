import { beforeAll, expect, it } from 'vitest';
import { evaluateTests } from '../../../local/workflow-tests.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();

interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly cases: readonly {
    name: string;
    passed: boolean;
    run_id: string | null;
    status: string;
    reasons: string[];
  }[];
  readonly usage: { readonly total_tokens: number };
}

let workflow: string;
const { provider, application } = useScriptedApplication(service);
beforeAll(async () => {
  workflow = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start', { fields: [{ name: 'name', type: 'text' }] }),
        node('slow', 'http_request', { url: 'nowhere' }),
        node(
          'end',
          'answer',
          { text: 'Hello {{start.name}}' },
          { inputs: { total: '{{slow.status}}', name: '{{start.name}}' } },
        ),
      ],
      ['start > slow', 'slow > end'],
    ),
  );
});

const pinned = { slow: { status: 3 } };
const evaluate = (cases: readonly object[], more: object = {}) =>
  envelope<Report>(service, 'POST', `/workflows/${workflow}/evaluate`, {
    cases: cases.map((each, index) => ({ name: `case ${index}`, inputs: { name: 'Kim' }, pinned, ...each })),
    ...more,
  });

it('a test set is evaluated by equality, contained texts and schemas, with a reason for each case that fails', async () => {
  const schema = { type: 'object', properties: { total: { type: 'number', maximum: 2 } } };
  const { status, json } = await evaluate([
    { expected: [{ equals: 'Hello Kim' }, { of: 'outputs.total', equals: 3 }, { contains: ['Hello', 'Kim'] }] },
    { expected: [{ equals: 'Hello Lee' }, { contains: 'Bye' }, { of: 'outputs', schema }] },
    { pinned: {}, status: 'failed' },
    { pinned: {} },
    { inputs: {} },
  ]);
  const { passed, failed, cases } = json.data;
  expect([status, passed, failed]).toEqual([200, 2, 3]);
  expect(cases.map(({ reasons }) => reasons)).toEqual([
    [],
    [
      'answer is "Hello Kim", not "Hello Lee".',
      'answer lacks "Bye": it is "Hello Kim".',
      expect.stringContaining('outputs does not fit its schema: total: '),
    ],
    [],
    [expect.stringContaining('The run has ended as failed, not succeeded: slow ')],
    ['Inputs of the start node: name: is needed.'],
  ]);
  expect(cases[4]).toMatchObject({ run_id: null, status: 'not_run' });
  const path = `/workflows/${workflow}/runs?trigger=evaluation`;
  const listed = await envelope<{ runs: { id: string }[] }>(service, 'GET', path);
  expect(listed.json.data.runs.map(({ id }) => id)).toContain(cases[0]!.run_id);
});

it('a model judges by criteria, and its tokens are counted', async () => {
  provider.plays(says('{"passes": true, "reason": "It greets."}'), says('{"passes": false, "reason": "It is curt."}'));
  const expected = [{ judgement: 'It greets the person.' }, { judgement: 'It is long.' }];
  const { json } = await evaluate([{ expected }], { application_id: application.id });
  expect(json.data.cases[0]!.reasons).toEqual(['answer does not meet the criteria: It is curt.']);
  expect(json.data.usage.total_tokens).toBeGreaterThan(0);
  const asked = provider.requests.map(({ body }) => JSON.stringify(body.messages));
  expect(asked[0]).toContain('It greets the person.');
  expect(asked[0]).toContain('Hello Kim');
});

it.each([
  [{ pattern: '(a+)+$' }, 'pattern is not supported'],
  [{ type: 'nothing' }, 'cannot be used'],
])('a schema with %j is refused with the name of its case', async (schema, message) => {
  const { status, json } = await evaluate([{ expected: [{ schema }] }]);
  expect([status, json.message]).toEqual([422, expect.stringContaining('"case 0"')]);
  expect(json.message).toContain(message);
});

it('the command evaluates the test set of a file, and says which cases have failed', async () => {
  const file = `
workflow: ${workflow}
cases:
  - name: Greets
    inputs: { name: Kim }
    pinned: { slow: { status: 1 } }
    expected: [{ contains: Kim }]
  - name: Greets another
    inputs: { name: Lee }
    pinned: { slow: { status: 1 } }
    expected: [{ contains: Kim }]
`;
  const { lines, failed } = await evaluateTests({ url: service.baseUrl, apiKey: service.apiKey }, file);
  expect([failed, lines.at(-1)]).toEqual([1, '1 passed, 1 failed']);
  expect(lines.join('\n')).toMatch(/^passed {2}Greets \(.*\nFAILED {2}Greets another \(.*\n +answer lacks "Kim"/);
  await expect(evaluateTests({ url: service.baseUrl, apiKey: service.apiKey }, 'cases: []')).rejects.toThrow(
    /as `workflow`/,
  );
});
