import { logger } from '../../shared/logging.ts';
import { reconcileRuns } from '../domain/run/reconcile-runs.ts';
import { clock, ids, openRuns, runLeases, runQueue, runs } from '../wiring.ts';

const ports = { runs: runs(), openRuns: openRuns(), leases: runLeases(), queue: runQueue(), clock, ids };

/** @param event `queueIsEmpty`: sent by a service that keeps its queue in memory, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const done = await reconcileRuns(ports, { afterRestart: event.queueIsEmpty === true });
  if (done.failed > 0) logger().warn('Runs of workflows were given up', { ...done });
};
