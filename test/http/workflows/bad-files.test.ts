import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, difyStart, type Imported } from '../../helpers/workflows/dify.ts';

const service = useService();
const imported = (dsl: string) => envelope<Imported>(service, 'POST', '/workflows/import', { dsl });

const letters = [...'abcdefgh'];
const bomb = letters
  .map(
    (each, i) =>
      `${each}: &${each} [${Array(9)
        .fill(i === 0 ? 'x' : `*${letters[i - 1]}`)
        .join(', ')}]`,
  )
  .join('\n');
const nodesOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => difyNode(`n${i}`, { type: 'answer', answer: 'x'.repeat(length) }));

it.each([
  ['of more than 5 MB', `app: ${'x'.repeat(5_000_001)}`, 400, 'expected string to have <=5000000 characters'],
  [
    'of 4.9 MB in one node',
    difyFile([difyStart(), ...nodesOf(1, 4_900_000)], ['start > n0']),
    422,
    'and 300000 are kept',
  ],
  [
    'of 3,000 nodes',
    difyFile([difyStart(), ...nodesOf(3_000, 100)], []),
    422,
    'has 3001 entries, and files of up to 2000',
  ],
  ['of 20,000 nodes', difyFile([difyStart(), ...nodesOf(20_000, 100)], []), 422, 'more than 100000 values'],
  ['with a bomb of anchors', bomb, 422, 'its aliases refer to one another too often'],
  ['with a tag of JavaScript', "app: !!js/function 'function () {}'", 422, 'it has a tag, which starts with "!"'],
  ['with a tag of Python', '!!python/object/apply:os.system ["ls"]', 422, 'it has a tag, which starts with "!"'],
  [
    'with a key twice',
    'app: {}\nkind: app\nkind: other',
    422,
    'a mapping has a key twice. Remove one of them (line 3)',
  ],
  ['with a quote that never ends', 'app: "Its name\nkind: app', 422, 'Missing closing "quote'],
  ['of several documents', 'a: 1\n---\nb: 2', 422, 'it holds several documents'],
  ['that nests 20,000 lists', `app: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 422, 'its values nest too deeply'],
  ['that is a number', '42', 422, 'it must be a mapping with app and workflow'],
  ['without nodes', 'app: {mode: workflow}\nworkflow: {graph: {}}', 422, 'workflow.graph.nodes is empty'],
])('a file %s is refused with its fault', async (_, dsl, status, message) => {
  const refused = await imported(dsl);
  expect([refused.status, refused.json.message]).toEqual([status, expect.stringContaining(message)]);
});

it.each([
  ['double', '"It is\nlong,\n\n  and has a # and a key: too"', 'It is long,\nand has a # and a key: too'],
  ['single', "'It''s\nlong,\n\n  and has a # and a key: too'", "It's long,\nand has a # and a key: too"],
])('a text in %s quotes may have lines with less indentation than its key, as in Dify', async (_, quoted, text) => {
  const dsl = `app:
    mode: workflow
    name: Quoted ${Math.random()}
    description: ${quoted}
workflow: {graph: {nodes: [{id: start, data: {type: start, title: Start, variables: []}}], edges: []}}`;
  const { status, json } = await imported(dsl);
  expect([status, (json.data.workflow as { description?: string }).description]).toEqual([201, text]);
});

it('merge keys and anchors of a file that a person has written are followed', async () => {
  const dsl = `shared: &shared {mode: workflow}
app: {<<: *shared, name: Merged ${Math.random()}}
workflow: {graph: {nodes: [{id: start, data: {type: start, title: Start, variables: []}}], edges: []}}`;
  expect((await imported(dsl)).status).toBe(201);
});

it.each([
  ['0.1.0', false],
  ['0.1.5', false],
  ['0.3.0', false],
  ['0.6.0', false],
  ['9.0.0', true],
])('a file of version %s is imported, with a note: %s', async (version, hasNote) => {
  const file = { ...(JSON.parse(difyFile([difyStart(), ...nodesOf(1, 5)], ['start > n0'])) as object), version };
  const { status, json } = await imported(JSON.stringify(file));
  expect([status, json.data.valid]).toEqual([201, true]);
  const notes = json.data.unsupported.map(({ title, message }) => `${title}: ${message}`);
  expect(notes).toEqual(hasNote ? [expect.stringContaining('version: The file has version 9.0.0')] : []);
});
