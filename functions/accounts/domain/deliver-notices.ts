import { type RetrySchedule, retryDelayMs } from '../../shared/leases/retry-schedule.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type BudgetNotice, budgetMail } from './budget-mail.ts';
import { type ChannelBrokenNotice, channelBrokenMail } from './channel-broken-mail.ts';
import { type DecisionNotice, decisionMail } from './decision-mail.ts';
import type { LinkNotice } from './link-mails.ts';
import type { LowBalanceNotice } from './low-balance.ts';
import { lowBalanceMail, type Recipients } from './low-balance-mail.ts';
import type { Mail, Mailer } from './mail.ts';
import { type WorkspaceNotice, workspaceMail } from './workspace-mails.ts';
import { type WrongCodesNotice, wrongCodesMail } from './wrong-codes.ts';

/** Notices to the owners of a workspace. */
type OwnersNotice = LowBalanceNotice | ChannelBrokenNotice | WorkspaceNotice | BudgetNotice | WrongCodesNotice;
export type Notice = OwnersNotice | LinkNotice | DecisionNotice;

export interface WaitingNotice {
  readonly notice: Notice;
  /** Attempts so far. */
  readonly attempts: number;
}

/** Notices that wait for delivery; the transaction that changes the balance adds them. */
export interface Outbox {
  /** Notices whose next attempt is due. */
  due(nowMs: number): Promise<WaitingNotice[]>;
  /**
   * Takes a notice for one more attempt, and schedules the one after it. @returns false when another run has taken it, or
   * it is gone.
   */
  take(waiting: WaitingNotice, nextAttemptMs: number): Promise<boolean>;
  remove(noticeId: string): Promise<void>;
}

export interface Contacts {
  /** `members`: e-mail addresses of all members, the owners' included. */
  recipientsOf(workspaceId: string): Promise<Recipients & { readonly members: readonly string[] }>;
}

export interface DeliveryPorts {
  readonly outbox: Outbox;
  readonly contacts: Contacts;
  /** The mail that a notice with a link asks for; null where there is none to send. */
  readonly linkMail: (notice: LinkNotice) => Promise<Mail | null>;
  readonly mailer: Mailer;
  readonly clock: Clock;
}

export interface Deliveries {
  readonly delivered: readonly Mail[];
  /** Not delivered: to be attempted again, unless given up. */
  readonly failed: readonly { readonly noticeId: string; readonly givenUp: boolean; readonly error: unknown }[];
}

/** The first delay is longer than an attempt can take: a notice is taken again only when the run that took it has ended. */
const RETRIES: RetrySchedule = { firstMs: 60_000, factor: 4, maxMs: 6 * 60 * 60_000 };
/** A day and a half of attempts. */
const MAX_ATTEMPTS = 10;

/**
 * Sends the notices that are due. One is removed only after the mailer has accepted its mail: a crash anywhere means another
 * attempt, and two runs at once never take the same notice. A crash between acceptance and removal sends the mail again
 * unless the mailer knows its id.
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
      // One that cannot be delivered must not block the others.
      const givenUp = waiting.attempts + 1 >= MAX_ATTEMPTS;
      failed.push({ noticeId, givenUp, error });
      if (givenUp) await ports.outbox.remove(noticeId);
    }
  }
  return { delivered, failed };
}

/** @returns null when another run delivers it, or there is nothing to send. */
async function deliver(
  waiting: WaitingNotice,
  { outbox, contacts, linkMail, mailer, clock }: DeliveryPorts,
): Promise<Mail | null> {
  const { notice, attempts } = waiting;
  if (!(await outbox.take(waiting, clock.now() + retryDelayMs(RETRIES, attempts + 1)))) return null;
  const mail = await mailOf(notice, { contacts, linkMail });
  if (mail !== null) await mailer.send(mail);
  await outbox.remove(notice.noticeId);
  return mail;
}

async function mailOf(
  notice: Notice,
  { contacts, linkMail }: Pick<DeliveryPorts, 'contacts' | 'linkMail'>,
): Promise<Mail | null> {
  if (isWithLink(notice)) return linkMail(notice);
  const recipients = await contacts.recipientsOf(notice.workspaceId);
  if ('kind' in notice && notice.kind === 'decision') return decisionMail(notice, recipients);
  if (recipients.owners.length === 0) throw new Error(`Workspace ${notice.workspaceId} has no owner to write to.`);
  if (!('kind' in notice)) return lowBalanceMail(notice, recipients);
  if (notice.kind === 'wrong_codes') return wrongCodesMail(notice, recipients);
  if (notice.kind === 'budget') return budgetMail(notice, recipients);
  return notice.kind === 'channel_broken' ? channelBrokenMail(notice, recipients) : workspaceMail(notice, recipients);
}

function isWithLink(notice: Notice): notice is LinkNotice {
  return 'kind' in notice && ['invitation', 'password_reset', 'confirmation'].includes(notice.kind);
}
