import { logger } from '../../shared/logging.ts';
import { DEAD_LETTERS } from '../../shared/metric-names.ts';
import { countMetric } from '../shared/count-metric.ts';

/** Logs a message that was delivered too often, and counts it for the alarm on dead letters. */
export async function countDeadLetter(message: Readonly<Record<string, string | number | null>>): Promise<void> {
  logger().warn('A message was delivered too often', { deadLetter: message });
  await countMetric(DEAD_LETTERS);
}
