import { describe, expect, it } from 'vitest';
import { sourcesOf, stepsOf, type TimedEvent } from '../../../console/src/pages/applications/trace.ts';

const event = (atMs: number, type: string, payload: object): TimedEvent => ({ type, atMs, data: { event: payload } });

describe('the steps of an answer', () => {
  it('have what happened while a node ran below it, and the passes of an iteration below the iteration', () => {
    const steps = stepsOf([
      event(0, 'node_started', { execution_key: 'all', title: 'Each', status: 'running' }),
      event(1, 'node_started', { execution_key: 'all[0]/ask', title: 'Ask', status: 'running' }),
      event(2, 'tool_call_started', { call_id: 'c1', name: 'time' }),
      event(9, 'tool_call_finished', { call_id: 'c1', name: 'time', status: 'failed', elapsed_ms: 5 }),
      event(20, 'node_finished', { execution_key: 'all[0]/ask', status: 'succeeded', elapsed_ms: 18 }),
      event(30, 'node_finished', { execution_key: 'all', status: 'succeeded' }),
      event(31, 'node_started', { execution_key: 'end', title: 'End', status: 'running' }),
    ]);
    expect(steps).toMatchObject([
      {
        ...{ kind: 'node', name: 'Each', status: 'succeeded', elapsedMs: 30 },
        children: [{ name: 'Ask', elapsedMs: 18, children: [{ kind: 'tool', status: 'failed', elapsedMs: 5 }] }],
      },
      { name: 'End', status: 'running', elapsedMs: null, children: [] },
    ]);
  });

  it('are siblings without a workflow, and an end without a start is not a step', () => {
    const steps = stepsOf([
      event(0, 'knowledge_retrieved', { query: 'hours', documents: [] }),
      event(1, 'tool_call_finished', { call_id: 'unknown' }),
      event(2, 'agent_thought', { step: 1, tools: [] }),
      event(3, 'agent_thought', { step: 2, thought: 'Look it up', tools: [] }),
      event(4, 'retry', { message: 'Busy' }),
      event(5, 'message_end', { usage: null }),
    ]);
    expect(steps.map(({ kind, name, status }) => [kind, name, status])).toEqual([
      ['knowledge', 'hours', 'succeeded'],
      ['thought', 'Look it up', 'succeeded'],
      ['retry', 'Busy', 'failed'],
    ]);
  });

  it('keep a node that waits for a person as one step', () => {
    const steps = stepsOf([
      event(0, 'node_started', { execution_key: 'ask', title: 'Ask', status: 'running' }),
      event(1, 'node_started', { execution_key: 'ask', title: 'Ask', status: 'waiting' }),
    ]);
    expect(steps).toMatchObject([{ name: 'Ask', status: 'waiting' }]);
    expect(steps).toHaveLength(1);
  });
});

it('sources are each listed once, the best first', () => {
  const documents = [
    { title: 'Hours', source: 'Hours, page 1', snippet: 'Nine to five', score: 0.4 },
    { title: 'Parking', source: 'Parking', snippet: 'Behind the house', score: 0.9 },
  ];
  const found = sourcesOf([
    event(0, 'knowledge_retrieved', { documents }),
    event(1, 'knowledge_retrieved', { documents: documents.slice(0, 1) }),
    event(2, 'knowledge_retrieved', {}),
  ]);
  expect(found.map(({ source }) => source)).toEqual(['Parking', 'Hours, page 1']);
});
