import { describe, expect, it } from 'vitest';
import { complete, contentOf } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { difyFile, difyNode, difyStart } from '../../helpers/workflows/dify.ts';
import { difyEnd, useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

// The rules that Dify's documentation states, each with its page below docs.dify.ai/en/use-dify/.

const service = useService();
const dify = useDifyFiles(service);
const WORKFLOW = { mode: 'workflow' };
const model = { provider: 'p', name: 'gpt', completion_params: {} };

const program = (id: string, code: string, outputs: object, more: object = {}) =>
  difyNode(id, { type: 'code', code_language: 'python3', code, outputs, variables: [], ...more });
const failing = (id: string, more: object = {}) =>
  program(id, 'def main():\n    raise Exception("no luck")', { result: { type: 'string' } }, more);
const template = (id: string, text: string, from: readonly string[], more: object = {}) =>
  difyNode(id, {
    type: 'template-transform',
    template: text,
    variables: [{ variable: 'v', value_selector: from }],
    ...more,
  });
const request = (id: string, path: string, more: object = {}) =>
  difyNode(id, {
    type: 'http-request',
    method: 'get',
    url: `${dify.address}${path}`,
    authorization: { type: 'no-auth' },
    headers: '',
    params: '',
    body: { type: 'none', data: [] },
    ...more,
  });
const condition = (variable: readonly string[], comparison_operator: string, value: string) => ({
  variable_selector: variable,
  comparison_operator,
  value,
});

describe('errors (build/predefined-error-handling-logic)', () => {
  it('a node without error handling that fails stops the whole workflow with its message', async () => {
    const run = await dify.ran(
      difyFile([difyStart(), failing('bad'), difyEnd(['v', ['bad', 'result']])], ['start > bad', 'bad > end'], WORKFLOW),
    );
    expect([run.status, run.failure?.message]).toEqual(['failed', expect.stringContaining('no luck')]);
  });

  it('a node with a default value gives it out when it fails, and the workflow keeps running', async () => {
    const value = [{ key: 'result', type: 'string', value: 'spare' }];
    const bad = failing('bad', { error_strategy: 'default-value', default_value: value });
    const run = await dify.ran(
      difyFile([difyStart(), bad, difyEnd(['v', ['bad', 'result']])], ['start > bad', 'bad > end'], WORKFLOW),
    );
    expect([run.status, run.outputs]).toEqual(['succeeded', { v: 'spare' }]);
  });

  it('a node with a fail branch continues there, with error_type and error_message', async () => {
    const bad = failing('bad', { error_strategy: 'fail-branch' });
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          bad,
          difyEnd(['why', ['bad', 'error_message']], ['kind', ['bad', 'error_type']]),
          template('good', 'never', ['bad', 'result']),
        ],
        ['start > bad', 'bad:fail-branch > end', 'bad > good'],
        WORKFLOW,
      ),
    );
    expect([run.status, run.outputs]).toEqual([
      'succeeded',
      { why: expect.stringContaining('no luck'), kind: expect.stringMatching(/./) },
    ]);
    expect(run.nodes.map(({ execution_key }) => execution_key)).not.toContain('good');
  });

  it('a loop ends with the error of the first child that fails, and no further pass runs', async () => {
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          difyNode('again', { type: 'loop', loop_count: 3, break_conditions: [], loop_variables: [] }),
          difyNode('againstart', { type: 'loop-start', in: 'again' }),
          failing('bad', { in: 'again' }),
          difyEnd(['v', ['again', 'index']]),
        ],
        ['start > again', 'againstart > bad', 'again > end'],
        WORKFLOW,
      ),
    );
    expect(run.status).toBe('failed');
    expect(run.nodes.filter(({ execution_key }) => execution_key.endsWith('bad'))).toHaveLength(1);
  });
});

