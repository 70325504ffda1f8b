import { type Json, type JsonObject, typeOf } from '../graph/graph.ts';

/** The value of a variable after an operation of an assigner. An operation that does not fit the value leaves it unchanged. */
export function assigned(current: Json, operation: string, value: Json): Json {
  switch (operation) {
    case 'append':
      return [...listOf(current), value];
    case 'extend':
      return [...listOf(current), ...listOf(value)];
    case 'remove_first':
      return listOf(current).slice(1);
    case 'remove_last':
      return listOf(current).slice(0, -1);
    case 'clear':
      return emptied(current);
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
      return calculated(Number(current ?? 0), operation, Number(value ?? 0)) ?? current;
    default:
      return value;
  }
}

/** Whether a value has the types that an item of an assigner asks for. */
export function hasTypes(value: Json, { value_type = 'any', entry_type = 'any' }: JsonObject): boolean {
  if (value_type !== 'any' && typeOf(value) !== value_type) return false;
  return entry_type === 'any' || !Array.isArray(value) || value.every((each) => typeOf(each as Json) === entry_type);
}

function listOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  return value === null || value === '' ? [] : [value];
}

function emptied(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (typeof value === 'object') return value === null ? null : {};
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : '';
}

function calculated(a: number, operation: string, b: number): number | null {
  const results: Readonly<Record<string, number>> = { add: a + b, subtract: a - b, multiply: a * b, divide: a / b };
  const result = results[operation] ?? Number.NaN;
  return Number.isFinite(result) ? result : null;
}
