import { logger } from '../../shared/logging.ts';
import { reconcilerHandler } from '../../shared/reconciler-handler.ts';
import { countOldest, reconcilePorts } from '../../wiring/channels/channels.ts';
import { reconcileLanes } from '../domain/delivery/reconcile-lanes.ts';

const ports = reconcilePorts();

export const handler = reconcilerHandler(async (round) => {
  const { requeued, oldestSeconds } = await reconcileLanes(ports, round);
  if (requeued > 0) logger().warn('Conversations were left behind', { requeued });
  if (oldestSeconds > 0) await countOldest(oldestSeconds);
});