describe('iteration (nodes/iteration)', () => {
  /** Of the items 1 to 3 the second one fails. */
  const iterating = (mode: string, more: object = {}) => {
    const code = 'def main(n):\n    if n == 2:\n        raise Exception("two")\n    return {"result": n * 10}';
    const variables = [{ variable: 'n', value_selector: ['each', 'item'] }];
    return dify.ran(
      difyFile(
        [
          difyStart(),
          program('list', 'def main():\n    return {"result": [1, 2, 3]}', { result: { type: 'array[number]' } }),
          difyNode('each', {
            type: 'iteration',
            iterator_selector: ['list', 'result'],
            output_selector: ['work', 'result'],
            start_node_id: 'eachstart',
            error_handle_mode: mode,
            ...more,
          }),
          difyNode('eachstart', { type: 'iteration-start', in: 'each' }),
          program('work', code, { result: { type: 'number' } }, { in: 'each', variables }),
          difyEnd(['all', ['each', 'output']]),
        ],
        ['start > list', 'list > each', 'eachstart > work', 'each > end'],
        WORKFLOW,
      ),
    );
  };

  it('terminated: the first error ends the iteration and the workflow', async () => {
    expect((await iterating('terminated')).status).toBe('failed');
  });

  it('continue-on-error: the failed item is null in the output', async () => {
    expect((await iterating('continue-on-error')).outputs).toEqual({ all: [10, null, 30] });
  });

  it('remove-abnormal-output: the output holds the successful results alone', async () => {
    expect((await iterating('remove-abnormal-output')).outputs).toEqual({ all: [10, 30] });
  });

  it('parallel mode: the results keep the order of the items', async () => {
    const run = await iterating('continue-on-error', { is_parallel: true, parallel_nums: 3 });
    expect(run.outputs).toEqual({ all: [10, null, 30] });
  });
});

describe('loop (nodes/loop)', () => {
  const looping = (breakAbove: string | null, count: number) =>
    dify.ran(
      difyFile(
        [
          difyStart(),
          difyNode('again', {
            type: 'loop',
            loop_count: count,
            logical_operator: 'and',
            break_conditions: breakAbove === null ? [] : [condition(['again', 'n'], '>', breakAbove)],
            loop_variables: [{ label: 'n', var_type: 'number', value_type: 'constant', value: '0' }],
          }),
          difyNode('againstart', { type: 'loop-start', in: 'again' }),
          difyNode('more', {
            type: 'assigner',
            in: 'again',
            items: [{ variable_selector: ['again', 'n'], operation: '+=', input_type: 'constant', value: 2 }],
          }),
          difyEnd(['n', ['again', 'n']]),
        ],
        ['start > again', 'againstart > more', 'again > end'],
        WORKFLOW,
      ),
    );

  it('variables persist across passes, and the loop ends when its condition is met', async () => {
    expect((await looping('5', 10)).outputs).toEqual({ n: 6 });
  });

  it('without a condition the loop ends after its maximum count, and the workflow goes on', async () => {
    expect((await looping(null, 4)).outputs).toEqual({ n: 8 });
  });

  it('with a condition that is never met the loop ends after its maximum count, and the workflow goes on', async () => {
    const run = await looping('100', 3);
    expect([run.status, run.outputs]).toEqual(['succeeded', { n: 6 }]);
  });
});

describe('branches (nodes/ifelse, nodes/variable-aggregator, nodes/question-classifier)', () => {
  const branching = () =>
    difyFile(
      [
        difyStart(),
        difyNode('which', {
          type: 'if-else',
          cases: [
            { case_id: 'true', logical_operator: 'and', conditions: [condition(['sys', 'query'], 'contains', 'tea')] },
            {
              case_id: 'elif',
              logical_operator: 'or',
              conditions: [condition(['sys', 'query'], 'start with', 'cof'), condition(['sys', 'query'], 'is', 'tea')],
            },
          ],
        }),
        template('first', 'IF {{ v }}', ['sys', 'query']),
        template('second', 'ELIF {{ v }}', ['sys', 'query']),
        template('third', 'ELSE {{ v }}', ['sys', 'query']),
        difyNode('any', {
          type: 'variable-aggregator',
          output_type: 'string',
          variables: [
            ['first', 'output'],
            ['second', 'output'],
            ['third', 'output'],
          ],
        }),
        difyNode('reply', { type: 'answer', answer: '{{#any.output#}}|{{#first.output#}}' }),
      ],
      [
        ...['start > which', 'which:true > first', 'which:elif > second', 'which:false > third'],
        ...['first > any', 'second > any', 'third > any', 'any > reply'],
      ],
    );

  it.each([
    ['IF comes before ELIF where both hold', 'tea', 'IF tea|IF tea'],
    ['ELIF is checked where IF does not hold', 'coffee', 'ELIF coffee|'],
    ['ELSE is taken where nothing holds', 'milk', 'ELSE milk|'],
  ])('%s; the aggregator gives out the branch that ran, and what did not run is empty', async (_, query, expected) => {
    expect((await dify.ran(branching(), { query })).answer).toBe(expected);
  });

  it('a question classifier continues at the class that its model names', async () => {
    const { id } = await dify.chatOn(
      difyFile(
        [
          difyStart(),
          difyNode('sort', {
            type: 'question-classifier',
            model,
            query_variable_selector: ['sys', 'query'],
            classes: [
              { id: '1', name: 'Refunds' },
              { id: '2', name: 'Delivery' },
            ],
            instructions: '',
          }),
          difyNode('refunds', { type: 'answer', answer: 'R {{#sort.class_name#}}' }),
          difyNode('delivery', { type: 'answer', answer: 'D {{#sort.class_name#}}' }),
        ],
        ['start > sort', 'sort:1 > refunds', 'sort:2 > delivery'],
      ),
    );
    dify.provider.plays(says('2'));
    expect(contentOf(await complete(service, id, { messages: [{ role: 'user', content: 'Where?' }] }))).toBe(
      'D Delivery',
    );
  });
});

