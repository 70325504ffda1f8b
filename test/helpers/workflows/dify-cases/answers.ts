import { answer, type DifyCase, document, gives, micro, picture, program, template } from './case.ts';

/** Values among the text of an answer: their names, types and values. */
const SHOWN: readonly (readonly [name: string, type: string, value: unknown])[] = [
  ['a text', 'string', 'Seoul'],
  ['an empty text', 'string', ''],
  ['a text of several lines', 'string', 'one\ntwo'],
  ['a text with braces', 'string', '{{x}} {#y#}'],
  ['a text with HTML', 'string', '<b>&amp;</b>'],
  ['Korean', 'string', '약품 수량'],
  ['a number', 'number', 42],
  ['zero', 'number', 0],
  ['a negative number', 'number', -7],
  ['a fraction', 'number', 0.1],
  ['a large number', 'number', 1234567890123],
  ['true', 'boolean', true],
  ['false', 'boolean', false],
  ['an object', 'object', { city: 'Seoul', n: 1 }],
  ['an empty object', 'object', {}],
  ['an object in an object', 'object', { a: { b: [1, 'x', null, true] } }],
  ['an object with Korean', 'object', { 도시: '서울' }],
  ['a list of texts', 'array[string]', ['a', 'b']],
  ['an empty list', 'array[string]', []],
  ['a list of one', 'array[string]', ['a']],
  ['a list of texts with lines', 'array[string]', ['a\nb', 'c']],
  ['a list of numbers', 'array[number]', [1, 2.5, 0]],
  ['a list of booleans', 'array[boolean]', [true, false]],
  ['a list of objects', 'array[object]', [{ a: 1 }, { b: 'x' }]],
  ['a list of objects with Korean', 'array[object]', [{ 도시: '서울' }]],
];

const field = (type: string, more: object = {}) => ({ variable: 'f', type, ...more });

