import type { Clock } from '../../shared/ports/clock.ts';
import type { LowBalanceNotice } from './low-balance.ts';
import { lowBalanceMail, type Recipients } from './low-balance-mail.ts';
import type { Mail, Mailer } from './mail.ts';

export interface WaitingNotice {
  readonly notice: LowBalanceNotice;
  /** Tries so far. */
  readonly attempts: number;
}

/** Where notices wait; the transaction that changes the balance puts them there. */
export interface Outbox {
  /** Those whose time to be tried has come. */
  due(nowMs: number): Promise<WaitingNotice[]>;
  /**
   * Takes a notice for one more try, and puts off the next one. @returns false when somebody else has taken it, or it is
   * gone.
   */
  take(waiting: WaitingNotice, nextTryMs: number): Promise<boolean>;
  remove(noticeId: string): Promise<void>;
}

export interface Contacts {
  recipientsOf(workspaceId: string): Promise<Recipients>;
}

export interface DeliveryPorts {
  readonly outbox: Outbox;
  readonly contacts: Contacts;
  readonly mailer: Mailer;
  readonly clock: Clock;
}

export interface Deliveries {
  readonly delivered: readonly Mail[];
  /** Not delivered: to be tried again, unless it was given up. */
  readonly failed: readonly { readonly noticeId: string; readonly givenUp: boolean; readonly error: unknown }[];
}

/** Longer than a try can take: a notice is taken again only when its first taker is dead for certain. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 60 * 60_000;
/** A day and a half of tries. */
const MOST_ATTEMPTS = 10;

/**
 * Sends what waits in the outbox. A notice leaves it only after the mailer has taken its mail: a crash anywhere means
 * another try, and two that run at once never take the same notice. Between the mailer's yes and the removal, a crash
 * sends the mail again unless the mailer knows its id.
 */
export async function deliverNotices(ports: DeliveryPorts): Promise<Deliveries> {
  const delivered: Mail[] = [];
  const failed: Deliveries['failed'][number][] = [];
  for (const waiting of await ports.outbox.due(ports.clock.now())) {
    const { noticeId } = waiting.notice;
    try {
      const mail = await deliver(waiting, ports);
      if (mail) delivered.push(mail);
    } catch (error) {
      // One that cannot be delivered must not stand in the way of the others.
      const givenUp = waiting.attempts + 1 >= MOST_ATTEMPTS;
      failed.push({ noticeId, givenUp, error });
      if (givenUp) await ports.outbox.remove(noticeId);
    }
  }
  return { delivered, failed };
}

/** @returns null when somebody else delivers it. */
async function deliver(
  waiting: WaitingNotice,
  { outbox, contacts, mailer, clock }: DeliveryPorts,
): Promise<Mail | null> {
  const { notice, attempts } = waiting;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 4 ** attempts);
  if (!(await outbox.take(waiting, clock.now() + waitMs))) return null;
  const recipients = await contacts.recipientsOf(notice.workspaceId);
  if (recipients.owners.length === 0) throw new Error(`Workspace ${notice.workspaceId} has no owner to write to.`);
  const mail = lowBalanceMail(notice, recipients);
  await mailer.send(mail);
  await outbox.remove(notice.noticeId);
  return mail;
}
