import { describe, expect, it } from 'vitest';
import { complete, contentOf } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { difyFile, difyNode, difyProgram, difyStart, difyTemplate } from '../../helpers/workflows/dify.ts';
import { difyEnd, useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

// Rules of Dify's documentation, each with its page below docs.dify.ai/en/use-dify/.

const service = useService();
const dify = useDifyFiles(service);
const WORKFLOW = { mode: 'workflow' };
const model = { provider: 'p', name: 'gpt', completion_params: {} };
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
    expect([await say('one'), await say('two')]).toEqual(['one - one []', 'two - one\n- two []']);
  });

  it('a parameter that the model does not find leaves __is_success 0 and a reason, and the workflow continues', async () => {
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
          difyProgram('list', 'def main():\n    return {"result": [4, 1, 9, 7, 3]}', {
            result: { type: 'array[number]' },
          }),
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
          difyProgram('list', 'def main():\n    return {"result": [1, 2, 3]}', { result: { type: 'array[number]' } }),
          difyTemplate('lines', text, ['list', 'result']),
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
          difyTemplate('name', '{{ v | upper }}', ['sys', 'query']),
          difyNode('bye', { type: 'answer', answer: '{{#name.output#}}' }),
        ],
        ['start > hello', 'hello > name', 'name > bye'],
      ),
      { query: 'ada' },
    );
    expect(run.answer).toMatch(/^Hello\s*ADA$/);
  });
});
