import { listField } from '../graph/fields.ts';
import { isObject, type Json, type JsonObject, type TextStyle } from '../graph/graph.ts';
import { textOf } from '../graph/references.ts';

/** Whether the conditions of a case hold, once their references are replaced: all of them, or with match "any" one. */
export function holds(conditions: JsonObject, style: TextStyle = 'native'): boolean {
  const each = listField(conditions, 'conditions')
    .filter(isObject)
    .map((comparison) => isTrue(comparison, style));
  return conditions.match === 'any' ? each.some(Boolean) : each.every(Boolean);
}

function isTrue({ left = null, operator, right = null }: JsonObject, style: TextStyle): boolean {
  const there = style === 'dify' ? partsAsInDify(left, String(operator), right) : null;
  if (there !== null) return there;
  switch (operator) {
    case 'equals':
      return areEqual(left, right);
    case 'not_equals':
      return !areEqual(left, right);
    case 'contains':
      return contains(left, right);
    case 'not_contains':
      return !contains(left, right);
    case 'starts_with':
      return textOf(left).startsWith(textOf(right));
    case 'ends_with':
      return textOf(left).endsWith(textOf(right));
    case 'is_empty':
      return isEmpty(left);
    case 'is_not_empty':
      return !isEmpty(left);
    case 'is_blank':
      return isBlank(left);
    case 'is_not_blank':
      return !isBlank(left);
    case 'is_null':
      return left === null;
    case 'is_not_null':
      return left !== null;
    case 'in':
      return isIn(left, right);
    case 'not_in':
      return !isIn(left, right);
    case 'all_of':
      return Array.isArray(right) && right.every((each) => contains(left, each as Json));
    case 'some_match':
      return Array.isArray(left) && left.some((each) => matches(each as Json, right, style));
    case 'none_match':
      return Array.isArray(left) && !left.some((each) => matches(each as Json, right, style));
    case 'all_match':
      return Array.isArray(left) && left.every((each) => matches(each as Json, right, style));
    case 'is_true':
      return left === true || left === 'true';
    case 'is_false':
      return left === false || left === 'false';
    default:
      return compares(left, String(operator), right);
  }
}

/** Whether an entry of a list meets conditions on its members. @param conditions {match, conditions: [{key, operator, value}]} */
export function matches(entry: Json, conditions: Json, style: TextStyle = 'native'): boolean {
  if (!isObject(conditions)) return false;
  const each = listField(conditions, 'conditions')
    .filter(isObject)
    .map(({ key, operator = null, value = null }) =>
      isTrue({ left: memberOf(entry, typeof key === 'string' ? key : ''), operator, right: value }, style),
    );
  return conditions.match === 'any' ? each.some(Boolean) : each.every(Boolean);
}

/** Whether a value has a part, or is among others, where Dify differs: never if empty; and numbers in lists equal no texts. */
function partsAsInDify(left: Json, operator: string, right: Json): boolean | null {
  const isNegated = operator.startsWith('not_');
  const asked = isNegated ? operator.slice('not_'.length) : operator;
  if (!OF_PARTS.includes(asked)) return null;
  if (isBlank(left)) return isNegated;
  if (asked !== 'contains' || !Array.isArray(left)) return null;
  return left.some((each) => typeof each !== 'number' && areEqual(each as Json, right)) !== isNegated;
}

const OF_PARTS = ['contains', 'starts_with', 'ends_with', 'in'];

/** A member of an entry; the entry itself where no key is given. */
export function memberOf(entry: Json, key: string): Json {
  if (key === '') return entry;
  return isObject(entry) && Object.hasOwn(entry, key) ? (entry[key] ?? null) : null;
}

/** A list has the value among its entries; a text has it as a part. */
function isIn(value: Json, among: Json): boolean {
  if (Array.isArray(among)) return among.some((each) => areEqual(each as Json, value));
  return typeof among === 'string' && among.includes(textOf(value));
}

/** Orders two values: numbers by size, all else by its text. */
export function orderOf(a: Json, b: Json): number {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== null && y !== null) return x - y;
  const [s, t] = [textOf(a), textOf(b)];
  return s < t ? -1 : s === t ? 0 : 1;
}

/** Equal as JSON; a text equals the number that it writes. */
function areEqual(left: Json, right: Json): boolean {
  if (typeof left === 'object' && typeof right === 'object' && left !== null && right !== null)
    return canonical(left) === canonical(right);
  if (typeof left === 'number' || typeof right === 'number') return numberOf(left) === numberOf(right);
  return left === right || (left !== null && right !== null && textOf(left) === textOf(right));
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

function contains(left: Json, right: Json): boolean {
  if (Array.isArray(left)) return left.some((each) => areEqual(each as Json, right));
  if (isObject(left)) return typeof right === 'string' && Object.hasOwn(left, right);
  return textOf(left).includes(textOf(right));
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Empty, 0 or false. */
function isBlank(value: Json): boolean {
  return value === 0 || value === false || isEmpty(value);
}

/** Numbers by size; anything else, dates included, in the order of its text. */
function compares(left: Json, operator: string, right: Json): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  const areNumbers = a !== null && b !== null;
  if (!areNumbers && (typeof left !== 'string' || typeof right !== 'string')) return false;
  const order = areNumbers ? a - b : left! < right! ? -1 : left === right ? 0 : 1;
  switch (operator) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    default:
      return order <= 0;
  }
}

function numberOf(value: Json): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
