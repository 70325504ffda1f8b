import { difyNode } from '../dify.ts';
import { answer, choice, condition, type DifyCase, micro, of, program, template } from './case.ts';

type Value = readonly [type: string, value: unknown];

const within = (id: string) => ({ in: id, isInIteration: true, iteration_id: id });
const iteration = (from: readonly string[], output: readonly string[], more: object = {}) => [
  difyNode('i', {
    ...{
      type: 'iteration',
      start_node_id: 'is',
      iterator_selector: from as string[],
      output_selector: output as string[],
    },
    ...{ is_parallel: false, parallel_nums: 10, error_handle_mode: 'terminated', flatten_output: true, ...more },
  }),
  difyNode('is', { type: 'iteration-start', ...within('i') }),
];
const INSIDE = ['start > i', 'is > t', 'i > reply'];
const shout = template('t', '{{ x }}!{{ n }}', { x: ['i', 'item'], n: ['i', 'index'] }, within('i'));

const each = (name: string, value: Value, more: object = {}, inside: object = shout, output = 'output') =>
  micro(`iteration/${name}`, {
    values: { v: value },
    nodes: [...iteration(of('v'), ['t', output], more), inside, answer('reply', '{{#i.output#}}')],
    ways: INSIDE,
  });

/** Fails for the entry "b". */
const picky = program(
  't',
  'def main(x):\n    if x == "b": raise Exception("no")\n    return {"result": x}',
  { result: 'string' },
  {
    ...{ variables: [{ variable: 'x', value_selector: ['i', 'item'] }], ...within('i') },
  },
);
const pair = program(
  't',
  'def main(x):\n    return {"result": [x, x]}',
  { result: 'array[string]' },
  {
    ...{ variables: [{ variable: 'x', value_selector: ['i', 'item'] }], ...within('i') },
  },
);
const ABC: Value = ['array[string]', ['a', 'b', 'c']];

const ITERATIONS: readonly DifyCase[] = [
  each('texts', ABC),
  each('numbers', ['array[number]', [1, 2.5]]),
  each('objects', ['array[object]', [{ a: 1 }, { a: 2 }]]),
  each(
    'a member of objects',
    ['array[object]', [{ a: 1 }, { a: 2 }]],
    {},
    template('t', '{{ x }}', { x: ['i', 'item', 'a'] }, within('i')),
  ),
  each('an empty list', ['array[string]', []]),
  each('a text', ['string', 'abc']),
  each('parallel', ABC, { is_parallel: true, parallel_nums: 3 }),
  each('an error ends it', ABC, {}, picky, 'result'),
  each('an error is null', ABC, { error_handle_mode: 'continue-on-error' }, picky, 'result'),
  each('an error is left out', ABC, { error_handle_mode: 'remove-abnormal-output' }, picky, 'result'),
  each(
    'parallel, an error is null',
    ABC,
    { error_handle_mode: 'continue-on-error', is_parallel: true },
    picky,
    'result',
  ),
  each('lists become one', ABC, {}, pair, 'result'),
  each('lists stay lists', ABC, { flatten_output: false }, pair, 'result'),
  micro('iteration/an answer in it', {
    values: { v: ABC },
    nodes: [...iteration(of('v'), ['i', 'item']), answer('t', '[{{#i.item#}}]', within('i')), answer('reply', 'end')],
    ways: INSIDE,
  }),
  micro('iteration/its end as an output', {
    values: { v: ABC },
    nodes: [...iteration(of('v'), ['t', 'output']), shout],
    outputs: { v: ['i', 'output'] },
    ways: ['start > i', 'is > t', 'i > end'],
  }),
  micro('iteration/a condition in it', {
    values: { v: ['array[number]', [1, 5]] },
    nodes: [
      ...iteration(of('v'), ['g', 'output']),
      { ...choice('t', { big: [condition(['i', 'item'], '>', '3')] }), parentId: 'i' },
      template('big', 'big', {}, within('i')),
      template('small', 'small', {}, within('i')),
      difyNode('g', {
        type: 'variable-aggregator',
        output_type: 'string',
        variables: [
          ['big', 'output'],
          ['small', 'output'],
        ],
        ...within('i'),
      }),
      answer('reply', '{{#i.output#}}'),
    ],
    ways: [...INSIDE, 't:big > big', 't:false > small', 'big > g', 'small > g'],
  }),
  micro('iteration/a conversation variable that grows in it', {
    values: { v: ABC, all: ['array[string]', []] },
    nodes: [
      ...iteration(of('v'), ['i', 'item']),
      difyNode('t', {
        ...{ type: 'assigner', version: '2', ...within('i') },
        items: [
          {
            variable_selector: ['conversation', 'all'],
            operation: 'append',
            input_type: 'variable',
            value: ['i', 'item'],
          },
        ],
      }),
      answer('reply', '{{#conversation.all#}}'),
    ],
    ways: INSIDE,
  }),
];

