import type { ExtractionResult } from '../../extraction/domain/extraction.ts';
import { GREEN_LINES, LINES, OTHER_PAGES, PAGES, REVENUE_KRW } from '../../shared/metric-names.ts';
import { metricLine } from '../shared/metric-line.ts';

/** The line of metrics for an extraction. */
export function readingMetrics(
  { documentType, summary, cost }: Pick<ExtractionResult, 'documentType' | 'summary' | 'cost'>,
  service: string,
  nowMs: number,
): string {
  const values = {
    [REVENUE_KRW]: cost.krw,
    [PAGES]: 1,
    [OTHER_PAGES]: documentType === 'other' ? 1 : 0,
    [LINES]: summary.items,
    [GREEN_LINES]: summary.byStatus.green,
  };
  return metricLine(values, 'Count', service, nowMs);
}
