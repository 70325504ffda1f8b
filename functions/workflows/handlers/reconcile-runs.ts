import { logger } from '../../shared/logging.ts';
import { reconcilerHandler } from '../../shared/reconciler-handler.ts';
import { clock, ids, openRuns, runLeases, runQueue, runs } from '../../wiring/workflows/workflows.ts';
import { reconcileRuns } from '../domain/run/reconcile-runs.ts';

const ports = { runs: runs(), openRuns: openRuns(), leases: runLeases(), queue: runQueue(), clock, ids };

export const handler = reconcilerHandler(async (round) => {
  const done = await reconcileRuns(ports, round);
  if (done.failed > 0) logger().warn('Runs of workflows were given up', { ...done });
});
