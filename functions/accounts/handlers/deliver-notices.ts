import { logger } from '../../shared/logging.ts';
import { deliveryPorts } from '../../wiring/accounts/accounts.ts';
import { deliverNotices } from '../domain/deliver-notices.ts';
import type { Mail } from '../domain/mail.ts';

const ports = deliveryPorts();

/**
 * Ignores the event: a stream's reports a waiting notice, a schedule's a possible one.
 * @throws AggregateError when a mail could not be sent; it is retried, and an alarm counts it.
 */
export const handler = async (): Promise<{ readonly delivered: readonly Mail[] }> => {
  const { delivered, failed } = await deliverNotices(ports);
  for (const { id } of delivered) logger().info('E-mail sent', { noticeId: id });
  for (const { noticeId, givenUp, error } of failed)
    logger().error(givenUp ? 'E-mail given up' : 'E-mail not sent', {
      noticeId,
      error: error as Error,
    });
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ error }) => error),
      'E-mails could not be sent.',
    );
  return { delivered };
};
