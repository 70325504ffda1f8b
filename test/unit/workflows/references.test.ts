import { expect, it } from 'vitest';
import type { Json } from '../../../functions/workflows/domain/graph/graph.ts';
import { escaped, memberAt, resolved } from '../../../functions/workflows/domain/graph/references.ts';
import { inText } from '../../../functions/workflows/domain/graph/value-texts.ts';

const values: Json = { a: { 이름: { 값: 7 }, text: 'x' } };
const fill = (text: string) =>
  resolved(text, ({ sources: [first] }) => memberAt(values, [first!.node, ...first!.path]), inText);

it('a path may have names in any script', () => {
  expect([fill('{{a.이름.값}}'), fill('값: {{ a.이름.값 }}')]).toEqual([7, '값: 7']);
});

it('four braces write two, and a text that is escaped is written as it was', () => {
  expect(fill('{{{{a.text}}}} is {{a.text}}')).toBe('{{a.text}} is x');
  for (const text of ['{{a.text}}', 'Use {{ name }} or {{a.text | b}}', '{{{{a}}}}', '{{#each}}', '{ {a} }'])
    expect([text, fill(escaped(text))]).toEqual([text, text === '{{{{a}}}}' ? '{{a}}' : text]);
});
