import { difyNode } from '../dify.ts';
import { answer, type DifyCase, micro, picture, program } from './case.ts';

const request = (path: string, more: object = {}) =>
  difyNode('h', {
    ...{
      type: 'http-request',
      method: 'get',
      url: `{{SERVER}}${path}`,
      authorization: { type: 'no-auth', config: null },
    },
    ...{ headers: '', params: '', body: { type: 'none', data: [] }, timeout: {}, variables: [], ssl_verify: true },
    ...{ retry_config: { retry_enabled: false, max_retries: 1, retry_interval: 100 }, ...more },
  });
/** Its answer says what it was asked. */
const asks = (name: string, path: string, more: object = {}) =>
  micro(`request/${name}`, {
    values: { v: ['string', 'a b&c'], n: ['number', 5], l: ['array[string]', ['x', 'y']], o: ['object', { a: 1 }] },
    nodes: [request(path, more)],
    reply: '{{#h.status_code#}} {{#h.body#}}',
  });
const body = (type: string, data: unknown) => ({ method: 'post', body: { type, data } });
const text = (value: string) => [{ id: '1', key: '', type: 'text', value }];
const branch = { error_strategy: 'fail-branch' };
const retries = (max_retries: number) => ({ retry_config: { retry_enabled: true, max_retries, retry_interval: 100 } });

const REQUESTS: readonly DifyCase[] = [
  asks('a GET', '/echo'),
  ...['post', 'put', 'patch', 'delete'].map((method) => asks(`a ${method.toUpperCase()}`, '/echo', { method })),
  asks('a reference in its address', '/echo/{{#conversation.n#}}'),
  asks('a query in its address', '/echo?a=1&b=x%20y'),
  asks('parameters', '/echo', { params: 'q:{{#conversation.v#}}\nn:5' }),
  asks('a parameter without a value', '/echo', { params: 'q:\nn:5' }),
  asks('a parameter with a colon', '/echo', { params: 'q:a:b' }),
  asks('a parameter twice', '/echo', { params: 'q:1\nq:2' }),
  asks('headers', '/echo', { headers: 'X-One:1\nX-Two:{{#conversation.n#}}' }),
  asks('a header with a colon', '/echo', { headers: 'X-One:a:b' }),
  asks('a bearer', '/echo', { authorization: { type: 'api-key', config: { type: 'bearer', api_key: 'k1' } } }),
  asks('a basic key', '/echo', { authorization: { type: 'api-key', config: { type: 'basic', api_key: 'u:p' } } }),
  asks('its own header', '/echo', {
    authorization: { type: 'api-key', config: { type: 'custom', header: 'X-Key', api_key: 'k2' } },
  }),
  asks('JSON', '/echo', body('json', text('{"q": "{{#conversation.n#}}", "n": {{#conversation.n#}}}'))),
  asks('JSON with a list', '/echo', body('json', text('{"l": {{#conversation.l#}}, "o": {{#conversation.o#}}}'))),
  asks('JSON with a mistake', '/echo', body('json', text('{"q": '))),
  asks(
    'a form',
    '/echo',
    body('x-www-form-urlencoded', [
      { id: '1', key: 'q', type: 'text', value: '{{#conversation.v#}}' },
      { id: '2', key: 'n', type: 'text', value: '5' },
    ]),
  ),
  asks('a text', '/echo', body('raw-text', text('Hello {{#conversation.v#}}'))),
  asks('a status of 404', '/missing'),
  asks('a status of 500', '/broken'),
  asks('an answer that is not JSON', '/plain'),
  asks('an empty answer', '/empty'),
  micro('request/headers of the answer', { nodes: [request('/echo')], reply: '{{#h.headers.x-service#}}' }),
  micro('request/no files', { nodes: [request('/echo')], reply: '<{{#h.files#}}>' }),
  micro('request/its outputs', {
    nodes: [request('/plain')],
    outputs: { status: ['h', 'status_code'], body: ['h', 'body'], files: ['h', 'files'] },
  }),
  micro('request/its body read by a program', {
    nodes: [
      request('/json'),
      program(
        'c',
        'import json\ndef main(b):\n    return {"result": json.loads(b)["items"][1]}',
        { result: 'string' },
        {
          variables: [{ variable: 'b', value_selector: ['h', 'body'] }],
        },
      ),
    ],
    reply: '{{#c.result#}}',
  }),
  ...[0, 1, 2].map((times) =>
    micro(`request/busy twice, ${times} retries`, {
      nodes: [request(`/busy/twice-${times}`, times === 0 ? {} : retries(times))],
      reply: '{{#h.status_code#}}',
    }),
  ),
  micro('request/busy, with an error branch after retries', {
    nodes: [
      request('/broken', { ...branch, ...retries(1) }),
      answer('bad', 'failed'),
      answer('good', 'fine {{#h.status_code#}}'),
    ],
    ways: ['start > h', 'h:fail-branch > bad', 'h > good'],
  }),
  micro('request/a default value', {
    nodes: [
      request('/broken', {
        error_strategy: 'default-value',
        default_value: [
          { key: 'body', type: 'string', value: 'instead' },
          { key: 'status_code', type: 'number', value: 0 },
        ],
        ...retries(1),
      }),
    ],
    reply: '{{#h.body#}} {{#h.status_code#}}',
  }),
];

