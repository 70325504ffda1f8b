import { difyNode } from '../dify.ts';
import { answer, choice, condition, type DifyCase, fails, gives, micro, of, program, template } from './case.ts';

const returns = (name: string, value: string, type: string) =>
  micro(`program/${name}`, { nodes: [gives('c', value, type)], reply: '<{{#c.result#}}>' });
const takes = (name: string, type: string, value: unknown, code: string, more: object = {}) =>
  micro(`program/${name}`, {
    values: { v: [type, value] },
    nodes: [
      program('c', code, { result: 'string' }, { variables: [{ variable: 'v', value_selector: of('v') }], ...more }),
    ],
    reply: '<{{#c.result#}}>',
  });
const typeOfV = 'def main(v):\n    return {"result": type(v).__name__ + " " + str(v)}';

const PROGRAMS: readonly DifyCase[] = [
  returns('a text', '"x"', 'string'),
  returns('a number', '7', 'number'),
  returns('a fraction', '2.50', 'number'),
  returns('an object', '{"a": [1]}', 'object'),
  returns('a list of texts', '["a", "b"]', 'array[string]'),
  returns('a list of numbers', '[1, 2.0]', 'array[number]'),
  returns('a list of objects', '[{"a": 1}]', 'array[object]'),
  returns('a boolean', 'True', 'boolean'),
  returns('a list of booleans', '[True, False]', 'array[boolean]'),
  returns('null for an object', 'None', 'object'),
  returns('null for a list', 'None', 'array[string]'),
  returns('a number for a text', '7', 'string'),
  returns('a text for a number', '"7"', 'number'),
  returns('true for a number', 'True', 'number'),
  returns('a list for an object', '[1]', 'object'),
  returns('an object for a list', '{"a": 1}', 'array[object]'),
  returns('a number in a list of texts', '["a", 1]', 'array[string]'),
  returns('a text in a list of numbers', '[1, "a"]', 'array[number]'),
  returns('a large number as a text', '"1e+5"', 'string'),
  micro('program/an output that is not there', {
    nodes: [program('c', 'def main():\n    return {"other": 1}', { result: 'string' })],
    reply: '<{{#c.result#}}>',
  }),
  micro('program/an output that is not declared', {
    nodes: [program('c', 'def main():\n    return {"result": "x", "other": 1}', { result: 'string' })],
    reply: '<{{#c.result#}}{{#c.other#}}>',
  }),
  micro('program/no outputs declared', {
    nodes: [program('c', 'def main():\n    return {"result": "x"}', {})],
    reply: '<{{#c.result#}}>',
  }),
  micro('program/no object', { nodes: [program('c', 'def main():\n    return 5', { result: 'number' })], reply: 'x' }),
  micro('program/that prints', {
    nodes: [program('c', 'def main():\n    print("noise")\n    return {"result": "x"}', { result: 'string' })],
    reply: '{{#c.result#}}',
  }),
  micro('program/that fails', { nodes: [fails('c')], reply: 'x' }),
  micro('program/of JavaScript', {
    nodes: [
      program(
        'c',
        'function main() { return { result: [1, 2].map((n) => n * 2) } }',
        { result: 'array[number]' },
        {
          code_language: 'javascript',
        },
      ),
    ],
    reply: '{{#c.result#}}',
  }),
  micro('program/of JavaScript with an input', {
    values: { v: ['number', 5] },
    nodes: [
      program(
        'c',
        'function main({ v }) { return { result: typeof v + v } }',
        { result: 'string' },
        {
          ...{ code_language: 'javascript', variables: [{ variable: 'v', value_selector: of('v') }] },
        },
      ),
    ],
    reply: '{{#c.result#}}',
  }),
  takes('takes a text', 'string', 'x', typeOfV),
  takes('takes a whole number', 'number', 5, typeOfV),
  takes('takes a fraction', 'number', 5.5, typeOfV),
  takes('takes a boolean', 'boolean', true, typeOfV),
  takes('takes an object', 'object', { a: 1 }, typeOfV),
  takes('takes a list', 'array[string]', ['a'], typeOfV),
  takes('takes what leads nowhere', 'string', 'x', 'def main(v):\n    return {"result": str(v)}', {
    variables: [{ variable: 'v', value_selector: ['conversation', 'none'] }],
  }),
];

