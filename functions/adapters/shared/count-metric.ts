import { environment } from '../../shared/environment.ts';
import type { MetricName } from '../../shared/metric-names.ts';
import { metricLine } from './metric-line.ts';

/** Adds to a count that an alarm watches. */
export async function countMetric(name: MetricName, count = 1): Promise<void> {
  const { POWERTOOLS_SERVICE_NAME: service = 'tripod' } = environment('POWERTOOLS_SERVICE_NAME');
  // Not by `console`, whose lines Lambda wraps.
  process.stdout.write(`${metricLine({ [name]: count }, 'Count', service, Date.now())}\n`);
}
