import { logger } from '../../shared/logging.ts';
import { reconcilerHandler } from '../../shared/reconciler-handler.ts';
import { reconcilePorts } from '../../wiring/knowledge/bases.ts';
import { reconcileDocuments } from '../domain/reconcile-documents.ts';

const ports = reconcilePorts();

export const handler = reconcilerHandler(async (round) => {
  const done = await reconcileDocuments(ports, round);
  if (done.failed > 0) logger().error('Documents were failed: they waited for days', { ...done });
});
