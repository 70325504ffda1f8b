import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { remembering } from '../../../local/embedded/dynamodb/parsed-expressions.ts';

const require = createRequire(import.meta.url);
const { parse: parseCondition } = require('dynalite/db/conditionParser.js') as {
  parse: Parameters<typeof remembering>[0];
};
const { parse: parseUpdate } = require('dynalite/db/updateParser.js') as { parse: Parameters<typeof remembering>[0] };

const NAMES = ['#a', '#b', '#c'];
const VALUES = [':0', ':1', ':2'];

const operand = fc.constantFrom(...NAMES, ...VALUES, '#a.#b', '#c[1]', 'size(#a)');
const simple = fc.oneof(
  fc.tuple(operand, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), operand).map((parts) => parts.join(' ')),
  fc.constantFrom('attribute_exists(#a)', 'attribute_not_exists(#b)', 'begins_with(#a, :0)', 'contains(#b, :1)'),
  fc.constantFrom('#a BETWEEN :0 AND :1', '#a IN (:0, :2)', 'attribute_type(#a, :2)', 'unknown(#a)', '#a =', '#d = :0'),
);
const condition = fc
  .array(fc.tuple(simple, fc.constantFrom('AND', 'OR')), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([text, operator], n) => (n === 0 ? text : `${operator} ${text}`)).join(' '));
const update = fc.constantFrom(
  ...['SET #a = :0', 'SET #a = #a + :0, #b = :1 REMOVE #c', 'SET #a = if_not_exists(#b, :0) ADD #c :1'],
  ...['SET #a.#b = list_append(#c, :0)', 'ADD #a :0 REMOVE #b', 'SET #a = :0, #a = :1', 'SET #a', 'REMOVE #c[2]'],
);
const value = fc.oneof(
  fc.string({ minLength: 1 }).map((S) => ({ S })),
  fc.integer().map((n) => ({ N: String(n) })),
  fc.constant({ L: [{ S: 'x' }] }),
);

function outcome(parse: Parameters<typeof remembering>[0], text: string, attrNames: string[], attrVals: object[]) {
  const context = {
    attrNames: Object.fromEntries(NAMES.map((name, n) => [name, attrNames[n]!])),
    attrVals: Object.fromEntries(VALUES.map((name, n) => [name, attrVals[n]!])),
    unusedAttrNames: Object.fromEntries(NAMES.map((name) => [name, true as const])),
    unusedAttrVals: Object.fromEntries(VALUES.map((name) => [name, true as const])),
    isReserved: () => false,
    compare: (_: string, { N: one = '' }: { N?: string }, { N: other = '' }: { N?: string }) => one > other,
  };
  try {
    const tree = parse(text, { context });
    const { unusedAttrNames, unusedAttrVals } = context;
    // As an update does with what it was given.
    const shown = JSON.stringify({ tree, unusedAttrNames, unusedAttrVals });
    if (typeof tree === 'object')
      for (const section of (tree as { sections?: { val: unknown }[] }).sections ?? []) section.val = 'changed';
    return shown;
  } catch (error) {
    return String(error);
  }
}

it.each([
  ['conditions', parseCondition, condition],
  ['updates', parseUpdate, update],
] as const)("%s from memory equal the parser's result, with any names and values", (_, parse, text) => {
  const remembered = remembering(parse);
  const names = fc.shuffledSubarray(['x', 'y', 'z', 'w'], { minLength: 3, maxLength: 3 });
  const values = fc.array(value, { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(text, fc.array(fc.tuple(names, values), { minLength: 2, maxLength: 4 }), (expression, uses) => {
      for (const use of uses) expect(outcome(remembered, expression, ...use)).toBe(outcome(parse, expression, ...use));
    }),
    { numRuns: 300 },
  );
});
