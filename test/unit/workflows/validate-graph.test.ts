import { expect, it } from 'vitest';
import type { Graph, NodeType } from '../../../functions/workflows/domain/graph/graph.ts';
import { errorsAmong } from '../../../functions/workflows/domain/graph/graph-issue.ts';
import { graphIssues } from '../../../functions/workflows/domain/graph/validate-graph.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const messages = (of: Graph): readonly string[] =>
  graphIssues(of)
    .map(({ message }) => message)
    .filter((message) => !message.startsWith('The graph has no answer'));
const errors = (of: Graph) => errorsAmong(graphIssues(of)).map(({ message }) => message);
const start = node('start', 'start');
const assign = (id: string, value: string, more = {}) => node(id, 'variable_assign', { values: { v: value } }, more);
const code = (id: string, more = {}) =>
  node(id, 'code', { language: 'python', code: '1', outputs: { v: 'number' } }, more);
const condition = node('cond', 'condition', {
  cases: [{ id: 'yes', conditions: [{ left: '{{sys.query}}', operator: 'is_empty' }] }],
});

it('a sound graph has no issues', () => {
  expect(
    graphIssues(
      graph(
        [start, assign('a', '{{sys.query}}'), node('end', 'answer', { text: '{{a.v}}' })],
        ['start > a', 'a > end'],
      ),
    ),
  ).toEqual([]);
});

it.each<[string, Graph, RegExp]>([
  ['no start', graph([assign('a', '1')], []), /no node of type start. Add one/],
  [
    'two starts',
    graph([start, node('second', 'start')], []),
    /Node "second": type is a second start in addition to "start"/,
  ],
  [
    'a cycle',
    graph([start, assign('a', '1'), assign('b', '1')], ['start > a', 'a > b', 'b > a']),
    /is on a cycle: .*a.*→.*put them into a loop/,
  ],
  [
    'a node that nothing leads to',
    graph([start, assign('a', '1')], []),
    /Node "a": edges cannot be reached from the start/,
  ],
  [
    'a handle that is not there',
    graph([start, assign('a', '1')], ['start:nope > a']),
    /Node "start": edges has no handle "nope".*Use one of out/,
  ],
  ['an edge to nowhere', graph([start], ['start > ghost']), /there is no node "ghost"/],
  [
    'an unknown type',
    graph([start, node('a', 'teleport' as NodeType)], ['start > a']),
    /Node "a": type is "teleport", which is unknown. Use one of start, /,
  ],
  [
    'an unknown member',
    graph([start, node('a', 'answer', { text: '', colour: 'red' })], ['start > a']),
    /Node "a": config.colour is not a member of it. It may have text, files/,
  ],
  [
    'a missing member',
    graph([start, node('a', 'answer')], ['start > a']),
    /Node "a": config.text is missing. Set it to a text/,
  ],
  [
    'an unknown node in a reference',
    graph([start, assign('a', '{{ghost.v}}')], ['start > a']),
    /Node "a": config.values.v refers to {{ghost.v}}, and there is no node "ghost"/,
  ],
  [
    'an unknown output',
    graph([start, code('c'), assign('a', '{{c.w}}')], ['start > c', 'c > a']),
    /gives out v. Correct the name/,
  ],
  [
    'a reference to a node that a branch skips',
    graph(
      [start, condition, code('c'), assign('a', '{{c.v}}')],
      ['start > cond', 'cond:yes > c', 'cond:else > a', 'c > a'],
    ),
    /Node "a": config.values.v refers to {{c.v}}, but there is a way to it on which "c" is skipped or fails/,
  ],
  [
    'a reference to a parallel node',
    graph([start, code('c'), assign('a', '{{c.v}}')], ['start > c', 'start > a']),
    /"c" does not come before it/,
  ],
  [
    'a reference into a body',
    graph(
      [
        start,
        node('it', 'iteration', { items: [1], output: '{{c.v}}' }),
        code('c', { parentId: 'it' }),
        assign('a', '{{c.v}}'),
      ],
      ['start > it', 'it > a'],
    ),
    /which is in the body of "it"/,
  ],
  [
    'a type that does not fit',
    graph(
      [start, code('c'), node('it', 'iteration', { items: '{{c.v}}', output: 1 }), code('d', { parentId: 'it' })],
      ['start > c', 'c > it'],
    ),
    /Node "it": config.items must be a list, and {{c.v}} is a number/,
  ],
  [
    'a failure that is not planned for',
    graph([start, code('c'), assign('a', '{{c.error.message}}')], ['start > c', 'c > a']),
    /Correct the name/,
  ],
  [
    'a failure where there is none',
    graph([start, code('c', { onError: 'branch' }), assign('a', '{{c.error.message}}')], ['start > c', 'c > a']),
    /only behind the handle "error" of "c"/,
  ],
  [
    'an empty body',
    graph([start, node('it', 'iteration', { items: [1], output: 1 })], ['start > it']),
    /Node "it": config has an empty body/,
  ],
  [
    'an assignment of a variable that nothing declares',
    graph(
      [start, node('a', 'assigner', { items: [{ variable: 'conversation.n', operation: 'clear' }] })],
      ['start > a'],
    ),
    /assigns conversation.n, which is neither a conversation variable/,
  ],
  [
    'a break outside of a loop',
    graph([start, node('b', 'break')], ['start > b']),
    /Node "b": parent_id must be that of a loop/,
  ],
  [
    'a constant that is not declared',
    graph([start, assign('a', '{{env.base}}')], ['start > a']),
    /env has nothing. Correct the name, or declare it in environment_variables/,
  ],
  [
    'a conversation variable whose default has another type',
    { ...graph([start], []), conversation: [{ name: 'n', type: 'number', initial: 'x', description: '' }] },
    /Conversation variable n: default must be a number/,
  ],
  [
    'a default without an output',
    graph([start, code('c', { onError: 'default' })], ['start > c']),
    /Node "c": default_output is missing/,
  ],
  [
    'an operator without a right side',
    graph(
      [start, node('c', 'condition', { cases: [{ id: 'x', conditions: [{ left: 1, operator: 'gt' }] }] })],
      ['start > c'],
    ),
    /Node "c": config.cases.0.conditions.0.right is missing/,
  ],
])('%s is refused with node, field and fix', (_, of, expected) => {
  expect(messages(of).join('\n')).toMatch(expected);
});