const model = { provider: 'langgenius/openai/openai', name: 'gpt', mode: 'chat', completion_params: {} };
const llm = (prompt: unknown, more: object = {}) =>
  difyNode('m', {
    ...{ type: 'llm', model, prompt_template: prompt as object[], variables: [] },
    ...{ context: { enabled: false, variable_selector: [] }, vision: { enabled: false }, ...more },
  });
const message = (role: string, content: string, more: object = {}) => ({ id: role, role, text: content, ...more });
type Value = readonly [type: string, value: unknown];
const prompts = (name: string, prompt: unknown, values: Readonly<Record<string, Value>> = {}, more: object = {}) =>
  micro(`model/${name}`, { values, nodes: [llm(prompt, more)], reply: '{{#m.text#}}', says: ['Fine.'] });
const shows = (value: string, v: Value) =>
  prompts(`${value} in its prompt`, [message('user', 'See <{{#conversation.v#}}>')], { v });
const answers = (name: string, says: string, more: object = {}, reply = '{{#m.text#}}') =>
  micro(`model/${name}`, { nodes: [llm([message('user', 'Go')], more)], reply, says: [says] });

const MODELS: readonly DifyCase[] = [
  prompts('a user message', [message('user', '{{#sys.query#}}?')]),
  prompts('a system and a user message', [message('system', 'Be brief'), message('user', '{{#sys.query#}}')]),
  prompts('turns of a conversation', [
    message('system', 'S'),
    message('user', 'U'),
    message('assistant', 'A'),
    message('user', 'Q'),
  ]),
  prompts('two user messages in a row', [message('user', 'one'), message('user', 'two')]),
  prompts('an empty message', [message('system', ''), message('user', 'Q')]),
  prompts(
    'Jinja2',
    [message('user', '', { edition_type: 'jinja2', jinja2_text: '{% for x in l %}{{ x }};{% endfor %}' })],
    { l: ['array[string]', ['a', 'b']] },
    {
      prompt_config: { jinja2_variables: [{ variable: 'l', value_selector: ['conversation', 'l'] }] },
    },
  ),
  prompts(
    'its memory without turns before',
    [message('system', 'S'), message('user', 'U')],
    {},
    {
      memory: {
        window: { enabled: true, size: 5 },
        query_prompt_template: '{{#sys.query#}}!',
        role_prefix: { user: '', assistant: '' },
      },
    },
  ),
  prompts(
    'a context',
    [message('system', 'From <{{#context#}}>'), message('user', 'Q')],
    { v: ['string', 'the passage'] },
    {
      context: { enabled: true, variable_selector: ['conversation', 'v'] },
    },
  ),
  shows('a text', ['string', 'x']),
  shows('a number', ['number', 5]),
  shows('a fraction', ['number', 2.5]),
  shows('true', ['boolean', true]),
  shows('an object', ['object', { a: 1, 도시: '서울' }]),
  shows('a list of texts', ['array[string]', ['a', 'b']]),
  shows('a list of objects', ['array[object]', [{ a: 1 }]]),
  shows('an empty list', ['array[string]', []]),
  shows('an empty object', ['object', {}]),
  micro('model/files in its prompt', {
    nodes: [llm([message('user', 'See <{{#sys.files#}}>')])],
    reply: '{{#m.text#}}',
    says: ['Fine.'],
  }),
  micro('model/a file in its prompt', {
    fields: [{ variable: 'f', type: 'file' }],
    inputs: { f: picture },
    nodes: [llm([message('user', 'See <{{#start.f#}}>')])],
    reply: '{{#m.text#}}',
    says: ['Fine.'],
  }),
  answers('several lines', 'one\n\ntwo'),
  answers('thoughts stay', '<think>Hm.</think>\nSix.'),
  answers(
    'thoughts apart',
    '<think>Hm.</think>\nSix.',
    { reasoning_format: 'separated' },
    '<{{#m.text#}}> <{{#m.reasoning_content#}}>',
  ),
  answers('thoughts tagged', '<think>Hm.</think>Six.', { reasoning_format: 'tagged' }),
  answers('a thought without an end, apart', '<think>Hm', { reasoning_format: 'separated' }, '<{{#m.text#}}>'),
  micro('model/two in a row', {
    nodes: [
      llm([message('user', 'One')]),
      difyNode('k', {
        type: 'llm',
        model,
        prompt_template: [message('user', 'After {{#m.text#}}')],
        context: { enabled: false, variable_selector: [] },
        vision: { enabled: false },
      }),
    ],
    reply: '{{#m.text#}} {{#k.text#}}',
    says: ['first', 'second'],
  }),
];

