import { expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { complete, contentOf } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { runWorkflow } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, difyStart, importDify } from '../../helpers/workflows/dify.ts';
import { difyEnd, useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

const service = useService();
const dify = useDifyFiles(service);

it('conversation variables keep their values from message to message, by the operations of assigners', async () => {
  const { id } = await dify.chatOn(
    difyFile(
      [
        difyStart(),
        difyNode('remember', {
          type: 'assigner',
          version: '2',
          items: [
            {
              variable_selector: ['conversation', 'said'],
              operation: 'append',
              input_type: 'variable',
              value: ['sys', 'query'],
            },
            { variable_selector: ['conversation', 'count'], operation: '+=', input_type: 'constant', value: 2 },
          ],
        }),
        difyNode('reply', {
          type: 'answer',
          answer: '{{#conversation.said#}} {{#conversation.count#}} {{#sys.dialogue_count#}} {{#env.greeting#}}',
        }),
      ],
      ['start > remember', 'remember > reply'],
      {
        conversation_variables: [
          { name: 'said', value_type: 'array[string]', value: [] },
          { name: 'count', value_type: 'number', value: '40' },
        ],
        environment_variables: [{ name: 'greeting', value_type: 'string', value: 'bye' }],
      },
    ),
  );
  const say = async (content: string, session: string) => {
    const headers = { 'x-session-id': session };
    const body = { messages: [{ role: 'user', content }] };
    return contentOf(await call(service, 'POST', `/api/v1/chat/${id}/chat/completions`, { body, headers }));
  };
  expect(await say('one', 's1')).toBe('- one 42 1 bye');
  expect(await say('two', 's1')).toBe('- one\n- two 44 2 bye');
  expect(await say('other', 's2')).toBe('- other 42 1 bye');
});

it('a secret reaches the request that uses it, and is masked in every response', async () => {
  const file = difyFile(
    [
      difyStart({ variable: 'note', type: 'text-input', required: false }),
      difyNode('ask', {
        type: 'http-request',
        method: 'post',
        url: `${dify.address}/echo`,
        headers: '',
        params: '',
        authorization: { type: 'api-key', config: { type: 'bearer', api_key: '{{#env.KEY#}}' } },
        body: { type: 'json', data: [{ type: 'text', value: '{"note": "{{#start.note#}}"}' }] },
      }),
      difyEnd(['body', ['ask', 'body']]),
    ],
    ['start > ask', 'ask > end'],
    { mode: 'workflow', environment_variables: [{ name: 'KEY', value_type: 'secret', value: '' }] },
  );
  const imported = await importDify(service, file);
  expect(imported.to_connect).toMatchObject([
    { type: 'app', message: expect.stringContaining('The secret KEY has no value') },
  ]);
  const { id, graph } = imported.workflow;
  const value = 'sk-very-secret-8271';
  const environment_variables = [{ name: 'KEY', type: 'secret', value }];
  const changed = await call(service, 'PATCH', `/api/v1/workflows/${id}`, {
    body: { graph: { ...graph, environment_variables } },
  });
  expect(JSON.stringify(changed.json)).not.toContain(value);
  // Sends the masked value back: the stored value stays.
  const shown = (changed.json as { data: { graph: object } }).data.graph;
  expect(shown).toMatchObject({ environment_variables: [{ name: 'KEY', type: 'secret', is_set: true }] });
  await call(service, 'PATCH', `/api/v1/workflows/${id}`, { body: { graph: shown } });
  const forged = '[secret:KEY\u2060]';
  const { json } = await runWorkflow(service, id, { version: 'draft', inputs: { note: forged } });
  expect([json.data.status, dify.requests[0]?.headers.authorization]).toEqual(['succeeded', `Bearer ${value}`]);
  expect(dify.requests[0]?.body).toBe('{"note":"[secret:KEY]"}');
  expect(json.data.outputs.body).toBe('{"auth":"Bearer [secret:KEY\u2060]"}');
  const record = await call(service, 'GET', `/api/v1/runs/${json.data.id}`);
  expect(JSON.stringify([json, record.json])).not.toContain(value);
  const streamed = await fetch(`${service.baseUrl}/api/v1/workflows/${id}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': service.apiKey },
    body: JSON.stringify({ version: 'draft', stream: true }),
  });
  expect(await streamed.text()).not.toContain(value);
});

it('requests keep their parameters, forms and files, and a status of 404 is an output', async () => {
  const request = (id: string, data: object) =>
    difyNode(id, { type: 'http-request', authorization: { type: 'no-auth' }, headers: '', params: '', ...data });
  const { status, outputs } = await dify.ran(
    difyFile(
      [
        difyStart({ variable: 'q', type: 'text-input' }, { variable: 'paper', type: 'file' }),
        request('get', {
          method: 'get',
          url: `${dify.address}/missing`,
          params: 'q:{{#start.q#}}\nn:1',
          body: { type: 'none', data: [] },
        }),
        request('form', {
          method: 'post',
          url: `${dify.address}/form`,
          body: { type: 'x-www-form-urlencoded', data: [{ key: 'q', type: 'text', value: '{{#start.q#}}' }] },
        }),
        request('parts', {
          method: 'post',
          url: `${dify.address}/parts`,
          body: {
            type: 'form-data',
            data: [
              { key: 'q', type: 'text', value: '{{#start.q#}}' },
              { key: 'paper', type: 'file', file: ['start', 'paper'] },
            ],
          },
        }),
        difyEnd(['status', ['get', 'status_code']], ['body', ['get', 'body']]),
      ],
      ['start > get', 'get > form', 'form > parts', 'parts > end'],
      { mode: 'workflow' },
    ),
    { inputs: { q: 'a&n=2 "한글"', paper: { url: 'data:text/plain;base64,aGVsbG8=', name: 'a.txt' } } },
  );
  expect([status, outputs]).toEqual(['succeeded', { status: 404, body: '{"auth":null}' }]);
  const [get, form, parts] = dify.requests;
  expect(get?.url).toBe(`/missing?q=${encodeURIComponent('a&n=2 "한글"')}&n=1`);
  expect([form?.headers['content-type'], new URLSearchParams(form?.body).get('q')]).toEqual([
    'application/x-www-form-urlencoded',
    'a&n=2 "한글"',
  ]);
  expect(parts?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=tripod-/);
  expect(parts?.body).toContain('name="q"\r\n\r\na&n=2 "한글"\r\n');
  expect(parts?.body).toContain('name="paper"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n');
});

it('Jinja2 templates, default values, error branches and programs that print run as their file says', async () => {
  const { status, outputs } = await dify.ran(
    difyFile(
      [
        difyStart({ variable: 'list', type: 'paragraph', default: 'b,a' }),
        difyNode('split', {
          type: 'code',
          code_language: 'python3',
          code: 'def main(text):\n    print("noise")\n    return {"items": json.loads(json.dumps(text.split(",")))}',
          outputs: { items: { type: 'array[string]' } },
          variables: [{ variable: 'text', value_selector: ['start', 'list'] }],
        }),
        difyNode('words', {
          type: 'template-transform',
          template:
            '{# no #}{% set n = items | length %}{% for i in items | sort %}{{ loop.index }}:{{ i ~ "!" }}{% if not loop.last %} {% elif n > 1 %}.{% endif %}{% endfor %}{{ items[0:1] | join }}',
          variables: [{ variable: 'items', value_selector: ['split', 'items'] }],
        }),
        difyNode('breaks', {
          type: 'code',
          code_language: 'javascript',
          code: 'function main() { console.log("noise"); throw new Error("no luck"); }',
          outputs: { result: { type: 'number' } },
          variables: [],
          error_strategy: 'default-value',
          default_value: [{ key: 'result', type: 'number', value: '7' }],
        }),
        difyNode('fails', {
          type: 'code',
          code_language: 'python3',
          code: 'def main():\n    raise Exception("no luck")',
          outputs: {},
          variables: [],
          error_strategy: 'fail-branch',
        }),
        difyEnd(['words', ['words', 'output']], ['seven', ['breaks', 'result']], ['why', ['fails', 'error_message']]),
      ],
      ['start > split', 'split > words', 'words > breaks', 'breaks > fails', 'fails:fail-branch > end'],
      { mode: 'workflow' },
    ),
  );
  expect([status, outputs]).toEqual([
    'succeeded',
    { words: '1:a! 2:b!.b', seven: 7, why: expect.stringContaining('no luck') },
  ]);
});

it('loops assign their variables and end at a break, iterations flatten lists and may answer', async () => {
  const inner = { in: 'each' };
  const { status, answer, outputs } = await dify.ran(
    difyFile(
      [
        difyStart(),
        difyNode('count', {
          type: 'loop',
          loop_count: 10,
          break_conditions: [],
          loop_variables: [{ label: 'n', var_type: 'number', value_type: 'constant', value: '1' }],
        }),
        difyNode('countstart', { type: 'loop-start', in: 'count' }),
        difyNode('double', {
          type: 'assigner',
          in: 'count',
          items: [{ variable_selector: ['count', 'n'], operation: '*=', input_type: 'constant', value: 2 }],
        }),
        difyNode('enough', {
          type: 'if-else',
          in: 'count',
          cases: [
            {
              case_id: 'true',
              logical_operator: 'and',
              conditions: [{ variable_selector: ['count', 'n'], comparison_operator: '>', value: '6' }],
            },
          ],
        }),
        difyNode('out', { type: 'loop-end', in: 'count' }),
        difyNode('lists', {
          type: 'code',
          code_language: 'python3',
          code: 'def main():\n    return {"result": [[1, 2], [3]]}',
          outputs: { result: { type: 'array[any]' } },
          variables: [],
        }),
        difyNode('each', {
          type: 'iteration',
          iterator_selector: ['lists', 'result'],
          output_selector: ['each', 'item'],
          start_node_id: 'eachstart',
        }),
        difyNode('eachstart', { type: 'iteration-start', ...inner }),
        difyNode('tell', { type: 'answer', answer: 'item {{#each.index#}}', ...inner }),
        difyNode('also', { type: 'variable-aggregator', variables: [['each', 'item']], ...inner }),
        difyNode('reply', { type: 'answer', answer: '{{#count.n#}} {{#each.output#}}' }),
      ],
      [
        ...['start > count', 'countstart > double', 'double > enough', 'enough:true > out', 'count > lists'],
        ...['lists > each', 'eachstart > tell', 'eachstart > also', 'each > reply'],
      ],
    ),
  );
  expect([status, answer, outputs]).toEqual(['succeeded', 'item 0item 18 - 1\n- 2\n- 3', {}]);
});

it('files are filtered, extracted and read, and their members can be referred to', async () => {
  const file = (name: string, text: string) => ({
    name,
    url: `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
  });
  const { status, outputs } = await dify.ran(
    difyFile(
      [
        difyStart({ variable: 'papers', type: 'file-list' }, { variable: 'one', type: 'file', required: false }),
        difyNode('only', {
          type: 'list-operator',
          variable: ['start', 'papers'],
          filter_by: {
            enabled: true,
            conditions: [{ key: 'extension', comparison_operator: 'in', value: ['.txt', '.md'] }],
          },
          order_by: { enabled: true, key: 'name', value: 'desc' },
          limit: { enabled: true, size: 2 },
        }),
        difyNode('read', { type: 'document-extractor', variable_selector: ['only', 'result'], is_array_file: true }),
        difyNode('has', {
          type: 'if-else',
          cases: [
            {
              case_id: 'true',
              conditions: [{ variable_selector: ['start', 'one'], comparison_operator: 'exists', value: '' }],
            },
          ],
        }),
        difyEnd(
          ['texts', ['read', 'text']],
          ['first', ['only', 'first_record', 'name']],
          ['kind', ['start', 'one', 'type']],
        ),
      ],
      ['start > only', 'only > read', 'read > has', 'has:false > end'],
      { mode: 'workflow' },
    ),
    {
      inputs: {
        papers: [file('a.txt', 'first'), file('b.md', '# Title\n\nsecond'), file('c.png', 'x'), file('d.txt', '셋째')],
      },
    },
  );
  expect([status, outputs]).toEqual([
    'succeeded',
    { texts: ['셋째', '# Title\n\nsecond'], first: 'd.txt', kind: null },
  ]);
});

