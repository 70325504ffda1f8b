import type { Context } from 'aws-lambda';
import { logger } from '../../shared/logging.ts';
import { erasePorts } from '../../wiring/accounts/erase-data.ts';
import { eraseData } from '../domain/erase-data.ts';

const ports = erasePorts();

/** Of the function's time, what one page of a store takes at most. */
const RESERVE_MS = 60_000;

export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  const deadlineMs = ports.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
  for (const { kind, workspaceId } of await eraseData(deadlineMs, ports))
    logger().info('Data was erased', { kind, workspaceId });
};
