import type { DecisionNotice } from '../../../accounts/domain/decision-mail.ts';
import { emailAddressOf } from '../../../accounts/domain/email-address.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import { shownTime } from '../../../shared/shown-time.ts';
import type { PendingDecision } from '../engine/engine-events.ts';
import { isForm, labelOf, messagePieces, notifiedBy } from '../graph/people.ts';
import { textOf } from '../graph/references.ts';
import { formUrl } from './form-links.ts';
import type { RunHead } from './run.ts';

/** A message to a conversation of a channel. */
export interface StaffMessage {
  /** The same for a repetition after a crash. */
  readonly key: string;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly to: string;
  /** Markdown. */
  readonly text: string;
}

export interface NotifyPorts {
  /** Queues a message, once for each key. @returns false if the workspace has no such channel, or no more room in it */
  readonly write: (message: StaffMessage) => Promise<boolean>;
  /** Address of this service in links that leave it; empty: they are paths. */
  readonly serviceUrl: string;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly onFault: (runId: string, error: unknown) => void;
}

/**
 * Notifies the people whom a waiting node names: queues the message to its channel.
 * @returns the mails to its members, to be stored with the record of the notice
 * @throws errors of the stores: it may be repeated, and says nothing twice
 */
export async function notifyPeople(
  head: RunHead,
  pending: PendingDecision,
  { write, serviceUrl, ids, clock, onFault }: NotifyPorts,
): Promise<readonly DecisionNotice[]> {
  const { workspaceId, runId } = head;
  const { key, node, untilMs } = pending;
  const { channel = null, emails = [] } = notifiedBy(node) ?? {};
  const url = formUrl(head, key, serviceUrl);
  const message = shownMessage(pending);
  if (channel !== null) {
    const text = channelText(pending, message, url);
    if (!(await write({ key: `notify ${runId} ${key}`, workspaceId, ...channel, text })))
      onFault(runId, new Error(`The channel ${channel.channelId} of the node ${key} cannot be written to.`));
  }
  const to = [...new Set(emails.flatMap((email) => emailAddressOf(email) ?? []))];
  if (to.length === 0) return [];
  const createdAt = new Date(clock.now()).toISOString();
  const title = node.title || node.id;
  return [{ noticeId: ids.next('ntc'), kind: 'decision', workspaceId, to, title, message, url, untilMs, createdAt }];
}

/** The page of the link has all of it. */
const MAX_MESSAGE_LENGTH = 2_000;

/** The message of a node, with the labels of fields in their places. */
function shownMessage({ node, message }: PendingDecision): string {
  const text = messagePieces(textOf(message))
    .map((piece) => (typeof piece === 'string' ? piece : `[${labelOf(node, piece.field)}]`))
    .join('')
    .trim();
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;
}

const HANGUL = /\p{Script=Hangul}/u;

const TEXTS = {
  ko: {
    approval: '승인이 필요합니다',
    form: '답변이 필요합니다',
    open: '열기',
    until: (time: string) => `${time}까지 답할 수 있습니다. 이 링크는 한 번만 쓸 수 있습니다.`,
  },
  en: {
    approval: 'An approval is needed',
    form: 'An answer is needed',
    open: 'Open',
    until: (time: string) => `It can be answered until ${time}. This link works once.`,
  },
} as const;

/** In the language of the node's texts. */
function channelText({ node, untilMs }: PendingDecision, message: string, url: string): string {
  const language = HANGUL.test(`${node.title}${message}`) ? 'ko' : 'en';
  const texts = TEXTS[language];
  return [
    `**${node.title || node.id}: ${isForm(node) ? texts.form : texts.approval}**`,
    message,
    url === '' ? '' : `[${texts.open}](${url})`,
    texts.until(shownTime(untilMs, language)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
