import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runExample, type WorkflowExample } from '../../../local/workflow-example.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();

async function example(name: string): Promise<WorkflowExample> {
  const file = new URL(`../../../examples/${name}.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as WorkflowExample;
}

const run = async (name: string) => runExample({ url: service.baseUrl, apiKey: service.apiKey }, await example(name));

it('reads a drug table, checks it by a program, asks for approval and posts the result', async () => {
  const { run: ended, received } = await run('drug-table-approval');
  expect([ended.failure, ended.status]).toEqual([null, 'succeeded']);
  expect(ended.answer).toMatch(/^Approved and posted: 12 lines, \d+ KRW\.$/);
  expect(received).toMatchObject([{ total: expect.any(Number), comment: 'As agreed' }]);
});

it('sorts a question, and answers it from a knowledge base', async () => {
  const { run: ended } = await run('support-bot');
  expect([ended.failure, ended.status]).toEqual([null, 'succeeded']);
  expect(ended.answer).toContain('Parcels are delivered within two days');
  expect(ended.answer).not.toContain('Invoices');
  expect(ended.nodes.map(({ execution_key }) => execution_key)).toEqual(['start', 'sort', 'search', 'reply', 'answer']);
});

it('reads pages in parallel, and reports on them', async () => {
  const { run: ended } = await run('page-report');
  expect([ended.failure, ended.status]).toEqual([null, 'succeeded']);
  expect(ended.answer).toMatch(/^2 pages, 0 could not be read\.\nPage 1: 12 lines.*\nPage 2: 12 lines/s);
});
