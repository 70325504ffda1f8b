import type { MasterInfo } from '../../extraction/domain/master/drug-master.ts';
import { ageInDays, isStale, STALE_AFTER_DAYS } from '../../extraction/domain/master/master-age.ts';
import { logger } from '../../shared/logging.ts';
import { STALE_DRUG_MASTER } from '../../shared/metric-names.ts';
import { countMetric } from '../shared/count-metric.ts';

/** Logs and counts that the list in use is older than it should be: lines are judged by prices that have changed. */
export async function reportStaleMaster(info: MasterInfo, nowMs: number): Promise<void> {
  if (!isStale(info, nowMs)) return;
  logger().warn(
    `The drug list of ${info.version} is ${ageInDays(info, nowMs)} days old. Import the newest one: npm run master:import -- <file>`,
    { version: info.version, staleAfterDays: STALE_AFTER_DAYS },
  );
  await countMetric(STALE_DRUG_MASTER);
}