const inLoop = { in: 'l', isInLoop: true, loop_id: 'l' };
const loop = (
  count: number,
  variables: Readonly<Record<string, Value>>,
  until: readonly object[],
  more: object = {},
) => [
  difyNode('l', {
    ...{
      type: 'loop',
      start_node_id: 'ls',
      loop_count: count,
      break_conditions: until as object[],
      logical_operator: 'and',
    },
    loop_variables: Object.entries(variables).map(([label, [var_type, value]]) => ({
      ...{ id: label, label, var_type, value_type: 'constant', value },
    })),
    ...more,
  }),
  difyNode('ls', { type: 'loop-start', ...inLoop }),
];
const add = (operation: string, value: unknown, name = 'n', input_type = 'constant') =>
  difyNode('t', {
    ...{ type: 'assigner', version: '2', ...inLoop },
    items: [{ variable_selector: ['l', name], operation, input_type, value }],
  });
const loops = (
  name: string,
  count: number,
  variables: Readonly<Record<string, Value>>,
  until: readonly object[],
  inside: object,
  reply: string,
  more: object = {},
) =>
  micro(`loop/${name}`, {
    nodes: [...loop(count, variables, until, more), inside, answer('reply', reply)],
    ways: ['start > l', 'ls > t', 'l > reply'],
  });

const LOOPS: readonly DifyCase[] = [
  loops('until its limit', 3, { n: ['number', 1] }, [], add('+=', 1), '{{#l.n#}}'),
  loops('a number written as a text', 3, { n: ['number', '1'] }, [], add('*=', 2), '{{#l.n#}}'),
  loops('until a condition', 10, { n: ['number', 0] }, [condition(['l', 'n'], '>', '3')], add('+=', 2), '{{#l.n#}}'),
  loops(
    'a condition that holds before its first pass',
    10,
    { n: ['number', 9] },
    [condition(['l', 'n'], '>', '3')],
    add('+=', 2),
    '{{#l.n#}}',
  ),
  loops('its rounds', 4, { n: ['number', 0] }, [], add('+=', 1), '{{#l.loop_round#}}'),
  loops('a text', 2, { n: ['string', 'a'] }, [], add('set', 'b'), '{{#l.n#}}'),
  loops(
    'a list',
    2,
    { n: ['array[string]', '["z"]'] },
    [],
    add('append', ['sys', 'query'], 'n', 'variable'),
    '{{#l.n#}}',
  ),
  loops(
    'a list of numbers',
    1,
    { n: ['array[number]', '[1, 2]'] },
    [],
    add('remove-first', '', 'n', 'variable'),
    '{{#l.n#}}',
  ),
  loops('an object', 1, { n: ['object', '{"a": 1}'] }, [], template('t', 'x', {}, inLoop), '{{#l.n#}}'),
  loops('a boolean', 1, { n: ['boolean', true] }, [], template('t', 'x', {}, inLoop), '{{#l.n#}}'),
  loops('divides by 0', 2, { n: ['number', 1] }, [], add('/=', 0), '{{#l.n#}}'),
  loops('an answer in it', 2, { n: ['number', 1] }, [], answer('t', '[{{#l.n#}}]', inLoop), 'end'),
  loops(
    'two conditions, or',
    9,
    { n: ['number', 0] },
    [condition(['l', 'n'], '=', '2'), condition(['l', 'n'], '>', '5')],
    add('+=', 1),
    '{{#l.n#}}',
    { logical_operator: 'or' },
  ),
  loops(
    'two conditions, and',
    9,
    { n: ['number', 0] },
    [condition(['l', 'n'], '>', '2'), condition(['l', 'n'], '>', '5')],
    add('+=', 1),
    '{{#l.n#}}',
  ),
  micro('loop/an exit in it', {
    nodes: [
      ...loop(9, { n: ['number', 0] }, []),
      { ...add('+=', 1), parentId: 'l' },
      { ...choice('if', { done: [condition(['l', 'n'], '≥', '4')] }), parentId: 'l' },
      difyNode('x', { type: 'loop-end', ...inLoop }),
      answer('reply', '{{#l.n#}}'),
    ],
    ways: ['start > l', 'ls > t', 't > if', 'if:done > x', 'l > reply'],
  }),
  micro('loop/a variable from outside', {
    values: { v: ['number', 40] },
    nodes: [
      ...loop(2, {}, [], {
        loop_variables: [
          { id: 'n', label: 'n', var_type: 'number', value_type: 'variable', value: ['conversation', 'v'] },
        ],
      }),
      add('+=', 1),
      answer('reply', '{{#l.n#}} {{#conversation.v#}}'),
    ],
    ways: ['start > l', 'ls > t', 'l > reply'],
  }),
  micro('loop/an error in it', {
    nodes: [
      ...loop(2, { n: ['number', 0] }, []),
      program('t', 'def main():\n    raise Exception("no")', { result: 'string' }, inLoop),
      answer('reply', '{{#l.n#}}'),
    ],
    ways: ['start > l', 'ls > t', 'l > reply'],
  }),
];

export const CONTAINERS: readonly DifyCase[] = [...ITERATIONS, ...LOOPS];