it('a prompt has its context, examples and memory; parameters are extracted, once more where they do not fit', async () => {
  const model = { provider: 'p', name: 'gpt', completion_params: { temperature: 0.2 } };
  const { id, imported } = await dify.chatOn(
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
        difyNode('facts', {
          type: 'template-transform',
          template: 'Facts of {{ city }}',
          variables: [{ variable: 'city', value_selector: ['find', 'city'] }],
        }),
        difyNode('ask', {
          type: 'llm',
          model,
          context: { enabled: true, variable_selector: ['facts', 'output'] },
          memory: { query_prompt_template: 'Q: {{#sys.query#}}', window: { enabled: true, size: 2 } },
          prompt_template: [
            { role: 'system', text: 'Use {{#context#}} as {{name}}' },
            { role: 'user', text: 'Example?' },
            { role: 'assistant', text: '', jinja2_text: 'Yes, {{ city }}', edition_type: 'jinja2' },
          ],
          prompt_config: { jinja2_variables: [{ variable: 'city', value_selector: ['find', 'city'] }] },
          vision: { enabled: false },
        }),
        difyNode('reply', { type: 'answer', answer: '{{#ask.text#}} ({{#find.__is_success#}})' }),
      ],
      ['start > find', 'find > facts', 'facts > ask', 'ask > reply'],
    ),
  );
  expect([imported.valid, imported.unsupported, imported.to_connect.map(({ type }) => type)]).toEqual([
    true,
    [],
    ['parameter-extractor', 'llm'],
  ]);
  dify.provider.plays(says('no idea'), says('```json\n{"city": "서울"}\n```'), says('Fine'));
  const answer = await complete(service, id, { messages: [{ role: 'user', content: 'To Seoul' }] });
  expect(contentOf(answer)).toBe('Fine (1)');
  expect(dify.provider.requests[1]?.body.messages.at(-1)?.content).toMatch(/not a JSON object/);
  expect(dify.provider.requests[2]?.body.messages).toEqual([
    { role: 'system', content: 'Use Facts of 서울 as {{name}}' },
    { role: 'user', content: 'Example?' },
    { role: 'assistant', content: 'Yes, 서울' },
    { role: 'user', content: 'Q: To Seoul' },
  ]);
});
