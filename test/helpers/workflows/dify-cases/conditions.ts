import { answer, choice, condition, type DifyCase, document, micro, of, picture } from './case.ts';

type Row = readonly [type: string, value: unknown, operator: string, than?: unknown];

/** The operators of each type: a variable, and what it is compared with. */
const ROWS: readonly Row[] = [
  ['string', 'Seoul city', 'contains', 'city'],
  ['string', 'Seoul city', 'contains', 'town'],
  ['string', '', 'contains', ''],
  ['string', 'Seoul', 'contains', ''],
  ['string', 'Seoul', 'not contains', 'a'],
  ['string', 'Seoul', 'not contains', 'S'],
  ['string', '', 'not contains', ''],
  ['string', 'Seoul', 'start with', 'Se'],
  ['string', 'Seoul', 'start with', 'se'],
  ['string', '', 'start with', ''],
  ['string', 'Seoul', 'end with', 'ul'],
  ['string', 'Seoul', 'end with', 'x'],
  ['string', '', 'end with', ''],
  ['string', 'Seoul', 'is', 'Seoul'],
  ['string', 'Seoul', 'is', 'seoul'],
  ['string', '3', 'is', '3.0'],
  ['string', '', 'is', ''],
  ['string', 'Seoul', 'is not', 'Busan'],
  ['string', 'Seoul', 'is not', 'Seoul'],
  ['string', '', 'empty'],
  ['string', ' ', 'empty'],
  ['string', '0', 'empty'],
  ['string', 'a', 'not empty'],
  ['string', '', 'not empty'],
  ['string', '', 'null'],
  ['string', '', 'not null'],
  ['string', '', 'exists'],
  ['string', 'a', 'not exists'],
  ['string', '5', '>', '3'],
  ['string', 'b', 'in', ['a', 'b']],
  ['string', 'c', 'in', ['a', 'b']],
  ['string', '', 'in', ['']],
  ['string', 'c', 'not in', ['a', 'b']],
  ['string', 'a', 'not in', ['a', 'b']],
  ['string', '', 'not in', ['']],
  ['string', 'a', 'in', 'abc'],
  ['string', 'abc', 'all of', ['a', 'c']],
  ['string', 'Hello there', 'contains', '{{#sys.query#}}'],
  ['number', 3, '=', '3'],
  ['number', 3, '=', '4'],
  ['number', 3, '=', '3.0'],
  ['number', 3.5, '=', '3.5'],
  ['number', 3, '=', ''],
  ['number', 3, '≠', '4'],
  ['number', 3, '≠', '3'],
  ['number', 3, '>', '2'],
  ['number', 3, '>', '3'],
  ['number', 3, '>', '2.5'],
  ['number', 3, '<', '10'],
  ['number', 3, '<', '-1'],
  ['number', 3, '≥', '3'],
  ['number', 3, '≤', '2.99'],
  ['number', 3, '>', 'many'],
  ['number', 3, '<', ''],
  ['number', 0, 'empty'],
  ['number', 1, 'empty'],
  ['number', 0, 'not empty'],
  ['number', 0, 'null'],
  ['number', 0, 'not null'],
  ['number', 0, '=', '0'],
  ['number', 3, 'is', '3'],
  ['number', 31, 'contains', '3'],
  ['number', 3, 'start with', '3'],
  ['boolean', true, 'is', true],
  ['boolean', true, 'is', 'true'],
  ['boolean', true, 'is', false],
  ['boolean', false, 'is', 'false'],
  ['boolean', false, 'is not', true],
  ['boolean', true, 'is not', 'true'],
  ['boolean', false, 'empty'],
  ['boolean', true, 'not empty'],
  ['boolean', false, 'null'],
  ['boolean', true, '=', true],
  ['object', {}, 'empty'],
  ['object', { a: 1 }, 'empty'],
  ['object', { a: 1 }, 'not empty'],
  ['object', {}, 'null'],
  ['object', { a: 1 }, 'not null'],
  ['object', { a: 1 }, 'contains', 'a'],
  ['array[string]', ['a', 'b'], 'contains', 'a'],
  ['array[string]', ['ab', 'b'], 'contains', 'a'],
  ['array[string]', ['a', 'b'], 'not contains', 'c'],
  ['array[string]', ['a', 'b'], 'not contains', 'b'],
  ['array[string]', [], 'contains', 'a'],
  ['array[string]', [], 'not contains', 'a'],
  ['array[string]', [], 'empty'],
  ['array[string]', [''], 'empty'],
  ['array[string]', [''], 'not empty'],
  ['array[string]', ['a', 'b'], 'all of', ['a', 'b']],
  ['array[string]', ['a', 'b'], 'all of', ['a', 'c']],
  ['array[string]', ['a'], 'is', 'a'],
  ['array[string]', ['a'], 'start with', 'a'],
  ['array[number]', [1, 2], 'contains', '1'],
  ['array[number]', [1, 2], 'not contains', '3'],
  ['array[number]', [0], 'empty'],
  ['array[boolean]', [true], 'contains', true],
  ['array[boolean]', [true], 'contains', 'true'],
  ['array[boolean]', [true], 'not contains', 'false'],
  ['array[object]', [{ a: 1 }], 'not empty'],
  ['array[object]', [], 'empty'],
];

