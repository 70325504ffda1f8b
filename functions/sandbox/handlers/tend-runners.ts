import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { tendRunners } from '../domain/tend-runners.ts';
import { countNoFreeRunners, tendPorts } from '../wiring.ts';

const { RUNNERS_FLOOR: floor, RUNNERS_MOST: most } = environment('RUNNERS_FLOOR', 'RUNNERS_MOST');

export const handler = async (): Promise<void> => {
  const { wanted, free, stopped } = await tendRunners(await tendPorts(), { floor, most });
  if (free === 0) await countNoFreeRunners();
  logger().info('runners', { wanted, free, stopped });
};
