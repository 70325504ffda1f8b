import { ECSClient } from '@aws-sdk/client-ecs';
import { EcsRunnerService } from '../../adapters/runner/ecs-runner-service.ts';
import { runnerRegistry } from '../../adapters/runner/fargate-sandbox-pool.ts';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { NO_FREE_RUNNERS } from '../../shared/metric-names.ts';
import { reconcilePool } from '../domain/reconcile-pool.ts';

const settings = environment('RUNNERS_CLUSTER', 'RUNNERS_SERVICE', 'RUNNERS_FLOOR', 'RUNNERS_MOST');
const of = { cluster: settings.RUNNERS_CLUSTER, service: settings.RUNNERS_SERVICE };
const ports = { store: runnerRegistry(), service: new EcsRunnerService(new ECSClient({}), of), clock: systemClock };

export const handler = async (): Promise<void> => {
  const { desired, idle, stopped } = await reconcilePool(ports, {
    minIdle: settings.RUNNERS_FLOOR,
    maxSize: settings.RUNNERS_MOST,
  });
  if (idle === 0) await countMetric(NO_FREE_RUNNERS);
  logger().info('Pool of runners reconciled', { desired, idle, stopped });
};