export const ANSWERS: readonly DifyCase[] = [
  ...SHOWN.map(([name, type, value]) =>
    micro(`answer/${name}`, { values: { v: [type, value] }, reply: '<{{#conversation.v#}}>' }),
  ),
  // Templates get values, not their texts.
  ...SHOWN.filter(([name]) => !/large|Korean/.test(name)).map(([name, type, value]) =>
    micro(`template/${name}`, {
      values: { v: [type, value] },
      nodes: [template('t', '<{{ v }}>', { v: ['conversation', 'v'] })],
      reply: '{{#t.output#}}',
    }),
  ),
  ...SHOWN.filter(([name]) => /number|zero|true|object|list/.test(name)).map(([name, type, value]) =>
    micro(`end/${name}`, { values: { v: [type, value] }, outputs: { v: ['conversation', 'v'] } }),
  ),
  micro('answer/nothing but text', { reply: 'Hello {{ name }} {{#' }),
  micro('answer/a reference to nothing', { reply: 'a{{#conversation.none#}}b' }),
  micro('answer/the query', { reply: '{{#sys.query#}}!' }),
  micro('answer/a member of an object', {
    values: { o: ['object', { a: { b: 'deep' } }] },
    reply: '{{#conversation.o.a.b#}}',
  }),
  micro('answer/a member that is not there', {
    values: { o: ['object', { a: 1 }] },
    reply: '<{{#conversation.o.x#}}>',
  }),
  micro('answer/an environment variable', { environment: { e: ['string', 'of the app'] }, reply: '{{#env.e#}}' }),
  micro('answer/a number of the environment', { environment: { e: ['number', 5] }, reply: '{{#env.e#}}' }),
  micro('answer/a field', { fields: [field('text-input')], inputs: { f: 'given' }, reply: '{{#start.f#}}' }),
  micro('answer/an optional field without a value', { fields: [field('text-input')], reply: '<{{#start.f#}}>' }),
  micro('answer/a field with a default', {
    fields: [field('text-input', { default: 'usual' })],
    reply: '{{#start.f#}}',
  }),
  micro('answer/a paragraph', { fields: [field('paragraph')], inputs: { f: 'a\n\nb' }, reply: '{{#start.f#}}' }),
  micro('answer/a selection', {
    fields: [field('select', { options: ['x', 'y'] })],
    inputs: { f: 'y' },
    reply: '{{#start.f#}}',
  }),
  micro('answer/a number field', { fields: [field('number')], inputs: { f: 2.5 }, reply: '{{#start.f#}}' }),
  micro('answer/a checkbox', { fields: [field('checkbox')], inputs: { f: true }, reply: '{{#start.f#}}' }),
  micro('answer/a file', { fields: [field('file')], inputs: { f: document }, reply: '<{{#start.f#}}>' }),
  micro('answer/a picture', { fields: [field('file')], inputs: { f: picture }, reply: '<{{#start.f#}}>' }),
  micro('answer/a file that was not given', { fields: [field('file')], reply: '<{{#start.f#}}>' }),
  micro('answer/two files', {
    fields: [field('file-list')],
    inputs: { f: [document, picture] },
    reply: '<{{#start.f#}}>',
  }),
  micro('answer/no files', { fields: [field('file-list')], inputs: { f: [] }, reply: '<{{#start.f#}}>' }),
  micro("answer/a file's name", { fields: [field('file')], inputs: { f: document }, reply: '{{#start.f.name#}}' }),
  micro("answer/a file's type", { fields: [field('file')], inputs: { f: document }, reply: '{{#start.f.type#}}' }),
  micro("answer/a file's size", { fields: [field('file')], inputs: { f: document }, reply: '{{#start.f.size#}}' }),
  micro("answer/a file's extension", {
    fields: [field('file')],
    inputs: { f: document },
    reply: '{{#start.f.extension#}}',
  }),
  micro("answer/a file's MIME type", {
    fields: [field('file')],
    inputs: { f: document },
    reply: '{{#start.f.mime_type#}}',
  }),
  micro('answer/files of the message', { files: [picture], reply: '<{{#sys.files#}}>' }),
  micro('answer/no files of the message', { reply: '<{{#sys.files#}}>' }),
  micro('answer/two in a row', { nodes: [answer('one', 'one')], reply: 'two' }),
  micro('answer/two in a row with a value between', {
    nodes: [answer('one', 'one '), template('t', '{{ q | upper }}', { q: ['sys', 'query'] })],
    reply: '{{#t.output#}}',
  }),
  micro('answer/one that ends in a line break', { nodes: [answer('one', 'one\n')], reply: 'two' }),
  micro('answer/an empty one between', {
    nodes: [answer('one', 'one'), answer('none', '{{#conversation.x#}}')],
    reply: 'two',
  }),
  micro('answer/of a program: a whole number as a fraction', {
    nodes: [gives('c', '3.0', 'number')],
    reply: '{{#c.result#}}',
  }),
  micro('answer/of a program: null', { nodes: [gives('c', 'None', 'string')], reply: '<{{#c.result#}}>' }),
  micro('answer/of a program: a list with null', {
    nodes: [gives('c', '["a", None]', 'array[string]')],
    reply: '<{{#c.result#}}>',
  }),
  micro('template/two variables', {
    values: { a: ['string', 'x'], b: ['array[number]', [1, 2]] },
    nodes: [
      template('t', '{{ a }}{% for n in b %} {{ n * 2 }}{% endfor %}', {
        a: ['conversation', 'a'],
        b: ['conversation', 'b'],
      }),
    ],
    reply: '{{#t.output#}}',
  }),
  micro('template/a variable that is not declared', {
    nodes: [template('t', '<{{ x }}>', {})],
    reply: '{{#t.output#}}',
  }),
  micro('template/a variable that leads nowhere', {
    nodes: [template('t', '<{{ x }}>', { x: ['conversation', 'none'] })],
    reply: '{{#t.output#}}',
  }),
  micro('template/a mistake', { nodes: [template('t', '{{ 1 / 0 }}', {})], reply: '{{#t.output#}}' }),
  micro('template/nothing', { nodes: [template('t', '', {})], reply: '<{{#t.output#}}>' }),
  micro('end/a value that is not there', { outputs: { v: ['conversation', 'none'] } }),
  micro('end/several', {
    values: { a: ['string', 'x'], b: ['number', 2] },
    outputs: { a: ['conversation', 'a'], b: ['conversation', 'b'], q: ['sys', 'query'] },
  }),
  micro('end/a member of an object', {
    values: { o: ['object', { a: [1] }] },
    outputs: { v: ['conversation', 'o', 'a'] },
  }),
  micro('end/of a program', {
    nodes: [program('c', 'def main():\n    return {"a": 1, "b": ["x"]}', { a: 'number', b: 'array[string]' })],
    outputs: { a: ['c', 'a'], b: ['c', 'b'] },
  }),
];