describe('values (nodes/variable-assigner, nodes/parameter-extractor, nodes/list-operator, nodes/template)', () => {
  it('conversation variables keep their values from turn to turn, and overwrite, append and clear change them', async () => {
    const item = (name: string, operation: string, more: object) => ({
      variable_selector: ['conversation', name],
      operation,
      ...more,
    });
    const { id } = await dify.chatOn(
      difyFile(
        [
          difyStart(),
          difyNode('keep', {
            type: 'assigner',
            version: '2',
            items: [
              item('last', 'over-write', { input_type: 'variable', value: ['sys', 'query'] }),
              item('all', 'append', { input_type: 'variable', value: ['sys', 'query'] }),
              item('gone', 'clear', { input_type: 'variable', value: '' }),
            ],
          }),
          difyNode('reply', {
            type: 'answer',
            answer: '{{#conversation.last#}} {{#conversation.all#}} [{{#conversation.gone#}}]',
          }),
        ],
        ['start > keep', 'keep > reply'],
        {
          conversation_variables: [
            { name: 'last', value_type: 'string', value: '' },
            { name: 'all', value_type: 'array[string]', value: [] },
            { name: 'gone', value_type: 'string', value: 'full' },
          ],
        },
      ),
    );
    const say = async (content: string) =>
      contentOf(
        await complete(service, id, { messages: [{ role: 'user', content }] }, { headers: { 'x-session-id': 's' } }),
      );
    expect([await say('one'), await say('two')]).toEqual(['one ["one"] []', 'two ["one","two"] []']);
  });

  it('a parameter that the model does not find leaves __is_success 0 and a reason, and the workflow goes on', async () => {
    const { id } = await dify.chatOn(
      difyFile(
        [
          difyStart(),
          difyNode('find', {
            type: 'parameter-extractor',
            model,
            query: ['sys', 'query'],
            parameters: [{ name: 'city', type: 'string', required: true, description: 'Where' }],
            instruction: '',
          }),
          difyNode('reply', {
            type: 'answer',
            answer: '{{#find.__is_success#}} "{{#find.city#}}" {{#find.__reason#}}',
          }),
        ],
        ['start > find', 'find > reply'],
      ),
    );
    dify.provider.plays(says('none'), says('still none'));
    const answer = contentOf(await complete(service, id, { messages: [{ role: 'user', content: 'Hm' }] }));
    expect(answer).toMatch(/^0 "" \S/);
  });

  it('a list operator filters, then orders, then limits, and gives out the first and the last record', async () => {
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          program('list', 'def main():\n    return {"result": [4, 1, 9, 7, 3]}', { result: { type: 'array[number]' } }),
          difyNode('few', {
            type: 'list-operator',
            variable: ['list', 'result'],
            filter_by: { enabled: true, conditions: [{ key: '', comparison_operator: '>', value: '2' }] },
            order_by: { enabled: true, key: '', value: 'asc' },
            limit: { enabled: true, size: 3 },
          }),
          difyEnd(['all', ['few', 'result']], ['first', ['few', 'first_record']], ['last', ['few', 'last_record']]),
        ],
        ['start > list', 'list > few', 'few > end'],
        WORKFLOW,
      ),
    );
    expect(run.outputs).toEqual({ all: [3, 4, 7], first: 3, last: 7 });
  });

  it('a template is Jinja2 with loops and conditions over its variables', async () => {
    const text = '{% for n in v %}{% if n > 1 %}{{ loop.index }}={{ n }};{% endif %}{% endfor %}';
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          program('list', 'def main():\n    return {"result": [1, 2, 3]}', { result: { type: 'array[number]' } }),
          template('lines', text, ['list', 'result']),
          difyEnd(['text', ['lines', 'output']]),
        ],
        ['start > list', 'list > lines', 'lines > end'],
        WORKFLOW,
      ),
    );
    expect(run.outputs).toEqual({ text: '2=2;3=3;' });
  });
});

