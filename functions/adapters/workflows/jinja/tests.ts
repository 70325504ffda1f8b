import { BINARY } from './operators.ts';
import {
  Callable,
  contains,
  isEqual,
  isList,
  isNumber,
  isTrue,
  Members,
  TemplateFault,
  Tuple,
  Undefined,
  type Value,
} from './values.ts';

type Test = (value: Value, other: Value) => boolean;

const comparing = (sign: string): Test => {
  return (a, b) => isTrue(BINARY[sign]!(a, b));
};
const remainder = (value: Value, divisor: Value): Value => BINARY['%']!(value, divisor);
const isCallable: Test = (value) => value instanceof Callable || (value instanceof Members && value.call !== undefined);

/** The tests of `is`, `select` and `reject`, by name. */
export const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['defined', (value) => !(value instanceof Undefined)],
  ['undefined', (value) => value instanceof Undefined],
  ['none', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['integer', (value) => typeof value === 'bigint'],
  ['float', (value) => typeof value === 'number'],
  ['number', (value) => isNumber(value)],
  ['string', (value) => typeof value === 'string'],
  ['mapping', (value) => value instanceof Map],
  ['sequence', (value) => typeof value === 'string' || isList(value) || value instanceof Map || value instanceof Tuple],
  ['iterable', (value) => typeof value === 'string' || isList(value) || value instanceof Map || value instanceof Tuple],
  ['callable', isCallable],
  ['odd', (value) => isEqual(remainder(value, 2n), 1n)],
  ['even', (value) => isEqual(remainder(value, 2n), 0n)],
  ['divisibleby', (value, divisor) => isEqual(remainder(value, divisor), 0n)],
  ['lower', (value) => typeof value === 'string' && value !== value.toUpperCase() && value === value.toLowerCase()],
  ['upper', (value) => typeof value === 'string' && value !== value.toLowerCase() && value === value.toUpperCase()],
  ['sameas', (value, other) => value === other],
  ['in', (value, container) => contains(container, value)],
  ['escaped', () => false],
  ...['==', 'eq', 'equalto'].map((name) => [name, comparing('==')] as const),
  ...['!=', 'ne'].map((name) => [name, comparing('!=')] as const),
  ...['>', 'gt', 'greaterthan'].map((name) => [name, comparing('>')] as const),
  ...['>=', 'ge'].map((name) => [name, comparing('>=')] as const),
  ...['<', 'lt', 'lessthan'].map((name) => [name, comparing('<')] as const),
  ...['<=', 'le'].map((name) => [name, comparing('<=')] as const),
]);

/** @throws TemplateFault */
export function testNamed(name: string): Test {
  const test = TESTS.get(name);
  if (!test) throw new TemplateFault(`undefined test: ${name}`);
  return test;
}
