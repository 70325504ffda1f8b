import { logger } from '../../shared/logging.ts';
import { clock } from '../../wiring/accounts/accounts.ts';
import { checkLedgerPorts } from '../../wiring/accounts/check-ledger.ts';
import { checkLedgers } from '../domain/check-ledger.ts';

const ports = checkLedgerPorts();

/** Two days for a run each day: a run that fails is made up for by the next. */
const PERIOD_MS = 2 * 24 * 60 * 60_000;

export const handler = async (): Promise<{ readonly checked: number }> => {
  const checked = await checkLedgers(new Date(clock.now() - PERIOD_MS).toISOString(), ports);
  logger().info('Ledgers were checked', { checked });
  return { checked };
};