const YES_OR_NO = ['start > if', 'if:yes > yes', 'if:false > no'];
const replies = [answer('yes', 'yes'), answer('no', 'no')];

const label = ([type, value, operator, than]: Row) =>
  `${type} ${JSON.stringify(value)} ${operator}${than === undefined ? '' : ` ${JSON.stringify(than)}`}`;

const rows = ROWS.map((row) =>
  micro(`condition/${label(row)}`, {
    values: { v: [row[0], row[1]] },
    nodes: [choice('if', { yes: [condition(of('v'), row[2], row[3])] }), ...replies],
    ways: YES_OR_NO,
  }),
);

const ofFiles = (name: string, key: string, operator: string, value: unknown, outer = 'contains') =>
  micro(`condition/files ${name}`, {
    fields: [{ variable: 'papers', type: 'file-list' }],
    inputs: { papers: [document, picture] },
    nodes: [
      choice('if', {
        yes: [
          {
            ...condition(['start', 'papers'], outer),
            sub_variable_condition: {
              case_id: 's',
              logical_operator: 'and',
              conditions: [{ id: 's', key, comparison_operator: operator, value, varType: 'string' }],
            },
          },
        ],
      }),
      ...replies,
    ],
    ways: YES_OR_NO,
  });

const logic = (name: string, logical_operator: string, conditions: readonly object[]) =>
  micro(`condition/${name}`, {
    values: { a: ['number', 1], b: ['string', 'x'] },
    nodes: [choice('if', { yes: conditions }, { logical_operator }), ...replies],
    ways: YES_OR_NO,
  });
const [right, wrong, broken] = [
  condition(of('a'), '=', '1'),
  condition(of('b'), 'is', 'y'),
  condition(of('a'), '>', 'q'),
];

const file = (name: string, operator: string, inputs: object) =>
  micro(`condition/file ${name}`, {
    fields: [{ variable: 'paper', type: 'file' }],
    inputs: { ...inputs },
    nodes: [choice('if', { yes: [condition(['start', 'paper'], operator)] }), ...replies],
    ways: YES_OR_NO,
  });

const attribute = (name: string, operator: string, value: unknown) =>
  micro(`condition/file's ${name} ${operator} ${JSON.stringify(value)}`, {
    fields: [{ variable: 'paper', type: 'file' }],
    inputs: { paper: document },
    nodes: [choice('if', { yes: [condition(['start', 'paper', name], operator, value)] }), ...replies],
    ways: YES_OR_NO,
  });

export const CONDITIONS: readonly DifyCase[] = [
  ...rows,
  ofFiles('a type among', 'type', 'in', ['image']),
  ofFiles('no such type', 'type', 'in', ['audio']),
  ofFiles('all types among', 'type', 'in', ['image', 'document'], 'all of'),
  ofFiles('without a type', 'type', 'not in', ['audio']),
  ofFiles('a name with', 'name', 'contains', 'cat'),
  ofFiles('an extension', 'extension', 'is', 'pdf'),
  ofFiles('an extension with its dot', 'extension', 'is', '.pdf'),
  ofFiles('a size over', 'size', '>', '1500'),
  ofFiles('none with the name', 'name', 'contains', 'dog', 'not contains'),
  file('exists', 'exists', { paper: document }),
  file('does not exist', 'exists', {}),
  file('is missing', 'not exists', {}),
  attribute('name', 'contains', 'report'),
  attribute('type', 'in', ['document']),
  attribute('extension', 'is', '.pdf'),
  attribute('size', '>', '2000'),
  logic('and, both', 'and', [right, right]),
  logic('and, one', 'and', [right, wrong]),
  logic('or, one', 'or', [wrong, right]),
  logic('or, none', 'or', [wrong, wrong]),
  logic('and does not look behind the first that is wrong', 'and', [wrong, broken]),
  logic('or does not look behind the first that is right', 'or', [right, broken]),
  logic('and fails where a comparison does', 'and', [right, broken]),
  micro('condition/the second case', {
    values: { n: ['number', 5] },
    nodes: [
      choice('if', { low: [condition(of('n'), '<', '3')], mid: [condition(of('n'), '<', '9')] }),
      ...[answer('low', 'low'), answer('mid', 'mid'), answer('no', 'high')],
    ],
    ways: ['start > if', 'if:low > low', 'if:mid > mid', 'if:false > no'],
  }),
  micro('condition/a branch that leads nowhere', {
    values: { n: ['number', 5] },
    nodes: [choice('if', { low: [condition(of('n'), '<', '3')] }), answer('low', 'low')],
    ways: ['start > if', 'if:low > low'],
  }),
  micro('condition/a variable that is not there', {
    nodes: [choice('if', { yes: [condition(of('none'), 'empty')] }), ...replies],
    ways: YES_OR_NO,
  }),
  micro('condition/a number with a text that has a reference', {
    values: { n: ['number', 5], m: ['number', 3] },
    nodes: [choice('if', { yes: [condition(of('n'), '>', '{{#conversation.m#}}')] }), ...replies],
    ways: YES_OR_NO,
  }),
  micro('condition/a member of an object', {
    values: { o: ['object', { city: 'Seoul' }] },
    nodes: [choice('if', { yes: [condition(['conversation', 'o', 'city'], 'is', 'Seoul')] }), ...replies],
    ways: YES_OR_NO,
  }),
];
