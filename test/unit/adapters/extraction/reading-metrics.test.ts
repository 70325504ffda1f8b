import { expect, it } from 'vitest';
import { readingMetrics } from '../../../../functions/adapters/extraction/reading-metrics.ts';

it('an extraction is a line of the embedded metric format: every metric that it names has its value in the line', () => {
  const summary = { items: 9, needsReview: 2, byStatus: { green: 7, yellow: 1, red: 1 }, completeExtraction: true };
  const line = (documentType: 'drug_table' | 'other', krw: number) =>
    JSON.parse(
      readingMetrics({ documentType, summary, cost: { krw, free: krw === 0 } }, 'tripod-dev', 1_795_348_800_000),
    );
  const { _aws, ...values } = line('drug_table', 200);
  expect(values).toEqual({ service: 'tripod-dev', RevenueKrw: 200, Pages: 1, OtherPages: 0, Lines: 9, GreenLines: 7 });
  expect(_aws.Timestamp).toBe(1_795_348_800_000);
  const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
  expect([Namespace, Dimensions]).toEqual(['Tripod', [['service']]]);
  expect(Metrics.map(({ Name }: { Name: string }) => Name)).toEqual(Object.keys(values).slice(1));
  expect(line('other', 0)).toMatchObject({ RevenueKrw: 0, OtherPages: 1 });
});
