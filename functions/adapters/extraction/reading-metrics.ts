import type { ExtractionResult } from '../../extraction/domain/extraction.ts';
import {
  GREEN_LINES,
  LINES,
  METRICS_NAMESPACE,
  type MetricName,
  OTHER_PAGES,
  PAGES,
  REVENUE_KRW,
} from '../../shared/metric-names.ts';

/**
 * One line of CloudWatch's embedded metric format for an extraction. Written by hand: it is on the way of every response, and
 * the library would take longer to load than the line to write.
 */
export function readingMetrics(
  { documentType, summary, cost }: Pick<ExtractionResult, 'documentType' | 'summary' | 'cost'>,
  service: string,
  nowMs: number,
): string {
  const values: Partial<Record<MetricName, number>> = {
    [REVENUE_KRW]: cost.krw,
    [PAGES]: 1,
    [OTHER_PAGES]: documentType === 'other' ? 1 : 0,
    [LINES]: summary.items,
    [GREEN_LINES]: summary.byStatus.green,
  };
  const Metrics = Object.keys(values).map((Name) => ({ Name, Unit: 'Count' }));
  const CloudWatchMetrics = [{ Namespace: METRICS_NAMESPACE, Dimensions: [['service']], Metrics }];
  return JSON.stringify({ _aws: { Timestamp: nowMs, CloudWatchMetrics }, service, ...values });
}
