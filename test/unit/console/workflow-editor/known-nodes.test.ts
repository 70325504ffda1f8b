import { describe, expect, it } from 'vitest';
import { handlesOf, variablesAt } from '../../../../console/src/pages/workflows/editor/known-nodes.ts';
import { newNode, TYPE_GROUPS } from '../../../../console/src/pages/workflows/editor/new-nodes.ts';
import { editorEn } from '../../../../console/src/pages/workflows/editor/texts-en.ts';
import { editorKo } from '../../../../console/src/pages/workflows/editor/texts-ko.ts';
import { textOfValue, typedValue } from '../../../../console/src/pages/workflows/editor/value-text.ts';
import type { Graph } from '../../../../console/src/pages/workflows/graph.ts';
import type { Field } from '../../../../functions/workflows/domain/graph/fields.ts';
import type { NodeType } from '../../../../functions/workflows/domain/graph/graph.ts';
import { NODE_KINDS, NODE_TYPES } from '../../../../functions/workflows/domain/graph/node-types.ts';
import { graphIssues } from '../../../../functions/workflows/domain/graph/validate-graph.ts';
import { toGraph } from '../../../../functions/workflows/graph-wire.ts';

/** Fields whose values are chosen in the workspace, or declared elsewhere in the graph. */
const NEEDS_A_CHOICE: Partial<Record<NodeType, RegExp>> = {
  sub_workflow: /workflow_id/,
  assigner: /variable/,
  break: /parent_id|loop/,
  iteration: /no body|nodes/i,
  loop: /no body|nodes|until/i,
};

describe.each(NODE_TYPES)('a new node of type %s', (type) => {
  it('is offered once, named in both languages, and valid from the start', () => {
    expect(
      Object.values(TYPE_GROUPS)
        .flat()
        .filter((each) => each === type),
    ).toHaveLength(1);
    for (const texts of [editorEn, editorKo])
      expect([texts.types[type], texts.about[type]]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    if (type === 'start') return;
    const start = newNode('start', 'Start', [], undefined);
    const node = newNode(type, 'New', [start], start);
    const graph = { version: 1 as const, nodes: [start, node], edges: [{ source: start.id, target: node.id }] };
    const issues = graphIssues(toGraph(graph as never) as never).filter(({ severity }) => severity === 'error');
    const excused = NEEDS_A_CHOICE[type];
    const left = issues.filter(({ field, message }) => !excused?.test(`${field} ${message}`));
    expect(left).toEqual([]);
  });

  it('has a label in both languages for each of its fields and choices', () => {
    const [names, choices] = [new Set<string>(), new Set<string>()];
    const walk = (fields: Readonly<Record<string, Field>>) => {
      for (const [name, field] of Object.entries(fields)) {
        names.add(name);
        visit(field);
      }
    };
    const visit = (field: Field): void => {
      if (field.kind === 'object') walk(field.fields);
      else if (field.kind === 'list' || field.kind === 'record') visit(field.of);
      else if (field.kind === 'choice') for (const choice of field.of) choices.add(choice);
    };
    walk(NODE_KINDS[type].config);
    for (const { fields } of [editorEn, editorKo]) expect([...names].filter((name) => !(name in fields))).toEqual([]);
    const isCode = (choice: string) => /^[A-Z]+$/.test(choice) || CODES.has(choice);
    for (const texts of [editorEn, editorKo])
      expect([...choices].filter((choice) => !(choice in texts.choices) && !isCode(choice))).toEqual([]);
  });
});

/** Names that are the same in every language. */
const CODES = new Set([
  ...['python', 'javascript', 'typescript', 'go', 'ruby', 'bash', 'liquid', 'jinja2'],
  ...['bearer', 'basic', 'header', 'json', 'form', 'multipart', 'binary'],
]);

it('exits follow from the configuration, with the optional one', () => {
  const at = (type: NodeType, config: object) => handlesOf({ id: 'a', type, data: { config: { ...config } } });
  expect(at('condition', { cases: [{ id: 'x' }, { id: 'y' }] })).toEqual(['x', 'y', 'else']);
  expect(at('approval', {})).toEqual(['approved', 'rejected', 'timeout']);
  expect(at('human_input', { actions: [{ id: 'pay' }] })).toEqual(['pay', 'timeout']);
  expect(handlesOf({ id: 'a', type: 'code', data: { on_error: 'branch', config: {} } })).toEqual(['out', 'error']);
  expect(at('condition', { cases: 'nonsense' })).toEqual(['else']);
});

it('offers what nodes before it give out, and inside a body its entry, but nothing behind it', () => {
  const graph: Graph = {
    version: 1,
    nodes: [
      { id: 'start', type: 'start', data: { config: { fields: [{ name: 'v', type: 'text' }] } } },
      { id: 'each', type: 'iteration', data: { config: {} } },
      { id: 'in', type: 'template', parent_id: 'each', data: { config: { template: 'x' } } },
      { id: 'end', type: 'answer', data: { config: {} } },
    ],
    edges: [
      { source: 'start', target: 'each' },
      { source: 'each', target: 'end' },
    ],
    conversation_variables: [{ name: 'mood', type: 'text' }],
  };
  const namesAt = (id: string) =>
    variablesAt(graph, id)
      .filter(({ title }) => title !== 'sys')
      .flatMap(({ variables }) => variables.map(({ name }) => name));
  expect(namesAt('in')).toEqual(['each.item', 'each.index', 'start.v', 'conversation.mood']);
  expect(namesAt('end')).toEqual(['each.results', 'each.count', 'each.errors', 'start.v', 'conversation.mood']);
});

it.each([
  ['5', 5],
  ['-1.5', -1.5],
  ['true', true],
  ['[1]', [1]],
  ['{"a":1}', { a: 1 }],
  ['{{start.v}}', '{{start.v}}'],
  ['"5"', '5'],
  ['2026-01-02', '2026-01-02'],
  ['nullable', 'nullable'],
])('reads %j as %j, and writes it so that it is read again', (text, value) => {
  expect(typedValue(text)).toEqual(value);
  expect(typedValue(textOfValue(value))).toEqual(value);
});
