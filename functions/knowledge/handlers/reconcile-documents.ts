import { logger } from '../../shared/logging.ts';
import { reconcilePorts } from '../bases/wiring.ts';
import { reconcileDocuments } from '../domain/reconcile-documents.ts';

const ports = reconcilePorts();

/** @param event `queueIsEmpty`: sent by a service that keeps its queue in memory, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const done = await reconcileDocuments(ports, { afterRestart: event.queueIsEmpty === true });
  if (done.failed > 0) logger().error('Documents were failed: they waited for days', { ...done });
};
