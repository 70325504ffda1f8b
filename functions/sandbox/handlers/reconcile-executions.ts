import { logger } from '../../shared/logging.ts';
import { reconcileExecutions } from '../domain/reconcile-executions.ts';
import { clock, executionLeases, executionQueue, executions, openExecutions } from '../wiring.ts';

const ports = {
  executions: executions(null),
  openExecutions: openExecutions(),
  leases: executionLeases(),
  queue: executionQueue(),
  clock,
};

/** @param event `queueIsEmpty`: sent by a service that keeps its queue in memory, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const done = await reconcileExecutions(ports, { afterRestart: event.queueIsEmpty === true });
  if (done.requeued + done.failed > 0) logger().warn('Executions were left behind', { ...done });
};