describe('requests, models and answers (nodes/http-request, nodes/llm, nodes/answer)', () => {
  it('a status of 404 is an output, and a request with retries is sent as often as its settings say before it fails', async () => {
    const asking = (path: string, more: object) =>
      dify.ran(
        difyFile(
          [difyStart(), request('ask', path, more), difyEnd(['status', ['ask', 'status_code']])],
          ['start > ask', 'ask > end'],
          WORKFLOW,
        ),
      );
    expect((await asking('/missing', {})).outputs).toEqual({ status: 404 });
    expect(dify.requests).toHaveLength(1);
    const retry_config = { retry_enabled: true, max_retries: 2, retry_interval: 100 };
    expect((await asking('/busy', { retry_config })).status).toBe('failed');
    expect(dify.requests.filter(({ url }) => url === '/busy')).toHaveLength(3);
  });

  it('two branches that leave one node run both, and a node behind both waits for both', async () => {
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          request('left', '/left'),
          request('right', '/right'),
          difyEnd(['left', ['left', 'status_code']], ['right', ['right', 'status_code']]),
        ],
        ['start > left', 'start > right', 'left > end', 'right > end'],
        WORKFLOW,
      ),
    );
    expect([run.outputs, dify.requests.map(({ url }) => url).toSorted()]).toEqual([
      { left: 200, right: 200 },
      ['/left', '/right'],
    ]);
  });

  it('a model with memory is sent the turns before, within its window; one without is not', async () => {
    const asking = (memory: object | null) =>
      dify.chatOn(
        difyFile(
          [
            difyStart(),
            difyNode('ask', {
              type: 'llm',
              model,
              // With memory, the question comes after the turns before by itself.
              prompt_template: [
                { role: 'system', text: 'Be brief' },
                ...(memory ? [] : [{ role: 'user', text: '{{#sys.query#}}' }]),
              ],
              context: { enabled: false },
              vision: { enabled: false },
              ...(memory && { memory }),
            }),
            difyNode('reply', { type: 'answer', answer: '{{#ask.text#}}' }),
          ],
          ['start > ask', 'ask > reply'],
        ),
      );
    const sent = async (memory: object | null) => {
      const { id } = await asking(memory);
      dify.provider.plays(says('A1'), says('A2'));
      for (const content of ['Q1', 'Q2'])
        await complete(service, id, { messages: [{ role: 'user', content }] }, { headers: { 'x-session-id': 'm' } });
      return dify.provider.requests.at(-1)!.body.messages.map(({ content }) => content);
    };
    expect(await sent(null)).toEqual(['Be brief', 'Q2']);
    expect(await sent({ window: { enabled: true, size: 10 } })).toEqual(['Be brief', 'Q1', 'A1', 'Q2']);
  });

  it('several answers of one run are one reply, in the order in which they were reached', async () => {
    const run = await dify.ran(
      difyFile(
        [
          difyStart(),
          difyNode('hello', { type: 'answer', answer: 'Hello' }),
          template('name', '{{ v | upper }}', ['sys', 'query']),
          difyNode('bye', { type: 'answer', answer: '{{#name.output#}}' }),
        ],
        ['start > hello', 'hello > name', 'name > bye'],
      ),
      { query: 'ada' },
    );
    expect(run.answer).toMatch(/^Hello\s*ADA$/);
  });
});
