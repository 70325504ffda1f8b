import { expect, it } from 'vitest';
import type { EngineEvent, Output } from '../../../functions/workflows/domain/engine/engine-events.ts';
import { RunMachine } from '../../../functions/workflows/domain/engine/run-machine.ts';
import { compiledGraph } from '../../../functions/workflows/domain/graph/compiled-graph.ts';
import type { Graph } from '../../../functions/workflows/domain/graph/graph.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const start = node('start', 'start');
const agent = (id: string) => node(id, 'agent', { prompt: '?' });

function begun(of: Graph) {
  const machine = new RunMachine(compiledGraph(of));
  const shown: Output[] = [];
  const apply = (event: EngineEvent) => {
    const step = machine.apply(event);
    shown.push(...step.outputs);
    return step;
  };
  const say = (key: string, text: string) => shown.push(...machine.progress({ type: 'text', key, text }));
  const text = () => shown.map((output) => (output.kind === 'text' ? output.text : '')).join('');
  const first = apply({ type: 'begun', atMs: 1, inputs: {}, context: { sys: {}, history: [] } });
  return { machine, apply, say, text, first, shown };
}

it('an answer streams as its agent fills it, and is whole in the end', () => {
  const { machine, apply, say, text } = begun(
    graph([start, agent('a'), node('end', 'answer', { text: 'Well: {{a.text}}. Bye.' })], ['start > a', 'a > end']),
  );
  say('a', 'one ');
  expect(text()).toBe('Well: one ');
  say('a', 'two');
  expect(text()).toBe('Well: one two');
  apply({ type: 'done', atMs: 2, key: 'a', attempt: 1, outputs: { text: 'one two' } });
  expect(text()).toBe('Well: one two. Bye.');
  expect(machine.answer).toBe('Well: one two. Bye.');
});

it('an answer that is a single reference is its text, for any type', () => {
  const values = { list: ['a', 1], number: 7, none: null, flag: false };
  const answers = Object.keys(values).map((name) => node(name, 'answer', { text: `{{set.${name}}}` }));
  const { machine } = begun(
    graph(
      [start, node('set', 'variable_assign', { values }), ...answers],
      ['start > set', ...answers.map(({ id }) => `set > ${id}`)],
    ),
  );
  expect(machine.answers).toEqual(['["a",1]', '7', '', 'false']);
});

it('an answer that comes while another one streams waits for its end', () => {
  const { apply, say, text } = begun(
    graph(
      [
        start,
        agent('a'),
        agent('b'),
        node('one', 'answer', { text: '{{a.text}}' }),
        node('two', 'answer', { text: '{{b.text}}' }),
      ],
      ['start > a', 'start > b', 'a > one', 'b > two'],
    ),
  );
  say('a', 'A');
  say('b', 'B');
  apply({ type: 'done', atMs: 2, key: 'b', attempt: 1, outputs: { text: 'B' } });
  say('a', 'A');
  expect(text()).toBe('AA');
  apply({ type: 'done', atMs: 3, key: 'a', attempt: 1, outputs: { text: 'AA' } });
  expect(text()).toBe('AA\n\nB');
});

it('the time that a run waits for a person is not its own', () => {
  const { machine, apply } = begun(
    graph([start, node('ask', 'approval', { message: 'Go?' }), agent('a')], ['start > ask', 'ask:approved > a'], {
      timeoutSeconds: 10,
    }),
  );
  expect(machine.isWaiting).toBe(true);
  expect(machine.pendingDecisions[0]).toMatchObject({ key: 'ask', message: 'Go?', untilMs: 1 + 24 * 3_600_000 });
  apply({ type: 'decided', atMs: 1_000_001, key: 'ask', decision: 'approved', by: 'user', comment: '' });
  expect(machine.isWaiting).toBe(false);
  expect(machine.deadlineMs).toBe(1_010_001);
  apply({ type: 'timed_out', atMs: 1_010_001 });
  expect(machine.failure).toMatchObject({ code: 'timeout' });
});

it('a loop without end is ended by the step cap, and says so', () => {
  const { machine } = begun(
    graph(
      [
        start,
        node('loop', 'loop', { max_passes: 10_000, variables: { n: 0 } }),
        node('set', 'variable_assign', { values: { n: '{{loop.n}}' } }, { parentId: 'loop' }),
      ],
      ['start > loop'],
      { maxSteps: 50 },
    ),
  );
  expect(machine.failure).toMatchObject({
    code: 'too_many_steps',
    message: expect.stringContaining('more than 50 nodes'),
  });
});