const classify = (name: string, says: string, more: object = {}) =>
  micro(`classifier/${name}`, {
    nodes: [
      difyNode('q', {
        ...{
          type: 'question-classifier',
          model,
          query_variable_selector: ['sys', 'query'],
          instruction: '',
          vision: { enabled: false },
        },
        classes: [
          { id: '1', name: 'Orders' },
          { id: '2', name: 'Refunds' },
          { id: '3', name: 'Other' },
        ],
        ...more,
      }),
      ...[answer('a1', 'orders'), answer('a2', 'refunds {{#q.class_name#}}'), answer('a3', 'other')],
    ],
    ways: ['start > q', 'q:1 > a1', 'q:2 > a2', 'q:3 > a3'],
    says: [says],
  });
const json = (id: string, name: string) => JSON.stringify({ keywords: ['x'], category_id: id, category_name: name });

const extract = (name: string, type: string, says: string, more: object = {}) =>
  micro(`extractor/${name}`, {
    nodes: [
      difyNode('p', {
        ...{ type: 'parameter-extractor', model, query: ['sys', 'query'], reasoning_mode: 'prompt', instruction: '' },
        ...{
          parameters: [{ name: 'v', type, description: 'It', required: true, ...more }],
          vision: { enabled: false },
        },
      }),
    ],
    reply: '{{#p.__is_success#}} <{{#p.v#}}>',
    says: [says],
  });
const found = (value: unknown) => JSON.stringify({ v: value });

const UNDERSTANDING: readonly DifyCase[] = [
  classify('JSON', json('2', 'Refunds')),
  classify('JSON in a fence', `\`\`\`json\n${json('2', 'Refunds')}\n\`\`\``),
  classify('thoughts before JSON', `<think>Orders? No.</think>${json('2', 'Refunds')}`),
  classify('a class that is not there', json('9', 'Nothing')),
  classify('no JSON', 'I do not know.'),
  classify('the last class', json('3', 'Other')),
  extract('a text', 'string', found('Seoul')),
  extract('a number', 'number', found(5)),
  extract('a number as a text', 'number', found('5')),
  extract('a fraction as a text', 'number', found('2.5')),
  extract('a number in words', 'number', found('many')),
  extract('a boolean', 'boolean', found(true)),
  extract('a boolean as a text', 'boolean', found('true')),
  extract('an old boolean', 'bool', found(true)),
  extract('a list of texts', 'array[string]', found(['a', 'b'])),
  extract('a list of numbers', 'array[number]', found([1, 2])),
  extract('a list of objects', 'array[object]', found([{ a: 1 }])),
  extract('a text for a list', 'array[string]', found('a')),
  extract('a selection', 'select', found('x'), { options: ['x', 'y'] }),
  extract('a selection not offered', 'select', found('z'), { options: ['x', 'y'] }),
  extract('JSON among text', 'string', `Here it is: ${found('Seoul')}. Done`),
  extract('JSON in a fence', 'string', `\`\`\`json\n${found('Seoul')}\n\`\`\``),
  extract('no JSON', 'string', 'I do not know'),
  extract('an optional one that is missing', 'string', '{}', { required: false }),
  extract('an optional number that is missing', 'number', '{}', { required: false }),
  extract('an optional list that is missing', 'array[string]', '{}', { required: false }),
  extract('a required one that is missing', 'string', '{}'),
];

export const SERVICES: readonly DifyCase[] = [...REQUESTS, ...MODELS, ...UNDERSTANDING];
