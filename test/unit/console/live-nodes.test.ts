import { expect, it } from 'vitest';
import { addTo, type RunNode } from '../../../console/src/pages/workflows/live-nodes.ts';

it('A node of a run is known from the events of its stream: what started, what came of it, and nothing of other events', () => {
  const seen = new Map<string, RunNode>();
  const place = { execution_key: 'each/1/read', node_id: 'read', node_type: 'template', title: 'Read' };
  const event = (type: string, told: object) => ({
    type,
    data: { object: 'chat.completion.chunk', event: { type, ...told } },
  });
  expect(addTo(seen, event('iteration_next', place))).toBe(false);
  expect(addTo(seen, event('node_started', { ...place, status: 'running', inputs: { page: 1 } }))).toBe(true);
  expect(seen.get('each/1/read')).toMatchObject({ ...place, status: 'running', inputs: { page: 1 }, outputs: null });
  addTo(seen, event('node_finished', { ...place, status: 'succeeded', elapsed_ms: 3, outputs: { text: 'one' } }));
  expect([...seen.values()]).toEqual([
    {
      ...{ ...place, status: 'succeeded', elapsed_ms: 3, failure: null },
      ...{ inputs: { page: 1 }, outputs: { text: 'one' } },
    },
  ]);
});
