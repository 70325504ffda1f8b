import { difyNode } from '../dify.ts';
import { answer, choice, condition, type DifyCase, document, gives, micro, of, picture, program } from './case.ts';

type Value = readonly [type: string, value: unknown];

const assign = (id: string, items: readonly object[]) =>
  difyNode(id, { type: 'assigner', version: '2', items: items as object[] });
const change = (name: string, operation: string, value: unknown = '', input_type = 'constant') => ({
  ...{ variable_selector: ['conversation', name], operation, value, input_type },
});

/** Operations of assigners: a variable, the operation, and a constant or the variable that it is made with. */
const CHANGES: readonly (readonly [of: Value, operation: string, by: unknown, from?: Value])[] = [
  [['string', 'a'], 'over-write', 'b'],
  [['string', 'a'], 'over-write', '', ['string', 'c']],
  [['string', 'a'], 'set', 'b'],
  [['string', 'a'], 'set', ''],
  [['string', 'a'], 'clear', ''],
  [['string', 'a'], 'append', '', ['string', 'b']],
  [['string', 'a'], '+=', 'b'],
  [['number', 1], 'over-write', 5],
  [['number', 1], 'set', 2.5],
  [['number', 1], 'set', '7'],
  [['number', 1], 'clear', ''],
  [['number', 1], '+=', 2],
  [['number', 1], '-=', 2],
  [['number', 3], '*=', 4],
  [['number', 3], '*=', 0.5],
  [['number', 7], '/=', 2],
  [['number', 6], '/=', 2],
  [['number', 6], '/=', 0],
  [['number', 1], '+=', 'x'],
  [['number', 1], '+=', '', ['number', 4]],
  [['number', 1], 'append', 3],
  [['number', 1], 'over-write', '', ['string', 'x']],
  [['boolean', true], 'over-write', false],
  [['boolean', false], 'set', true],
  [['boolean', true], 'clear', ''],
  [['object', { a: 1 }], 'over-write', '', ['object', { b: 2 }]],
  [['object', { a: 1 }], 'set', '{"b": 3}'],
  [['object', { a: 1 }], 'set', 'not JSON'],
  [['object', { a: 1 }], 'clear', ''],
  [['array[string]', ['a']], 'append', '', ['string', 'b']],
  [['array[string]', ['a']], 'append', '', ['number', 1]],
  [['array[string]', ['a']], 'extend', '', ['array[string]', ['b', 'c']]],
  [['array[string]', ['a']], 'extend', '', ['string', 'b']],
  [['array[string]', ['a']], 'extend', '', ['array[number]', [1]]],
  [['array[string]', ['a']], 'over-write', '', ['array[string]', ['z']]],
  [['array[string]', ['a']], 'clear', ''],
  [['array[string]', ['a', 'b']], 'remove-first', ''],
  [['array[string]', ['a', 'b']], 'remove-last', ''],
  [['array[string]', []], 'remove-first', ''],
  [['array[number]', [1]], 'append', '', ['number', 2]],
  [['array[object]', [{ a: 1 }]], 'append', '', ['object', { b: 2 }]],
  [['array[object]', [{ a: 1 }]], 'append', '', ['string', 'x']],
];

const changes = CHANGES.map(([value, operation, by, from]) =>
  micro(`assigner/${value[0]} ${JSON.stringify(value[1])} ${operation} ${JSON.stringify(from ?? by)}`, {
    values: { v: value, ...(from && { w: from }) },
    nodes: [
      assign('a', [
        from
          ? change('v', operation, of('w'), 'variable')
          : change('v', operation, by, /^(clear|remove)/.test(operation) ? 'variable' : 'constant'),
      ]),
    ],
    reply: '<{{#conversation.v#}}>',
  }),
);

