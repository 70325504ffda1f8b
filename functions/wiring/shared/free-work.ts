import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { DynamoDayCounters } from '../../adapters/shared/dynamo-day-counters.ts';
import { countLimitStoreFailure } from '../../adapters/shared/limit-alarm.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { FreeWork, type FreeWorkLimits } from '../../shared/limits/free-work.ts';
import { logger } from '../../shared/logging.ts';
import { FREE_WORK_HALF_SPENT } from '../../shared/metric-names.ts';

/** A budget of free work in the table of the limits; its alarm sounds at half of it. */
export function freeWorkOf(limits: FreeWorkLimits): FreeWork {
  return new FreeWork(limits, {
    counters: new DynamoDayCounters(dynamoClient(), environment('LIMITS_TABLE').LIMITS_TABLE),
    clock: systemClock,
    async onHalfSpent(name) {
      logger().warn('Half of a daily budget of free work is spent', { name });
      await countMetric(FREE_WORK_HALF_SPENT);
    },
    storeFailed: countLimitStoreFailure,
  });
}
