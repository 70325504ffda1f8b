import { logger } from '../../shared/logging.ts';
import { reconcileExecutions } from '../domain/reconcile-executions.ts';
import { clock, executionQueue, executionStates } from '../wiring.ts';

const ports = { executions: executionStates(), queue: executionQueue(), clock };

/** @param event `queueIsEmpty`: only a service that keeps its queue in memory says so, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const done = await reconcileExecutions(ports, { allDead: event.queueIsEmpty === true });
  if (done.requeued + done.failed > 0) logger().warn('Executions were left behind', { ...done });
};
