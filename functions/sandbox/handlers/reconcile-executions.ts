import { logger } from '../../shared/logging.ts';
import { reconcilerHandler } from '../../shared/reconciler-handler.ts';
import { clock, executionLeases, executionQueue, executions, openExecutions } from '../../wiring/sandbox/sandbox.ts';
import { reconcileExecutions } from '../domain/reconcile-executions.ts';

const ports = {
  executions: executions(null),
  openExecutions: openExecutions(),
  leases: executionLeases(),
  queue: executionQueue(),
  clock,
};

export const handler = reconcilerHandler(async (round) => {
  const done = await reconcileExecutions(ports, round);
  if (done.requeued + done.failed > 0) logger().warn('Executions were left behind', { ...done });
});
