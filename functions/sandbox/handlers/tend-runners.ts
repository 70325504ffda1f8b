import { ECSClient } from '@aws-sdk/client-ecs';
import { EcsRunnerService } from '../../adapters/runner/ecs-runner-service.ts';
import { runnerRegistry } from '../../adapters/runner/fargate-sandbox-pool.ts';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { NO_FREE_RUNNERS } from '../../shared/metric-names.ts';
import { tendRunners } from '../domain/tend-runners.ts';

const settings = environment('RUNNERS_CLUSTER', 'RUNNERS_SERVICE', 'RUNNERS_FLOOR', 'RUNNERS_MOST');
const of = { cluster: settings.RUNNERS_CLUSTER, service: settings.RUNNERS_SERVICE };
const ports = { book: runnerRegistry(), service: new EcsRunnerService(new ECSClient({}), of), clock: systemClock };

export const handler = async (): Promise<void> => {
  const { wanted, free, stopped } = await tendRunners(ports, {
    floor: settings.RUNNERS_FLOOR,
    most: settings.RUNNERS_MOST,
  });
  if (free === 0) await countMetric(NO_FREE_RUNNERS);
  logger().info('runners', { wanted, free, stopped });
};
