import { afterEach, expect, it, vi } from 'vitest';
import { countMetric } from '../../../functions/adapters/shared/count-metric.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function lineOf(deployment: string): Promise<Record<string, unknown>> {
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', deployment);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await countMetric('DeadLetters', 3);
  return JSON.parse(String(write.mock.lastCall?.[0]));
}

it('a count has the name of the deployment, and on one machine that of the product', async () => {
  expect(await lineOf('tripod-dev')).toMatchObject({ service: 'tripod-dev', DeadLetters: 3 });
  expect(await lineOf('')).toMatchObject({ service: 'tripod', DeadLetters: 3 });
});