it('a reference to a node that may be skipped is a warning: the value is empty then', () => {
  const nodes = [start, condition, code('c'), assign('a', '{{c.v}}')];
  const skipped = graph(nodes, ['start > cond', 'cond:yes > c', 'cond:else > a', 'c > a']);
  expect(errors(skipped)).toEqual([]);
  expect(graphIssues(skipped)[0]).toMatchObject({ severity: 'warning', nodeId: 'a', reference: '{{c.v}}' });
});

it('messages call nodes by their titles, and add the id where a title is shared', () => {
  const titled = (id: string, title: string) => node(id, 'answer', {}, { title });
  const of = (...nodes: readonly ReturnType<typeof titled>[]) =>
    messages(
      graph(
        [start, ...nodes],
        nodes.map(({ id }) => `start > ${id}`),
      ),
    );
  expect(of(titled('n1', 'Reply'))[0]).toMatch(/^Node "Reply": config.text is missing/);
  expect(of(titled('n1', 'Reply'), titled('n2', 'Reply'))[1]).toMatch(/^Node "Reply" \(n2\): config.text is missing/);
});

it('a graph without an answer gets a warning', () => {
  expect(graphIssues(graph([start], []))).toMatchObject([{ severity: 'warning', field: 'nodes' }]);
});

it('texts of users that could add parameters or members are pointed at', () => {
  const request = (config: object) => graph([start, node('r', 'http_request', config as never)], ['start > r']);
  const warned = (config: object) => messages(request(config)).map((message) => message.slice(0, 30));
  expect(warned({ url: 'https://a.b/?q={{sys.query}}', body: '{"q": "{{sys.query}}"}' })).toEqual([
    'Node "r": config.url has refer',
    'Node "r": config.body writes J',
  ]);
  const sound = { url: 'https://a.b/{{sys.query}}', params: { q: '{{sys.query}}' }, body: { q: '{{sys.query}}' } };
  expect(warned(sound)).toEqual([]);
});

it('variables of the conversation and constants can be referred to and assigned', () => {
  const items = [
    { variable: 'conversation.이름', operation: 'overwrite', value: '{{env.base}} {{sys.dialogue_count}}' },
  ];
  const of = {
    ...graph(
      [start, node('a', 'assigner', { items }), node('end', 'answer', { text: '{{conversation.이름}} {{env.key}}' })],
      ['start > a', 'a > end'],
    ),
    conversation: [{ name: '이름', type: 'text', initial: '', description: '' }] as const,
    environment: [
      { name: 'base', type: 'text', value: 'https://example.com' },
      { name: 'key', type: 'secret', sealed: 'x' },
    ] as const,
  };
  expect(graphIssues(of)).toEqual([]);
});

it('what runs in parallel and joins is produced', () => {
  const nodes = [start, code('a'), code('b'), assign('c', '{{a.v}} {{b.v}}')];
  expect(messages(graph(nodes, ['start > a', 'start > b', 'a > c', 'b > c']))).toEqual([]);
});

it('one of two branches stands in for the other', () => {
  const nodes = [start, condition, code('a'), code('b'), assign('c', '{{a.v | b.v}}')];
  const ways = ['start > cond', 'cond:yes > a', 'cond:else > b', 'a > c', 'b > c'];
  expect(messages(graph(nodes, ways))).toEqual([]);
  expect(messages(graph(nodes, [...ways, 'cond:else > c'])).length).toBe(0);
  const gap = ['start > cond', 'cond:yes > a', 'a > c', 'start > b', 'b > c', 'cond:else > c'];
  const onlyA = nodes.with(4, assign('c', '{{a.v}}'));
  expect(messages(graph(onlyA, gap))[0]).toMatch(/"a" is skipped or fails/);
});

it('a failure is known behind its handle', () => {
  const nodes = [start, code('c', { onError: 'branch' }), assign('a', '{{c.error.message}}'), assign('b', '{{c.v}}')];
  expect(messages(graph(nodes, ['start > c', 'c:error > a', 'c > b']))).toEqual([]);
});