/** Lists, with what a list operator does to them. */
const filter = (comparison_operator: string, value: unknown, key = '') => ({
  filter_by: { enabled: true, conditions: [{ key, comparison_operator, value }] },
});
const order = (value: string, key = '') => ({ order_by: { enabled: true, key, value } });
const limit = (size: number) => ({ limit: { enabled: true, size } });
const extract = (serial: string) => ({ extract_by: { enabled: true, serial } });
const WORDS: Value = ['array[string]', ['pear', 'apple', 'fig', 'apple']];
const NUMBERS: Value = ['array[number]', [4, 1, 9.5, 7, 0]];
const FLAGS: Value = ['array[boolean]', [true, false, true]];
const LISTS: readonly (readonly [name: string, of: Value, does: object])[] = [
  ['nothing', WORDS, {}],
  ['texts that contain', WORDS, filter('contains', 'p')],
  ['texts that do not contain', WORDS, filter('not contains', 'p')],
  ['texts that start', WORDS, filter('start with', 'a')],
  ['texts that end', WORDS, filter('end with', 'g')],
  ['texts that are', WORDS, filter('is', 'apple')],
  ['texts that are not', WORDS, filter('is not', 'apple')],
  ['texts among', WORDS, filter('in', 'apple fig')],
  ['texts not among', WORDS, filter('not in', 'apple fig')],
  ['empty texts', ['array[string]', ['', 'a']], filter('empty', '')],
  ['texts that are not empty', ['array[string]', ['', 'a']], filter('not empty', '')],
  ['no text that is right', WORDS, filter('is', 'kiwi')],
  ['numbers that are', NUMBERS, filter('=', '7')],
  ['numbers that are not', NUMBERS, filter('≠', '7')],
  ['numbers below', NUMBERS, filter('<', '4')],
  ['numbers over', NUMBERS, filter('>', '4')],
  ['numbers at least', NUMBERS, filter('≥', '4')],
  ['numbers at most', NUMBERS, filter('≤', '1')],
  ['numbers by no number', NUMBERS, filter('>', 'many')],
  ['booleans that are', FLAGS, filter('is', true)],
  ['booleans that are not', FLAGS, filter('is not', true)],
  ['texts in order', WORDS, order('asc')],
  ['texts in turned order', WORDS, order('desc')],
  ['numbers in order', NUMBERS, order('asc')],
  ['numbers in turned order', NUMBERS, order('desc')],
  ['the first two', WORDS, limit(2)],
  ['more than there are', WORDS, limit(20)],
  ['the second', WORDS, extract('2')],
  ['one behind the end', WORDS, extract('9')],
  ['number 0', WORDS, extract('0')],
  ['a serial that is no number', WORDS, extract('x')],
  ['of an empty list', ['array[string]', []], {}],
  ['a filtered, ordered and limited list', NUMBERS, { ...filter('>', '0'), ...order('desc'), ...limit(2) }],
  ['the first of a filtered list', NUMBERS, { ...filter('>', '4'), ...extract('1') }],
  ['a list of objects', ['array[object]', [{ a: 1 }, { a: 2 }]], limit(1)],
  ['of a text', ['string', 'abc'], {}],
];
const off = {
  ...{ filter_by: { enabled: false, conditions: [] }, order_by: { enabled: false, key: '', value: 'asc' } },
  ...{ limit: { enabled: false, size: 10 }, extract_by: { enabled: false, serial: '1' } },
};
const listed = (name: string, variable: readonly string[], does: object, more: object) =>
  micro(`list operator/${name}`, {
    ...more,
    nodes: [difyNode('l', { type: 'list-operator', variable, ...off, ...does })],
    reply: '{{#l.result#}} <{{#l.first_record#}}> <{{#l.last_record#}}>',
  });
const lists = LISTS.map(([name, value, does]) => listed(name, of('v'), does, { values: { v: value } }));
const papers = { fields: [{ variable: 'f', type: 'file-list' }], inputs: { f: [document, picture] } };
const fileLists = (
  [
    ['files by type', filter('in', ['image'], 'type')],
    ['files by name', filter('contains', 'rep', 'name')],
    ['files by extension', filter('is', '.png', 'extension')],
    ['files by size', filter('>', '1500', 'size')],
    ['files by MIME type', filter('is', 'image/png', 'mime_type')],
    ['files by transfer', filter('in', ['remote_url'], 'transfer_method')],
    ['files in the order of names', order('asc', 'name')],
    ['files in the order of sizes', order('desc', 'size')],
    ['the first file', limit(1)],
  ] as const
).map(([name, does]) => listed(name, ['start', 'f'], does, papers));

const aggregate = (id: string, variables: readonly (readonly string[])[], more: object = {}) =>
  difyNode(id, { type: 'variable-aggregator', output_type: 'string', variables: variables as never, ...more });