const failing = (name: string, more: object, nodes: readonly object[], ways: readonly string[]) =>
  micro(`errors/${name}`, { nodes: [fails('c', more), ...nodes], ways });
const byDefault = (value: string, type: string) => ({
  error_strategy: 'default-value',
  default_value: [{ key: 'result', type, value }],
});
const SAYS = 'got <{{#c.result#}}>';

const ERRORS: readonly DifyCase[] = [
  failing('none handled', {}, [answer('reply', 'never')], ['start > c', 'c > reply']),
  failing(
    'an error branch',
    { error_strategy: 'fail-branch' },
    [answer('bad', 'failed'), answer('good', 'fine')],
    [...['start > c', 'c:fail-branch > bad', 'c > good']],
  ),
  failing(
    'an error branch that leads nowhere',
    { error_strategy: 'fail-branch' },
    [answer('good', 'fine')],
    [...['start > c', 'c > good']],
  ),
  failing(
    'the type of an error',
    { error_strategy: 'fail-branch' },
    [answer('bad', '<{{#c.error_type#}}>')],
    [...['start > c', 'c:fail-branch > bad']],
  ),
  failing('a default value', byDefault('instead', 'string'), [answer('reply', SAYS)], ['start > c', 'c > reply']),
  micro('errors/a default number', {
    nodes: [fails('c', { ...byDefault('5', 'number'), outputs: { result: { type: 'number', children: null } } })],
    reply: SAYS,
  }),
  micro('errors/a default object', {
    nodes: [
      fails('c', { ...byDefault('{"a": 1}', 'object'), outputs: { result: { type: 'object', children: null } } }),
    ],
    reply: SAYS,
  }),
  micro('errors/a default list', {
    nodes: [
      fails('c', {
        ...byDefault('["x"]', 'array[string]'),
        outputs: { result: { type: 'array[string]', children: null } },
      }),
    ],
    reply: SAYS,
  }),
  micro('errors/none, with an error branch', {
    nodes: [
      gives('c', '"x"', 'string', { error_strategy: 'fail-branch' }),
      answer('bad', 'failed'),
      answer('good', SAYS),
    ],
    ways: ['start > c', 'c:fail-branch > bad', 'c > good'],
  }),
  micro('errors/of a template', {
    nodes: [template('t', '{{ 1 / 0 }}', {}, { error_strategy: 'fail-branch' }), answer('bad', 'failed')],
    ways: ['start > t', 't:fail-branch > bad'],
  }),
  micro('errors/after an answer', { nodes: [answer('one', 'one'), fails('c')], reply: 'two' }),
];

const ORDER: readonly DifyCase[] = [
  micro('flow/two branches that meet', {
    nodes: [gives('a', '"a"', 'string'), gives('b', '"b"', 'string'), answer('reply', '{{#a.result#}}{{#b.result#}}')],
    ways: ['start > a', 'start > b', 'a > reply', 'b > reply'],
  }),
  micro('flow/a node behind a branch that was not taken', {
    values: { n: ['number', 1] },
    nodes: [
      choice('if', { yes: [condition(of('n'), '>', '3')] }),
      ...[gives('a', '"a"', 'string'), gives('b', '"b"', 'string'), answer('reply', '<{{#a.result#}}{{#b.result#}}>')],
    ],
    ways: ['start > if', 'if:yes > a', 'if:false > b', 'a > reply', 'b > reply'],
  }),
  micro('flow/a node that no way leads to', {
    nodes: [gives('a', '"a"', 'string'), answer('reply', '<{{#a.result#}}>')],
    ways: ['start > reply'],
  }),
  micro('flow/no end', { nodes: [gives('a', '"a"', 'string')] }),
  micro('flow/two ends', {
    values: { n: ['number', 1] },
    nodes: [
      choice('if', { yes: [condition(of('n'), '>', '3')] }),
      difyNode('e1', { type: 'end', outputs: [{ variable: 'x', value_selector: ['sys', 'query'] }] }),
      difyNode('e2', { type: 'end', outputs: [{ variable: 'y', value_selector: ['conversation', 'n'] }] }),
    ],
    outputs: {},
    ways: ['start > if', 'if:yes > e1', 'if:false > e2'],
  }),
  micro('flow/an edge without a handle', { nodes: [template('t', 'x', {})], reply: '{{#t.output#}}' }),
];

export const FLOW: readonly DifyCase[] = [...PROGRAMS, ...ERRORS, ...ORDER];
