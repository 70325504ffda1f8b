import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { countNoIdleRunners, poolPorts } from '../../wiring/sandbox/sandbox.ts';
import { reconcilePool } from '../domain/reconcile-pool.ts';

const { RUNNERS_MIN_IDLE: minIdle, RUNNERS_MAX_SIZE: maxSize } = environment('RUNNERS_MIN_IDLE', 'RUNNERS_MAX_SIZE');

export const handler = async (): Promise<void> => {
  const { desired, idle, stopped } = await reconcilePool(await poolPorts(), { minIdle, maxSize });
  if (idle === 0) await countNoIdleRunners();
  logger().info('Pool of runners reconciled', { desired, idle, stopped });
};
