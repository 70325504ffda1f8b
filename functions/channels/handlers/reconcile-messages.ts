import { logger } from '../../shared/logging.ts';
import { reconcileLanes } from '../domain/delivery/reconcile-lanes.ts';
import { countOldest, reconcilePorts } from '../wiring.ts';

const ports = reconcilePorts();

/** @param event `queueIsEmpty`: sent by a service that keeps its queues in memory, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const { requeued, oldestSeconds } = await reconcileLanes(ports, { afterRestart: event.queueIsEmpty === true });
  if (requeued > 0) logger().warn('Conversations were left behind', { requeued });
  if (oldestSeconds > 0) await countOldest(oldestSeconds);
};
