import { expect, it } from 'vitest';
import { requireHealth } from '../../../local/require-health.ts';
import { listening } from '../../helpers/listening.ts';

const { serve } = listening();

/** Answers with these statuses one after another, the last one for ever. */
const service = async (...statuses: readonly number[]) => {
  const left = [...statuses];
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url!);
    response.writeHead(left.length > 1 ? left.shift()! : left[0]!).end('{"checks":{"database":"slow"}}');
  });
  return { url, asked };
};

it('waits for a service that is healthy at the third question', async () => {
  const { url, asked } = await service(503, 503, 200);
  await requireHealth(url, 0);
  expect(asked).toEqual(Array.from({ length: 3 }, () => '/api/v1/health'));
});

it('gives up after ten, with the last answer', async () => {
  const { url, asked } = await service(503);
  await expect(requireHealth(url, 0)).rejects.toThrow('it is not healthy (503): {"checks":{"database":"slow"}}');
  expect(asked).toHaveLength(10);
});