it.each([
  [7, 0],
  [5, 1],
])('a loop on %d, until it is more than 5, has %d passes', (n, passes) => {
  const until = { conditions: [{ left: '{{loop.n}}', operator: 'gt', right: 5 }] };
  const { machine, shown } = begun(
    graph(
      [
        start,
        node('loop', 'loop', { max_passes: 3, variables: { n }, until }),
        node('set', 'variable_assign', { values: { n: 6 } }, { parentId: 'loop' }),
        node('end', 'answer', { text: '{{loop.passes}} {{loop.n}}' }),
      ],
      ['start > loop', 'loop > end'],
    ),
  );
  expect(machine.answer).toBe(`${passes} ${Math.max(n, 6)}`);
  expect(shown).toContainEqual(expect.objectContaining({ type: 'iteration_completed' }));
});

it('a condition on a node of the body is tested behind the first pass', () => {
  const until = { conditions: [{ left: '{{set.n}}', operator: 'is_not_empty' }] };
  const { machine } = begun(
    graph(
      [
        start,
        node('loop', 'loop', { max_passes: 3, until: { match: 'any', ...until } }),
        node('set', 'variable_assign', { values: { n: 6 } }, { parentId: 'loop' }),
        node('end', 'answer', { text: '{{loop.passes}}' }),
      ],
      ['start > loop', 'loop > end'],
    ),
  );
  expect(machine.answer).toBe('1');
});

it.each([0, '0', null])('an assigner that divides by %j fails', (value) => {
  const items = [{ variable: 'conversation.n', operation: 'divide', value }];
  const { machine } = begun({
    ...graph([start, node('set', 'assigner', { items })], ['start > set']),
    conversation: [{ name: 'n', type: 'number', initial: 5, description: '' }],
  });
  expect(machine.failure).toMatchObject({ code: 'division_by_zero', nodeId: 'set' });
  expect(machine.conversation).toEqual({ n: 5 });
});

it('answers follow each other as the style of their graph says', () => {
  const answered = (textStyle: 'native' | 'dify') =>
    begun(
      graph([start, node('a', 'answer', { text: 'A' }), node('b', 'answer', { text: 'B' })], ['start > a', 'a > b'], {
        textStyle,
      }),
    );
  for (const [style, text] of [
    ['native', 'A\n\nB'],
    ['dify', 'AB'],
  ] as const)
    expect([answered(style).machine.answer, answered(style).text()]).toEqual([text, text]);
});

it('a loop whose condition never holds fails at its cap', () => {
  const until = { conditions: [{ left: '{{loop.n}}', operator: 'gt', right: 5 }] };
  const { machine } = begun(
    graph(
      [
        start,
        node('loop', 'loop', { max_passes: 3, variables: { n: 0 }, until }),
        node('set', 'variable_assign', { values: { n: 1 } }, { parentId: 'loop' }),
      ],
      ['start > loop'],
    ),
  );
  expect(machine.failure).toMatchObject({ code: 'loop_limit', nodeId: 'loop' });
});

it('texts that double in a loop are stopped before they fill the memory', () => {
  const { machine } = begun(
    graph(
      [
        start,
        node('loop', 'loop', { max_passes: 100, variables: { t: 'x'.repeat(100) } }),
        node('set', 'variable_assign', { values: { t: '{{loop.t}}{{loop.t}}' } }, { parentId: 'loop' }),
      ],
      ['start > loop'],
    ),
  );
  expect(machine.status).toBe('failed');
  expect(['too_large', 'variables_too_large']).toContain(machine.failure?.code);
});

it('no more effects run at once than the graph allows', () => {
  const { first, apply } = begun(
    graph([start, agent('a'), agent('b'), agent('c')], ['start > a', 'start > b', 'start > c'], { concurrency: 2 }),
  );
  expect(first.commands.map((command) => 'key' in command && command.key)).toEqual(['a', 'b']);
  const { commands } = apply({ type: 'done', atMs: 2, key: 'b', attempt: 1, outputs: {} });
  expect(commands.map((command) => 'key' in command && command.key)).toEqual(['c']);
});

it.each([
  [{ maxTokens: 100 }, 'The run has used 101 tokens, and 100 are allowed'],
  [{ maxKrw: 10 }, 'The run has cost 11 KRW, and 10 are allowed'],
])('a run with a budget of %j fails with the node that goes beyond it', (settings, message) => {
  const { machine, apply } = begun(graph([start, agent('a'), agent('b')], ['start > a', 'a > b'], settings));
  const cost = { promptTokens: 50, completionTokens: 0, krw: 5, sandboxSeconds: 0 };
  apply({ type: 'done', atMs: 2, key: 'a', attempt: 1, outputs: {}, cost });
  expect(machine.status).toBe('running');
  apply({ type: 'done', atMs: 3, key: 'b', attempt: 1, outputs: {}, cost: { ...cost, completionTokens: 1, krw: 6 } });
  expect(machine.failure).toMatchObject({ code: 'budget_exceeded', nodeId: 'b' });
  expect(machine.failure?.message).toContain(message);
});
