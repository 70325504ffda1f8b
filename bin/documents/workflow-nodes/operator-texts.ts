import type { OPERATORS } from '../../../functions/workflows/domain/graph/node-fields.ts';

/** When a comparison of `left` with `right` holds. */
export const OPERATOR_TEXTS: Readonly<Record<(typeof OPERATORS)[number], string>> = {
  equals: 'They are equal as JSON; a text equals the number that it writes.',
  not_equals: 'They are not equal.',
  contains: 'A list has `right` as an entry, an object as a member, a text as a part.',
  not_contains: 'The opposite.',
  starts_with: 'The text starts with `right`.',
  ends_with: 'The text ends with `right`.',
  is_empty: '`left` is null, an empty text, an empty list or an empty object.',
  is_not_empty: 'The opposite.',
  gt: '`left` is greater: by size if both are numbers or write one; two other texts, such as dates, by their characters.',
  gte: '`left` is greater or the same.',
  lt: '`left` is less.',
  lte: '`left` is less or the same.',
  is_true: '`left` is true, or the text "true".',
  is_false: '`left` is false, or the text "false".',
  is_null: '`left` is null, as a value that does not exist.',
  is_not_null: 'The opposite.',
  in: '`left` is an entry of the list `right`, or a part of the text.',
  not_in: 'The opposite.',
  all_of: '`left` contains every entry of the list `right`.',
  some_match: 'At least one entry of the list `left` meets the conditions of `right`.',
  none_match: 'No entry of the list does.',
  all_match: 'Every entry of the list does.',
  is_blank: '`left` is empty, 0 or false.',
  is_not_blank: 'The opposite.',
};
