import { listField } from '../../graph/fields.ts';
import { isObject, type JsonObject } from '../../graph/graph.ts';
import { UNARY_OPERATORS } from '../../graph/node-fields.ts';
import { noted } from '../note-texts.ts';
import type { Conversion } from './conversion.ts';
import { constant } from './values.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ contains: 'contains', 'not contains': 'not_contains', 'start with': 'starts_with', 'end with': 'ends_with' },
  ...{ is: 'equals', 'is not': 'not_equals', empty: 'is_blank', 'not empty': 'is_not_blank', '=': 'equals' },
  ...{ '≠': 'not_equals', '>': 'gt', '<': 'lt', '≥': 'gte', '≤': 'lte', in: 'in', 'not in': 'not_in' },
  ...{ 'all of': 'all_of', null: 'is_null', 'not null': 'is_not_null', exists: 'is_not_null' },
  ...{ 'not exists': 'is_null', before: 'lt', after: 'gt' },
  // As people write them in files of their hand.
  ...{ 'is empty': 'is_empty', 'is not empty': 'is_not_empty', 'is null': 'is_null', 'is not null': 'is_not_null' },
  ...{
    '==': 'equals',
    '!=': 'not_equals',
    '>=': 'gte',
    '<=': 'lte',
    'starts with': 'starts_with',
    'ends with': 'ends_with',
  },
};
/** Comparisons of a list of files by conditions on each. */
const OF_MEMBERS: Readonly<Record<string, string>> = {
  contains: 'some_match',
  'not contains': 'none_match',
  'all of': 'all_match',
};

/** The conditions of a case. */
export function conditions(
  { logical_operator, conditions: given }: JsonObject,
  conversion: Conversion,
): { readonly match: string; readonly conditions: readonly JsonObject[] } {
  return {
    match: logical_operator === 'or' ? 'any' : 'all',
    conditions: listField({ given: given ?? [] }, 'given')
      .filter(isObject)
      .map((each) => comparison(each, conversion)),
  };
}

function comparison(given: JsonObject, { names, note }: Conversion): JsonObject {
  const name = String(given.comparison_operator);
  const left = names.selected(given.variable_selector) || null;
  const { sub_variable_condition: members } = given;
  if (isObject(members) && OF_MEMBERS[name] && listField(members, 'conditions').length > 0)
    return { left, operator: OF_MEMBERS[name], right: memberConditions(withDots(members), { names, note }) };
  const operator = OPERATORS[name];
  if (!operator) note('changed', noted('comparison', { name: JSON.stringify(name) }));
  if (operator && UNARY_OPERATORS.includes(operator)) return { left, operator };
  return { left, operator: operator ?? 'equals', right: constant(given.value ?? '', names) };
}

/** Extensions have their dot, whether the file writes it or not. */
function withDots(members: JsonObject): JsonObject {
  const dotted = listField(members, 'conditions').map((each) =>
    isObject(each) && each.key === 'extension' && typeof each.value === 'string' && /^[^.]/.test(each.value)
      ? { ...each, value: `.${each.value}` }
      : each,
  );
  return { ...members, conditions: dotted };
}

/** Conditions on the members of each entry of a list. */
export function memberConditions(
  { logical_operator, conditions: given }: JsonObject,
  { names, note }: Pick<Conversion, 'names' | 'note'>,
): JsonObject {
  const each = listField({ given: given ?? [] }, 'given')
    .filter(isObject)
    .map(({ key, comparison_operator, value }): JsonObject => {
      const operator = OPERATORS[String(comparison_operator)];
      if (!operator) note('changed', noted('member_comparison', { name: JSON.stringify(comparison_operator) }));
      const shown = operator && UNARY_OPERATORS.includes(operator) ? {} : { value: constant(value ?? '', names) };
      return { ...(typeof key === 'string' && key !== '' && { key }), operator: operator ?? 'equals', ...shown };
    });
  return { match: logical_operator === 'or' ? 'any' : 'all', conditions: each };
}
