import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { framesOfRun, publishedWorkflow, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

const start = node('start', 'start');
const program = { language: 'python', code: 'import time\ntime.sleep(0.1)\nprint("{}")', outputs: {} };
/** A graph with some programs in parallel; the service has three runners. */
const withPrograms = (count: number, of = service) => {
  const nodes = Array.from({ length: count }, (_, index) => node(`c${index}`, 'code', program));
  const ways = nodes.map(({ id }) => `start > ${id}`);
  return publishedWorkflow(of, graph([start, ...nodes], ways));
};

async function inBackground(id: string, of = service): Promise<string> {
  const { json } = await runWorkflow(of, id, { background: true });
  const hasEnded = ({ status }: { status: string }) => status === 'succeeded' || status === 'failed';
  const { status, failure } = await runThat(of, json.data.id, hasEnded);
  return failure?.message ?? status;
}

async function streamed(id: string): Promise<string> {
  const last = (await framesOfRun(service, id, {})).findLast(({ name }) => name === 'workflow_finished');
  return String((JSON.parse(last!.data) as { event: { status: string } }).event.status);
}

it.each([
  ['in the background', inBackground],
  ['as streams', streamed],
])(
  'eight runs at once of a graph with one program, and a graph with five programs, succeed on three runners %s',
  async (_, ran) => {
    const [one, five] = await Promise.all([withPrograms(1), withPrograms(5)]);
    const statuses = await Promise.all([...Array.from({ length: 8 }, () => ran(one)), ran(five)]);
    expect(statuses).toEqual(statuses.map(() => 'succeeded'));
  },
);

it('a workspace that queues many programs does not keep the runners from another', async () => {
  const greedy = await withPrograms(5);
  const order: string[] = [];
  const theirs = Array.from({ length: 10 }, async () => order.push(await inBackground(greedy)));
  const other = { ...service, ...(await createWorkspace()) };
  const ours = await withPrograms(1, other);
  expect(await inBackground(ours, other)).toBe('succeeded');
  expect(order.length).toBeLessThan(10);
  await Promise.all(theirs);
  expect(order.length).toBe(10);
});