const branched = (name: string, n: number, aggregator: object, reply: string) =>
  micro(`aggregator/${name}`, {
    values: { n: ['number', n] },
    nodes: [
      choice('if', { yes: [condition(of('n'), '>', '3')] }),
      ...[gives('a', '"left"', 'string'), gives('b', '"right"', 'string'), aggregator, answer('reply', reply)],
    ],
    ways: ['start > if', 'if:yes > a', 'if:false > b', 'a > g', 'b > g', 'g > reply'],
  });
const groups = aggregate('g', [], {
  advanced_settings: {
    group_enabled: true,
    groups: [
      {
        group_name: 'one',
        groupId: '1',
        output_type: 'string',
        variables: [
          ['a', 'result'],
          ['b', 'result'],
        ],
      },
      {
        group_name: 'two',
        groupId: '2',
        output_type: 'string',
        variables: [
          ['b', 'result'],
          ['sys', 'query'],
        ],
      },
    ],
  },
});

export const VALUES: readonly DifyCase[] = [
  ...changes,
  micro('assigner/several in a row see each other', {
    values: { v: ['number', 2], w: ['number', 0] },
    nodes: [assign('a', [change('v', '+=', 3), change('w', 'over-write', ['conversation', 'v'], 'variable')])],
    reply: '{{#conversation.v#}} {{#conversation.w#}}',
  }),
  micro('assigner/a variable that leads nowhere', {
    values: { v: ['string', 'a'] },
    nodes: [assign('a', [change('v', 'over-write', ['conversation', 'none'], 'variable')])],
    reply: '<{{#conversation.v#}}>',
  }),
  micro('assigner/of the query', {
    values: { v: ['string', 'a'] },
    nodes: [assign('a', [change('v', 'over-write', ['sys', 'query'], 'variable')])],
    reply: '{{#conversation.v#}}',
  }),
  ...['over-write', 'append', 'clear'].map((write_mode) =>
    micro(`assigner/version 1, ${write_mode}`, {
      values: { v: ['array[string]', ['a']], w: write_mode === 'append' ? ['string', 'b'] : ['array[string]', ['b']] },
      nodes: [
        difyNode('a', {
          ...{ type: 'assigner', write_mode, version: '1' },
          ...{ assigned_variable_selector: ['conversation', 'v'], input_variable_selector: ['conversation', 'w'] },
        }),
      ],
      reply: '<{{#conversation.v#}}>',
    }),
  ),
  ...lists,
  ...fileLists,
  branched(
    'the left branch',
    5,
    aggregate('g', [
      ['a', 'result'],
      ['b', 'result'],
    ]),
    '{{#g.output#}}',
  ),
  branched(
    'the right branch',
    1,
    aggregate('g', [
      ['a', 'result'],
      ['b', 'result'],
    ]),
    '{{#g.output#}}',
  ),
  branched('nothing that ran', 1, aggregate('g', [['a', 'result']]), '<{{#g.output#}}>'),
  branched(
    'an object',
    1,
    aggregate('g', [
      ['a', 'result'],
      ['b', 'result'],
    ]),
    '{{#g.output#}}{{#a.result#}}',
  ),
  branched('groups, left', 5, groups, '{{#g.one.output#}} {{#g.two.output#}}'),
  branched('groups, right', 1, groups, '{{#g.one.output#}} {{#g.two.output#}}'),
  micro('aggregator/an empty text is a value', {
    values: { a: ['string', ''], b: ['string', 'b'] },
    nodes: [
      aggregate('g', [
        ['conversation', 'a'],
        ['conversation', 'b'],
      ]),
    ],
    reply: '<{{#g.output#}}>',
  }),
  micro('aggregator/null is a value', {
    nodes: [
      gives('c', 'None', 'string'),
      aggregate('g', [
        ['c', 'result'],
        ['sys', 'query'],
      ]),
    ],
    reply: '<{{#g.output#}}>',
  }),
  micro('aggregator/a list', {
    nodes: [
      program('c', 'def main():\n    return {"l": [1, 2]}', { l: 'array[number]' }),
      aggregate('g', [['c', 'l']]),
    ],
    reply: '{{#g.output#}}',
  }),
];
