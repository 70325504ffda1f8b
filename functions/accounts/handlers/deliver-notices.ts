import { SESv2Client } from '@aws-sdk/client-sesv2';
import { DynamoContacts } from '../../adapters/accounts/dynamo-contacts.ts';
import { DynamoOutbox } from '../../adapters/accounts/dynamo-outbox.ts';
import { newDynamoClient } from '../../adapters/dynamodb/client.ts';
import { FileMailer } from '../../adapters/mail/file-mailer.ts';
import { SesMailer } from '../../adapters/mail/ses-mailer.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { deliverNotices } from '../domain/deliver-notices.ts';
import type { Mail } from '../domain/mail.ts';

const { ACCOUNTS_TABLE, MAIL_FROM, MAIL_DIR } = environment('ACCOUNTS_TABLE', 'MAIL_FROM', 'MAIL_DIR');
// A client of its own: in local mode this runs beside requests, which share one.
const client = newDynamoClient();
const ports = {
  outbox: new DynamoOutbox(client, ACCOUNTS_TABLE),
  contacts: new DynamoContacts(client, ACCOUNTS_TABLE),
  mailer: MAIL_DIR === undefined ? sesMailer() : new FileMailer(MAIL_DIR, MAIL_FROM),
  clock: systemClock,
};

/**
 * Delivers what is due, whatever the event: one of the stream means that a notice was added, one of the schedule that some
 * may be left.
 * @throws AggregateError when a mail could not be sent: it is attempted again, and the error raises the function's alarm.
 */
export const handler = async (): Promise<{ readonly delivered: readonly Mail[] }> => {
  const { delivered, failed } = await deliverNotices(ports);
  for (const { id } of delivered) logger().info('Low-balance e-mail sent', { noticeId: id });
  for (const { noticeId, givenUp, error } of failed)
    logger().error(givenUp ? 'Low-balance e-mail given up' : 'Low-balance e-mail not sent', {
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

function sesMailer(): SesMailer {
  const requestHandler = { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
  return new SesMailer(new SESv2Client({ maxAttempts: 1, requestHandler }), MAIL_FROM);
}
